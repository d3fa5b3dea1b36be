//! Version 1: one hierarchy a controller, one folder in each.

use super::{
    Company, Gauges, GroupUsage, Owner, PERIOD_MICROS, Places, is_writable, limits_cores, quota_micros, set,
};
use formicary_model::Limits;
use std::io;
use std::path::{Path, PathBuf};

/// Controllers without which a group is not worth having, then those that are used where they exist.
const NEEDED: [&str; 2] = ["memory", "pids"];
const WELCOME: [&str; 2] = ["cpuacct", "cpu"];
/// Buffers of internet sockets have an account of their own in this version, which counts only once it has a limit.
const SOCKETS: &str = "memory.kmem.tcp.limit_in_bytes";
/// The part of the memory that such buffers may take, beside it.
const SHARE_OF_SOCKETS: u64 = 4;

/// This process's own folder in each hierarchy, in which groups can be made.
#[derive(Debug, Clone)]
pub struct Parents(Vec<(&'static str, PathBuf)>);

impl Parents {
    /// Finds them, or says why not.
    pub fn find(places: &Places) -> Result<Self, String> {
        let mut found = Vec::new();
        for controller in NEEDED.into_iter().chain(WELCOME) {
            match usable_folder(places, controller) {
                Ok(folder) => found.push((controller, folder)),
                Err(why) if NEEDED.contains(&controller) => return Err(why),
                Err(_) => {}
            }
        }
        Ok(Self(found))
    }

    /// The folders, one a controller; hierarchies that carry two controllers appear once.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        let mut seen: Vec<PathBuf> = Vec::new();
        self.0.iter().filter_map(move |(_, folder)| {
            let real = folder.canonicalize().unwrap_or_else(|_| folder.clone());
            let new = !seen.contains(&real);
            seen.push(real);
            new.then_some(folder.as_path())
        })
    }

    /// Their names.
    pub fn controllers(&self) -> Vec<&'static str> {
        self.0.iter().map(|(name, _)| *name).collect()
    }

    /// Whether the kernel bounds the buffers of internet sockets.
    pub fn bounds_sockets(&self) -> bool {
        self.0.iter().any(|(name, folder)| *name == "memory" && folder.join(SOCKETS).exists())
    }

    /// A group for these limits, yet to be made.
    pub fn plan(&self, owner: &Owner, limits: &Limits, company: Company) -> Group {
        let name = owner.name();
        // Moving a process costs a fraction of a millisecond a hierarchy: none is joined without need.
        let needed = self.0.iter().filter(|(controller, _)| *controller != "cpu" || limits_cores(limits));
        Group {
            folders: needed.map(|(controller, parent)| (*controller, parent.join(&name))).collect(),
            companions: if company == Company::First { 1 } else { 2 },
            gauges: Gauges::default(),
        }
    }
}

/// The folder of this process's own group, if groups can be made in it.
fn usable_folder(places: &Places, controller: &'static str) -> Result<PathBuf, String> {
    let absent = || format!("cgroup v1 has no {controller} controller here");
    let (mount, _) =
        places.mounted("cgroup").find(|(_, options)| options.contains(&controller)).ok_or_else(absent)?;
    let own = places.own_path(|names| names.split(',').any(|name| name == controller)).ok_or_else(absent)?;
    // Within a container the path may name what only the host sees; the mount's root is our own group then.
    let nested = mount.join(own.trim_start_matches('/'));
    let folder = if nested.is_dir() { nested } else { mount };
    is_writable(&folder).map_err(|error| {
        format!("cgroup v1 {controller}: no group can be made in {}: {error}", folder.display())
    })?;
    Ok(folder)
}

/// One run's folders.
#[derive(Debug)]
pub struct Group {
    folders: Vec<(&'static str, PathBuf)>,
    companions: u64,
    gauges: Gauges,
}

/// What is read when all is over, with the controller that has it.
const ACCOUNT: [(&str, &str); 6] = [
    ("memory", "memory.max_usage_in_bytes"),
    ("memory", "memory.oom_control"),
    ("pids", "pids.peak"),
    ("pids", "pids.events"),
    ("cpuacct", "cpuacct.usage_user"),
    ("cpuacct", "cpuacct.usage_sys"),
];

impl Group {
    /// The folders.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().map(|(_, folder)| folder.as_path())
    }

    fn folder(&self, controller: &str) -> Option<&Path> {
        self.folders.iter().find(|(name, _)| *name == controller).map(|(_, folder)| folder.as_path())
    }

    /// Makes it, with these limits.
    pub fn make(&self, limits: &Limits) -> io::Result<()> {
        for folder in self.folders() {
            match std::fs::create_dir(folder) {
                // Two controllers may share a hierarchy.
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        if let Some(memory) = self.folder("memory") {
            set(memory, "memory.limit_in_bytes", limits.memory_bytes)?;
            if memory.join("memory.memsw.limit_in_bytes").exists() {
                set(memory, "memory.memsw.limit_in_bytes", limits.memory_bytes)?;
            } else {
                // Without swap accounting, at least do not prefer swap.
                let _ = set(memory, "memory.swappiness", 0);
            }
        }
        if let Some(memory) = self.folder("memory").filter(|memory| memory.join(SOCKETS).exists()) {
            set(memory, SOCKETS, limits.memory_bytes / SHARE_OF_SOCKETS)?;
        }
        if let Some(pids) = self.folder("pids") {
            set(pids, "pids.max", u64::from(limits.processes) + self.companions)?;
        }
        if let Some(cpu) = self.folder("cpu") {
            set(cpu, "cpu.cfs_period_us", PERIOD_MICROS)?;
            set(cpu, "cpu.cfs_quota_us", quota_micros(limits))?;
        }
        Ok(())
    }

    /// What the kernel says of it.
    pub fn usage(&self) -> GroupUsage {
        let number = |folder: Option<&Path>, file| self.gauges.number(folder?, file);
        let processes = number(self.folder("pids"), "pids.current");
        GroupUsage {
            memory: number(self.folder("memory"), "memory.usage_in_bytes"),
            processes: processes.map(|count| count.saturating_sub(self.companions)),
            ..self.account()
        }
    }

    /// Of all that was.
    pub fn account(&self) -> GroupUsage {
        let mut usage = GroupUsage::default();
        let gauges = &self.gauges;
        if let Some(memory) = self.folder("memory") {
            usage.memory_peak = gauges.number(memory, "memory.max_usage_in_bytes");
            usage.memory_kills = gauges.keyed(memory, "memory.oom_control", "oom_kill").unwrap_or(0);
        }
        if let Some(pids) = self.folder("pids") {
            usage.processes_peak =
                gauges.number(pids, "pids.peak").map(|count| count.saturating_sub(self.companions));
            usage.forks_refused = gauges.keyed(pids, "pids.events", "max").unwrap_or(0);
        }
        (usage.user_micros, usage.system_micros) = self.cpu_micros();
        usage
    }

    /// Opens what the account is read from.
    pub fn keep_open(&self) {
        let found = |(controller, file)| Some((self.folder(controller)?, file));
        self.gauges.open(ACCOUNT.into_iter().filter_map(found));
    }

    /// CPU time in user mode and in the kernel, in microseconds.
    pub fn cpu_micros(&self) -> (Option<u64>, Option<u64>) {
        let micros = |file| self.gauges.number(self.folder("cpuacct")?, file).map(|nanos| nanos / 1000);
        (micros("cpuacct.usage_user"), micros("cpuacct.usage_sys"))
    }
}
