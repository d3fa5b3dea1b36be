//! Who made a group, and removing what a dead owner left.

use crate::sys::process;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

const PREFIX: &str = "formicary";

/// A process, told apart from a later one of the same number by its start time, and from one of the same number in
/// another container by its pid namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    namespace: u64,
    pid: u32,
    started: u64,
}

impl Owner {
    /// This process.
    pub fn this_process() -> Self {
        // Known by its number, since a process that forks takes what is remembered with it, and would be taken for dead
        // under its parent's time. No lock: the fork may come while somebody holds it.
        static KNOWN: AtomicU32 = AtomicU32::new(0);
        static STARTED: AtomicU64 = AtomicU64::new(0);
        let pid = std::process::id();
        if KNOWN.load(Ordering::Acquire) != pid {
            STARTED.store(start_time(pid).unwrap_or(0), Ordering::Release);
            KNOWN.store(pid, Ordering::Release);
        }
        let started = STARTED.load(Ordering::Acquire);
        Self { namespace: own_namespace(), pid, started }
    }

    /// A name that no other group has.
    pub fn name(&self) -> String {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        format!("{}{}", self.prefix(), NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// How the names of all its groups begin.
    pub fn prefix(&self) -> String {
        format!("{PREFIX}-{}-{}-{}-", self.namespace, self.pid, self.started)
    }

    /// The owner that a name tells of.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix(PREFIX)?.strip_prefix('-')?.split('-');
        let owner = Self {
            namespace: parts.next()?.parse().ok()?,
            pid: parts.next()?.parse().ok()?,
            started: parts.next()?.parse().ok()?,
        };
        parts.next()?.parse::<u64>().ok()?;
        parts.next().is_none().then_some(owner)
    }

    /// Whether it may still live: of a process in another namespace nothing can be known here.
    pub fn lives(&self) -> bool {
        self.namespace != own_namespace() || start_time(self.pid) == Some(self.started)
    }
}

/// The number of this process's pid namespace.
fn own_namespace() -> u64 {
    static NAMESPACE: OnceLock<u64> = OnceLock::new();
    *NAMESPACE
        .get_or_init(|| std::fs::metadata("/proc/self/ns/pid").map_or(0, |facts| MetadataExt::ino(&facts)))
}

/// When a process started, in ticks since boot.
fn start_time(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything, so count from the last one on.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

/// Removes groups in these folders whose owner is dead. How many.
pub fn sweep<'a>(parents: impl IntoIterator<Item = &'a Path>) -> usize {
    let mut removed = 0;
    for parent in parents {
        let Ok(entries) = std::fs::read_dir(parent) else { continue };
        for entry in entries.flatten() {
            let owner = entry.file_name().to_str().and_then(Owner::from_name);
            if owner.is_some_and(|owner| !owner.lives()) {
                remove(&entry.path());
                removed += 1;
            }
        }
    }
    removed
}

/// Kills what is in a group and removes it. A group that will not go is left for the next sweep.
pub fn remove(folder: &Path) {
    for attempt in 0..50 {
        match std::fs::remove_dir(folder) {
            Ok(()) => return,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(_) => {}
        }
        let inside = std::fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
        inside.lines().filter_map(|line| line.parse().ok()).filter(|pid| *pid > 0).for_each(process::kill);
        std::thread::sleep(Duration::from_millis(1 + attempt / 10));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_their_owner() {
        let owner = Owner::this_process();
        assert_eq!(Owner::from_name(&owner.name()), Some(owner));
        assert!(owner.lives());
        for other in ["formicary", "formicary-1", "formicary-x-1-1-1", "user-1-1-1-1", "formicary-1-2-3-4-5"]
        {
            assert_eq!(Owner::from_name(other), None, "{other}");
        }
    }

    #[test]
    fn only_groups_of_the_dead_are_swept() {
        let parent = std::env::temp_dir().join(format!("formicary-sweep-{}", std::process::id()));
        let living = parent.join(Owner::this_process().name());
        let dead = parent.join(format!("formicary-{}-1-999999999999-0", own_namespace()));
        let elsewhere = parent.join("formicary-1-1-999999999999-0");
        let stranger = parent.join("user.slice");
        for folder in [&living, &dead, &elsewhere, &stranger] {
            std::fs::create_dir_all(folder).unwrap();
        }
        assert_eq!(sweep([parent.as_path()]), 1);
        assert_eq!((living.exists(), dead.exists()), (true, false));
        assert!(elsewhere.exists() && stranger.exists());
        std::fs::remove_dir_all(&parent).unwrap();
    }
}
