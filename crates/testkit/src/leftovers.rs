//! What a run may leave behind on the host: processes, mounts, cgroups, temporary files, IPC objects, descriptors.
//!
//! A snapshot is taken before; after, whatever is new and does not go away within a grace period was left behind.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A snapshot of everything that a sandbox could leave on the host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leftovers {
    /// What it is for good, and how it looked: a process changes its name and state while it stays the same process.
    found: BTreeMap<String, String>,
}

/// Where to look besides the places that every host has.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// Folders whose entries count, whatever their names.
    pub folders: Vec<PathBuf>,
    /// Processes whose leftovers count besides this one's: those that it started and that may be dead by now.
    pub owners: Vec<u32>,
}

/// Folders in which an entry that carries the product's name counts.
const TEMPORARY: [&str; 6] = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/dev/mqueue"];
/// The word by which the product's own files and cgroups are known.
const OURS: &str = "formicary";

impl Leftovers {
    /// What is there now.
    pub fn now(places: &Places) -> Self {
        let mut processes = BTreeMap::new();
        descendants(&mut processes);
        let mut found = BTreeSet::new();
        mounts(places, &mut found);
        cgroups(places, Path::new("/sys/fs/cgroup"), 0, &mut found);
        temporary_files(places, &mut found);
        ipc_objects(&mut found);
        descriptors(&mut found);
        let plain = found.into_iter().map(|what| (what.clone(), what));
        Self { found: processes.into_iter().chain(plain).collect() }
    }

    /// What is here and was not there in `earlier`.
    pub fn beyond<'a>(&'a self, earlier: &'a Self) -> impl Iterator<Item = &'a str> {
        let is_new = |what: &String| !earlier.found.contains_key(what);
        self.found.iter().filter(move |(what, _)| is_new(what)).map(|(_, looks)| looks.as_str())
    }

    /// Waits until nothing is left beyond this snapshot, at most for `grace`. What stays is the error.
    pub fn settle(&self, places: &Places, grace: Duration) -> Result<(), String> {
        let deadline = Instant::now() + grace;
        loop {
            let now = Self::now(places);
            let left: Vec<_> = now.beyond(self).collect();
            if left.is_empty() {
                return Ok(());
            }
            if Instant::now() >= deadline {
                return Err(format!("left behind: {}", left.join("; ")));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Every process below this one, zombies included. Orphans are below it too when it is their reaper.
fn descendants(found: &mut BTreeMap<String, String>) {
    let processes = processes();
    for process in processes.values() {
        if process.is_below(std::process::id(), &processes) {
            let Process { pid, name, state, started, .. } = process;
            found
                .insert(format!("process {pid}-{started}"), format!("process {pid} ({name}, state {state})"));
        }
    }
}

/// One line of the process table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// Its parent's number.
    pub parent: u32,
    /// The kernel's name for it.
    pub name: String,
    /// One letter.
    pub state: char,
    /// In ticks since boot: with the number it names a process for good.
    pub started: u64,
}

/// The process table. Processes that end while it is read are not in it.
pub fn processes() -> BTreeMap<u32, Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return BTreeMap::new() };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|pid: u32| {
            let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
            Some((pid, parse_stat(pid, &String::from_utf8_lossy(&stat))?))
        })
        .collect()
}

fn parse_stat(pid: u32, stat: &str) -> Option<Process> {
    // The name may hold anything, parentheses too: the fields begin after the last one.
    let (before, after) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = after.split_ascii_whitespace().collect();
    Some(Process {
        pid,
        parent: fields.get(1)?.parse().ok()?,
        name: before.split_once('(')?.1.to_owned(),
        state: fields.first()?.chars().next()?,
        started: fields.get(19)?.parse().ok()?,
    })
}

impl Process {
    /// Whether it descends from this process, by what the table says.
    pub fn is_below(&self, ancestor: u32, all: &BTreeMap<u32, Self>) -> bool {
        let mut at = self;
        for _ in 0..all.len() {
            if at.parent == ancestor {
                return true;
            }
            match all.get(&at.parent) {
                Some(parent) => at = parent,
                None => return false,
            }
        }
        false
    }
}

/// Processes whose environment holds `marker`, wherever they hang in the tree.
pub fn processes_with_environment(marker: &str) -> Vec<u32> {
    let holds = |pid: &u32| {
        fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|bytes| bytes.split(|byte| *byte == 0).any(|entry| entry == marker.as_bytes()))
    };
    processes().into_values().filter(|process| process.state != 'Z').map(|p| p.pid).filter(holds).collect()
}

/// Mounts on a folder of ours. What others on this machine mount is their own affair.
fn mounts(places: &Places, found: &mut BTreeSet<String>) {
    for line in fs::read_to_string("/proc/self/mountinfo").unwrap_or_default().lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        if let (Some(id), Some(point)) = (fields.first(), fields.get(4))
            && point.split('/').any(|part| is_ours(part, places))
        {
            found.insert(format!("mount {point} (id {id})"));
        }
    }
}

fn cgroups(places: &Places, folder: &Path, depth: usize, found: &mut BTreeSet<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if depth > 8 || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let path = entry.path();
        if is_ours(&entry.file_name().to_string_lossy(), places) {
            found.insert(format!("cgroup {}", path.display()));
        }
        cgroups(places, &path, depth + 1, found);
    }
}

/// Whether a name of the form `formicary-<pid namespace>-<pid>-…` tells of an owner that counts. Whatever else runs on
/// this machine leaves and keeps things of the same form; they are its own affair.
fn is_ours(name: &str, places: &Places) -> bool {
    let mut parts = name.split_once(OURS).map_or("", |(_, rest)| rest).split('-').skip(1);
    let (Some(Ok(namespace)), Some(Ok(pid))) =
        (parts.next().map(str::parse::<u64>), parts.next().map(str::parse::<u32>))
    else {
        return false;
    };
    let here = fs::metadata("/proc/self/ns/pid").is_ok_and(|facts| facts.ino() == namespace);
    here && (pid == std::process::id() || places.owners.contains(&pid))
}

fn temporary_files(places: &Places, found: &mut BTreeSet<String>) {
    let mut entries_of = |folder: &Path, all: bool| {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if all || is_ours(&name, places) {
                found.insert(format!("file {}", entry.path().display()));
            }
        }
    };
    for folder in TEMPORARY {
        entries_of(Path::new(folder), false);
    }
    for folder in &places.folders {
        entries_of(folder, true);
    }
}

fn ipc_objects(found: &mut BTreeSet<String>) {
    for kind in ["shm", "msg", "sem"] {
        for line in fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap_or_default().lines().skip(1) {
            let id: Vec<_> = line.split_ascii_whitespace().take(2).collect();
            found.insert(format!("ipc object {kind} {}", id.join(" ")));
        }
    }
}

fn descriptors(found: &mut BTreeSet<String>) {
    let Ok(entries) = fs::read_dir("/proc/self/fd") else { return };
    for entry in entries.flatten() {
        // The descriptor that lists this folder points at it; it is closed again by the time anybody asks.
        let Ok(target) = fs::read_link(entry.path()) else { continue };
        if !target.starts_with(format!("/proc/{}/fd", std::process::id())) {
            found.insert(format!(
                "descriptor {} -> {}",
                entry.file_name().to_string_lossy(),
                target.display()
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_name_does_not_move_the_fields() {
        let stat = "42 (x) Z 0 0 0 0) S 7 1 1 0 -1 0 0 0 0 0 1 2 3 4 20 0 1 0 12345 0 0";
        let process = parse_stat(42, stat).unwrap();
        assert_eq!((process.parent, process.state, process.started), (7, 'S', 12345));
        assert_eq!(process.name, "x) Z 0 0 0 0");
    }

    #[test]
    fn an_open_file_is_left_behind_until_it_is_closed() {
        let places = Places::default();
        let before = Leftovers::now(&places);
        let file = fs::File::open("/proc/version").unwrap();
        let left = before.settle(&places, Duration::ZERO).unwrap_err();
        assert!(left.contains("/proc/version"), "{left}");
        drop(file);
        assert_eq!(before.settle(&places, Duration::from_secs(2)), Ok(()));
    }
}
