//! Memory that the kernel holds for a sandbox's programs outside their pages, seen through the sandbox's own `/proc`, and
//! charged at what it can hold where it cannot be measured.

use super::sampler::Beside;
use crate::sys::folder;
use formicary_guest::locks::{self, MOST_LOCKS};
use formicary_guest::sockets;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::fd::OwnedFd;

/// Pipes that cost nothing; what more there are is charged with a full buffer each, which the filter keeps at this size.
const FREE_PIPES: u64 = 16;
const PIPE: u64 = 64 << 10;
/// An open file with what stands behind it.
const OPEN_FILE: u64 = 1 << 10;
/// A mapping, and its tie to the mapping of one process above.
const MAPPING: u64 = 256;
const TIE: u64 = 64;
/// A file that an epoll set watches.
const WATCHED: u64 = 200;
/// A file lock.
const LOCK: u64 = 256;
/// The longest line about a lock.
const LOCK_LINE: u64 = 128;
/// Requests for shared memory that are remembered, the largest of all.
const REMEMBERED: usize = 4096;

/// What the kernel holds for the processes of a sandbox, as one look after the other finds it.
#[derive(Debug, Default)]
pub struct Objects {
    enough: u64,
    bytes: u64,
    pipes: BTreeSet<Vec<u8>>,
    /// Shared memory that is mapped, by its number, with the largest piece of it.
    pub segments: BTreeMap<String, u64>,
}

impl Objects {
    /// Nothing yet. What is beyond this much is not looked for: it is too much already.
    pub fn up_to(enough: u64) -> Self {
        Self { enough, ..Self::default() }
    }

    /// Looks at the process in this folder of `/proc`, which has so many others above it.
    pub fn look(&mut self, proc: &OwnedFd, place: &str, ancestors: u64) {
        if self.charge() > self.enough {
            return;
        }
        let maps = folder::read_text(proc, &format!("{place}/maps")).unwrap_or_default();
        for line in maps.lines() {
            self.bytes += MAPPING + TIE * ancestors;
            if line.ends_with("/dev/zero (deleted)") {
                self.segment(line);
            }
        }
        let files = folder::open_folder(proc, OsStr::new(&format!("{place}/fd")));
        for name in files.and_then(|files| folder::names(&files)).unwrap_or_default() {
            if self.charge() > self.enough {
                return;
            }
            self.bytes += OPEN_FILE;
            let Some(name) = name.to_str() else { continue };
            let target = folder::read_link(proc, &format!("{place}/fd/{name}")).unwrap_or_default();
            if target.starts_with(b"pipe:") {
                self.pipes.insert(target);
            } else if target == b"anon_inode:[eventpoll]" {
                let about = folder::read_text(proc, &format!("{place}/fdinfo/{name}")).unwrap_or_default();
                self.bytes += WATCHED * about.lines().filter(|line| line.starts_with("tfd:")).count() as u64;
            }
        }
    }

    fn segment(&mut self, line: &str) {
        let mut fields = line.split_whitespace();
        let (range, inode) = (fields.next().unwrap_or_default(), fields.nth(3).unwrap_or_default());
        let bound = |text: &str| u64::from_str_radix(text, 16).unwrap_or(0);
        let size = range.split_once('-').map_or(0, |(from, to)| bound(to).saturating_sub(bound(from)));
        let known = self.segments.entry(inode.to_string()).or_insert(0);
        *known = size.max(*known);
    }

    /// What all that can hold, shared memory left out.
    pub fn charge(&self) -> u64 {
        self.bytes + PIPE * (self.pipes.len() as u64).saturating_sub(FREE_PIPES)
    }
}

/// Anonymous memory that processes share. It stays as a whole as long as one page of it is mapped anywhere, so it is
/// charged at the size that was asked for.
#[derive(Debug, Default)]
pub struct Segments {
    /// What was asked for, the largest first.
    asked: Vec<u64>,
    /// Requests, and new processes, since the last look began.
    since: usize,
    forks: u64,
    /// New processes between the last two looks.
    earlier_forks: u64,
    /// How many were mapped at the last look, and what could be seen of them.
    live: usize,
    visible: u64,
}

impl Segments {
    /// Another one is asked for.
    pub fn asked_for(&mut self, bytes: u64) {
        let at = self.asked.partition_point(|known| *known >= bytes);
        self.asked.insert(at, bytes);
        self.asked.truncate(REMEMBERED);
        self.since += 1;
    }

    /// A process was started since the last look, and may have taken over what its parent let go of before anybody looked.
    pub fn process_started(&mut self) {
        self.forks += 1;
    }

    /// A look begins: what is asked for from here on it may not find.
    pub fn begin(&mut self) {
        self.since = 0;
    }

    /// What a look has found.
    pub fn seen(&mut self, mapped: &BTreeMap<String, u64>) {
        self.live = mapped.len();
        self.visible = mapped.values().sum();
        // Nobody has any, and nobody can have handed it on meanwhile: what was asked for is gone.
        if self.live == 0 && self.since == 0 && self.forks == 0 && self.earlier_forks == 0 {
            self.asked.clear();
        }
        self.earlier_forks = std::mem::take(&mut self.forks);
    }

    /// So many are there at the most, and they were no larger than the largest that were asked for.
    pub fn charge(&self) -> u64 {
        self.asked.iter().take(self.live + self.since).sum::<u64>().max(self.visible)
    }
}

/// What the buffers of sockets hold, or can hold. With the host's network its own sockets would be counted too.
pub fn sockets(proc: &OwnedFd) -> u64 {
    let text = folder::read_text(proc, "1/net/sockstat").unwrap_or_default();
    let used = text.lines().find_map(|line| line.strip_prefix("sockets: used ")?.trim().parse::<u64>().ok());
    let largest = std::fs::read_to_string("/proc/sys/net/core/wmem_max").unwrap_or_default();
    let buffer = largest.trim().parse().unwrap_or(212_992);
    sockets::charge(used.unwrap_or(0), buffer, |name| {
        folder::read_text(proc, &format!("1/net/{name}")).unwrap_or_default()
    })
}

/// The number that the last process or thread of the sandbox was given.
pub fn last_process(proc: &OwnedFd) -> Option<u64> {
    folder::read_text(proc, "loadavg").ok()?.split_whitespace().last()?.parse().ok()
}

/// What waits in netlink sockets to be read or sent, which no group counts. Under the host's network, its own would be
/// counted too.
pub fn netlink(proc: &OwnedFd) -> u64 {
    let text = folder::read_text(proc, "1/net/netlink").unwrap_or_default();
    let waiting = |line: &str| {
        let numbers = line.split_whitespace().skip(4).take(2);
        numbers.filter_map(|number| number.parse::<u64>().ok()).sum::<u64>()
    };
    text.lines().skip(1).map(waiting).sum()
}

/// File locks of all processes that are there, as far as they matter.
pub fn locks(proc: &OwnedFd) -> u64 {
    locks::count(|most| folder::read_beginning(proc, "locks", most).unwrap_or_default())
}

/// File locks that hang on the open files of one process, whoever took them.
pub fn locks_by_file(proc: &OwnedFd, place: &str) -> u64 {
    let files = folder::open_folder(proc, OsStr::new(&format!("{place}/fdinfo")));
    let names = files.and_then(|files| folder::names(&files)).unwrap_or_default();
    let about = names.iter().filter_map(|name| {
        let path = format!("{place}/fdinfo/{}", name.to_str()?);
        folder::read_beginning(proc, &path, (MOST_LOCKS + 1) * LOCK_LINE).ok()
    });
    let locks = about
        .map(|about| about.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"lock:")).count());
    locks.map(|count| count as u64).sum()
}

/// What so many locks mean.
pub fn charge_locks(locks: u64) -> Beside {
    Beside { bytes: locks * LOCK, too_many_locks: locks > MOST_LOCKS }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapped(pieces: &[(&str, u64)]) -> BTreeMap<String, u64> {
        pieces.iter().map(|(inode, size)| ((*inode).to_string(), *size)).collect()
    }

    #[test]
    fn shared_memory_is_charged_as_it_was_asked_for() {
        let mut segments = Segments::default();
        segments.asked_for(10);
        segments.asked_for(100);
        assert_eq!(segments.charge(), 110);
        // One page of the larger is left, and nothing of the smaller: it could be the larger one.
        segments.begin();
        segments.seen(&mapped(&[("1", 1)]));
        assert_eq!(segments.charge(), 100);
        // Asked for while a look was under way.
        segments.begin();
        segments.asked_for(50);
        segments.seen(&mapped(&[("1", 1)]));
        assert_eq!(segments.charge(), 150);
    }

    #[test]
    fn shared_memory_is_forgotten_when_nobody_can_have_it() {
        let mut segments = Segments::default();
        segments.asked_for(100);
        segments.process_started();
        for _ in 0..2 {
            segments.begin();
            segments.seen(&mapped(&[]));
            segments.begin();
            segments.seen(&mapped(&[("2", 4)]));
            assert_eq!(segments.charge(), 100, "a child may have had it");
            segments.process_started();
        }
        for _ in 0..3 {
            segments.begin();
            segments.seen(&mapped(&[]));
        }
        segments.asked_for(1);
        assert_eq!(segments.charge(), 1);
    }

    #[test]
    fn locks_have_a_most() {
        assert!(!charge_locks(MOST_LOCKS).too_many_locks);
        assert!(charge_locks(MOST_LOCKS + 1).too_many_locks);
    }
}
