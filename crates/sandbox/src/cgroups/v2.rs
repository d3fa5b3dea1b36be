//! Version 2: one hierarchy, delegated to us or ours as root.

use super::{Gauges, GroupUsage, Owner, PERIOD_MICROS, Places, is_writable, limits_cores, quota_micros, set};
use formicary_model::Limits;
use std::io;
use std::path::{Path, PathBuf};

/// Who lives in a group besides the payload: the sandbox's first process.
const COMPANIONS: u64 = 1;

const NEEDED: [&str; 2] = ["memory", "pids"];

/// A folder in which groups can be made and limited.
#[derive(Debug, Clone)]
pub struct Parent {
    folder: PathBuf,
    cpu: bool,
}

impl Parent {
    /// Walks up from this process's own group to the first folder that will do, or says why none does.
    pub fn find(places: &Places) -> Result<Self, String> {
        let (mount, _) = places.mounted("cgroup2").next().ok_or("cgroup v2 is not mounted")?;
        let own = places.own_path(str::is_empty).ok_or("this process is in no cgroup v2 group")?;
        let mut folder = mount.join(own.trim_start_matches('/'));
        loop {
            let why = match Self::try_folder(&folder) {
                Ok(parent) => return Ok(parent),
                Err(why) => why,
            };
            if folder == mount || !folder.pop() {
                return Err(why);
            }
        }
    }

    fn try_folder(folder: &Path) -> Result<Self, String> {
        let words = |file: &str| {
            let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
            text.split_whitespace().map(str::to_string).collect::<Vec<_>>()
        };
        let offered = words("cgroup.controllers");
        if let Some(absent) = NEEDED.iter().find(|needed| !offered.iter().any(|one| one == *needed)) {
            return Err(format!("cgroup v2: {} does not offer the {absent} controller", folder.display()));
        }
        let wanted: Vec<&str> =
            NEEDED.into_iter().chain(["cpu"]).filter(|one| offered.iter().any(|o| o == one)).collect();
        let enabled = words("cgroup.subtree_control");
        let lacking: Vec<String> =
            wanted.iter().filter(|w| !enabled.iter().any(|e| e == *w)).map(|w| format!("+{w}")).collect();
        if !lacking.is_empty() {
            set(folder, "cgroup.subtree_control", lacking.join(" ")).map_err(|error| error.to_string())?;
        }
        is_writable(folder)
            .map_err(|error| format!("cgroup v2: no group can be made in {}: {error}", folder.display()))?;
        // Moving a process also needs write access to the common ancestor's list of processes.
        is_writable(&folder.join("cgroup.procs")).map_err(|error| {
            format!("cgroup v2: processes cannot be moved within {}: {error}", folder.display())
        })?;
        Ok(Self { folder: folder.to_path_buf(), cpu: wanted.contains(&"cpu") })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A group, yet to be made.
    pub fn plan(&self, owner: &Owner) -> Group {
        Group::at(self.folder.join(owner.name()))
    }

    /// Makes it, with these limits.
    pub fn make(&self, group: &Group, limits: &Limits) -> io::Result<()> {
        let folder = group.folder();
        std::fs::create_dir(folder)?;
        set(folder, "memory.max", limits.memory_bytes)?;
        // Absent where the kernel was built without swap.
        if folder.join("memory.swap.max").exists() {
            set(folder, "memory.swap.max", 0)?;
        }
        set(folder, "pids.max", u64::from(limits.processes) + COMPANIONS)?;
        if self.cpu && limits_cores(limits) {
            set(folder, "cpu.max", format!("{} {PERIOD_MICROS}", quota_micros(limits)))?;
        }
        Ok(())
    }

    /// Whether cores can be limited.
    pub fn limits_cores(&self) -> bool {
        self.cpu
    }
}

/// One run's folder.
#[derive(Debug)]
pub struct Group(PathBuf, Gauges);

/// What is read when all is over.
const ACCOUNT: [&str; 5] = ["memory.peak", "memory.events", "cpu.stat", "pids.peak", "pids.events"];

impl Group {
    /// A group that exists.
    pub fn at(folder: PathBuf) -> Self {
        Self(folder, Gauges::default())
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// What the kernel says of it.
    pub fn usage(&self) -> GroupUsage {
        let number = |file| self.1.number(self.folder(), file);
        GroupUsage {
            memory: number("memory.current"),
            processes: number("pids.current").map(|count| count.saturating_sub(COMPANIONS)),
            ..self.account()
        }
    }

    /// Of all that was.
    pub fn account(&self) -> GroupUsage {
        let (folder, gauges) = (self.folder(), &self.1);
        let (user_micros, system_micros) = self.cpu_micros();
        GroupUsage {
            memory_peak: gauges.number(folder, "memory.peak"),
            user_micros,
            system_micros,
            memory_kills: gauges.keyed(folder, "memory.events", "oom_kill").unwrap_or(0),
            processes_peak: gauges.number(folder, "pids.peak").map(|count| count.saturating_sub(COMPANIONS)),
            forks_refused: gauges.keyed(folder, "pids.events", "max").unwrap_or(0),
            ..GroupUsage::default()
        }
    }

    /// Opens what the account is read from.
    pub fn keep_open(&self) {
        self.1.open(ACCOUNT.into_iter().map(|file| (self.folder(), file)));
    }

    /// CPU time in user mode and in the kernel, in microseconds.
    pub fn cpu_micros(&self) -> (Option<u64>, Option<u64>) {
        let micros = |key| self.1.keyed(self.folder(), "cpu.stat", key);
        (micros("user_usec"), micros("system_usec"))
    }
}
