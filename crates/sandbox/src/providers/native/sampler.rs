//! Watching a sandbox's processes through its own `/proc`, where no cgroup counts for us.

use crate::cgroups::GroupUsage;
use crate::sys::{folder, process};
use std::os::fd::OwnedFd;

/// What the processes of a sandbox use now. Of the first, which is ours, only what it inherited from the dead counts.
/// `shared` is what [`shared`] has last found.
pub fn sample(proc: &OwnedFd, shared: u64) -> GroupUsage {
    let mut seen = Totals { shared, ..Totals::default() };
    processes(proc).for_each(|pid| seen.add(proc, pid));
    let micros = |ticks: u64| ticks * 1_000_000 / process::ticks_per_second();
    GroupUsage {
        memory: Some(seen.private + seen.shared),
        user_micros: Some(micros(seen.user_ticks)),
        system_micros: Some(micros(seen.system_ticks)),
        processes: Some(seen.threads),
        ..GroupUsage::default()
    }
}

/// Processes and threads, the first process left out.
pub fn count(proc: &OwnedFd) -> u64 {
    let threads = |pid: u32| {
        let stat = folder::read_text(proc, &format!("{pid}/stat")).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(17)?.parse::<u64>().ok()
    };
    processes(proc).filter(|pid| *pid != 1).filter_map(threads).sum()
}

/// The size of all anonymous memory that processes share: pages that one has touched and let go of are in no
/// process's resident set, and stay.
pub fn shared(proc: &OwnedFd) -> u64 {
    let mut segments = std::collections::BTreeMap::new();
    for pid in processes(proc) {
        let maps = folder::read_text(proc, &format!("{pid}/maps")).unwrap_or_default();
        for line in maps.lines().filter(|line| line.ends_with("/dev/zero (deleted)")) {
            let mut fields = line.split_whitespace();
            let (range, inode) = (fields.next().unwrap_or_default(), fields.nth(3).unwrap_or_default());
            let bound = |text: &str| u64::from_str_radix(text, 16).unwrap_or(0);
            let size = range.split_once('-').map_or(0, |(from, to)| bound(to) - bound(from));
            let known = segments.entry(inode.to_string()).or_insert(0);
            *known = size.max(*known);
        }
    }
    segments.values().sum()
}

fn processes(proc: &OwnedFd) -> impl Iterator<Item = u32> + use<> {
    let names = folder::names(proc).unwrap_or_default();
    names.into_iter().filter_map(|name| name.to_str()?.parse().ok())
}

#[derive(Default)]
struct Totals {
    private: u64,
    /// The largest share of any one process: shared memory counted for each would count many times.
    shared: u64,
    user_ticks: u64,
    system_ticks: u64,
    threads: u64,
}

impl Totals {
    fn add(&mut self, proc: &OwnedFd, pid: u32) {
        let Ok(stat) = folder::read_text(proc, &format!("{pid}/stat")) else { return };
        let Some((_, fields)) = stat.rsplit_once(')') else { return };
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let field = |index: usize| fields.get(index).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        // Fields 14 to 17 of proc(5): own time, and that of children that were waited for.
        self.user_ticks += field(13);
        self.system_ticks += field(14);
        if pid == 1 {
            return;
        }
        self.user_ticks += field(11);
        self.system_ticks += field(12);
        self.threads += field(17).max(1);
        let Ok(status) = folder::read_text(proc, &format!("{pid}/status")) else { return };
        let kibibytes = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key));
            line.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()).unwrap_or(0)
        };
        self.private += 1024 * (kibibytes("RssAnon:") + kibibytes("VmSwap:") + kibibytes("VmPTE:"));
        self.shared = self.shared.max(1024 * kibibytes("RssShmem:"));
    }
}
