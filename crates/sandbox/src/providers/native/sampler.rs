//! Watching a sandbox's processes through its own `/proc`, where no cgroup counts for us.
//!
//! What cannot be seen there is refused to the payload (see the jail's refusals) or charged at what it can hold.

use crate::cgroups::GroupUsage;
use crate::sys::{folder, process};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::fd::OwnedFd;

/// Looks between those for shared memory, which takes long to find.
const SHARED_EVERY: u32 = 8;
/// Sockets that cost nothing; what more there are is charged with a full buffer each.
const FREE_SOCKETS: u64 = 32;

/// A process, told apart from a later one of the same number by its start.
type Life = (u32, u64);

/// Watches one sandbox.
#[derive(Debug)]
pub struct Sampler {
    proc: OwnedFd,
    own_network: bool,
    looks: u32,
    shared: u64,
    /// CPU ticks of each living process when last seen, and of those that are gone.
    living: BTreeMap<Life, u64>,
    gone: u64,
}

impl Sampler {
    /// Watches through this `/proc`.
    pub fn new(proc: OwnedFd, own_network: bool) -> Self {
        Self { proc, own_network, looks: 0, shared: 0, living: BTreeMap::new(), gone: 0 }
    }

    /// What the processes use now.
    pub fn sample(&mut self) -> GroupUsage {
        if self.looks.is_multiple_of(SHARED_EVERY) {
            self.shared = self.shared_segments() + self.socket_buffers();
        }
        self.looks = self.looks.wrapping_add(1);
        let mut seen = Totals::default();
        let mut living = BTreeMap::new();
        for pid in self.processes() {
            if let Some(process) = self.process(pid) {
                if pid != 1 {
                    living.insert((pid, process.started), process.own_ticks);
                }
                seen.add(&process, pid);
            }
        }
        self.gone += self
            .living
            .iter()
            .filter(|(life, _)| !living.contains_key(life))
            .map(|(_, ticks)| ticks)
            .sum::<u64>();
        self.living = living;
        // What the dead have used is known from those who waited for them, or from our own looks: whoever saw more.
        let total = seen.waited_for.max(self.gone) + seen.user + seen.system;
        let user = total.saturating_sub(seen.system);
        let micros = |ticks: u64| ticks * 1_000_000 / process::ticks_per_second();
        GroupUsage {
            memory: Some(seen.private + self.shared.max(seen.shared)),
            user_micros: Some(micros(user)),
            system_micros: Some(micros(seen.system)),
            processes: Some(seen.threads),
            ..GroupUsage::default()
        }
    }

    /// Processes and threads, the first process left out.
    pub fn count(&self) -> u64 {
        let others = self.processes().filter(|pid| *pid != 1);
        others.filter_map(|pid| self.process(pid)).map(|process| process.threads).sum()
    }

    /// Interrupts the process group of the program: itself, and what it waits for. The program is the oldest but the
    /// first process, which is ours and hears nothing.
    pub fn interrupt(&self) {
        let group = |pid: u32| {
            let stat = folder::read_text(&self.proc, &format!("{pid}/stat")).ok()?;
            stat.rsplit_once(')')?.1.split_whitespace().nth(2)?.parse::<i64>().ok()
        };
        let others: Vec<u32> = self.processes().filter(|pid| *pid != 1).collect();
        let Some(foreground) = others.iter().min().and_then(|pid| group(*pid)) else { return };
        for pid in others.iter().filter(|pid| group(**pid) == Some(foreground)) {
            // One that has ended meanwhile needs no interrupt, and its number is nobody else's: the folder is its own.
            if let Ok(life) = folder::open_folder(&self.proc, OsStr::new(&pid.to_string())) {
                process::interrupt_by_handle(&life);
            }
        }
    }

    /// The size of all anonymous memory that processes share: pages that one has touched and let go of are in no
    /// process's resident set, and stay.
    fn shared_segments(&self) -> u64 {
        let mut segments = BTreeMap::new();
        for pid in self.processes() {
            let maps = folder::read_text(&self.proc, &format!("{pid}/maps")).unwrap_or_default();
            for line in maps.lines().filter(|line| line.ends_with("/dev/zero (deleted)")) {
                let mut fields = line.split_whitespace();
                let (range, inode) = (fields.next().unwrap_or_default(), fields.nth(3).unwrap_or_default());
                let bound = |text: &str| u64::from_str_radix(text, 16).unwrap_or(0);
                let size =
                    range.split_once('-').map_or(0, |(from, to)| bound(to).saturating_sub(bound(from)));
                let known = segments.entry(inode.to_string()).or_insert(0);
                *known = size.max(*known);
            }
        }
        segments.values().sum()
    }

    /// What the buffers of many sockets can hold. With the host's network its own sockets would be counted too.
    fn socket_buffers(&self) -> u64 {
        if !self.own_network {
            return 0;
        }
        let text = folder::read_text(&self.proc, "1/net/sockstat").unwrap_or_default();
        let used =
            text.lines().find_map(|line| line.strip_prefix("sockets: used ")?.trim().parse::<u64>().ok());
        let largest = std::fs::read_to_string("/proc/sys/net/core/wmem_max").unwrap_or_default();
        used.unwrap_or(0).saturating_sub(FREE_SOCKETS) * largest.trim().parse::<u64>().unwrap_or(212_992)
    }

    fn processes(&self) -> impl Iterator<Item = u32> + use<> {
        let names = folder::names(&self.proc).unwrap_or_default();
        names.into_iter().filter_map(|name| name.to_str()?.parse().ok())
    }

    fn process(&self, pid: u32) -> Option<Process> {
        let stat = folder::read_text(&self.proc, &format!("{pid}/stat")).ok()?;
        // The name in parentheses may hold anything, so count from the last one on; the state is field 3 of proc(5).
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let field =
            |number: usize| fields.get(number - 3).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        let status = folder::read_text(&self.proc, &format!("{pid}/status")).unwrap_or_default();
        let kibibytes = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key));
            line.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()).unwrap_or(0)
        };
        Some(Process {
            started: field(22),
            own_ticks: field(14) + field(15),
            system_ticks: field(15),
            waited_for_ticks: field(16) + field(17),
            threads: field(20).max(1),
            private: 1024 * (kibibytes("RssAnon:") + kibibytes("VmSwap:") + kibibytes("VmPTE:")),
            shared: 1024 * kibibytes("RssShmem:"),
        })
    }
}

struct Process {
    started: u64,
    own_ticks: u64,
    system_ticks: u64,
    waited_for_ticks: u64,
    threads: u64,
    private: u64,
    shared: u64,
}

#[derive(Default)]
struct Totals {
    private: u64,
    /// The largest share of any one process: shared memory counted for each would count many times.
    shared: u64,
    user: u64,
    system: u64,
    waited_for: u64,
    threads: u64,
}

impl Totals {
    /// Of the first process, which is ours, only what it inherited from the dead counts.
    fn add(&mut self, process: &Process, pid: u32) {
        self.waited_for += process.waited_for_ticks;
        if pid == 1 {
            return;
        }
        self.user += process.own_ticks - process.system_ticks;
        self.system += process.system_ticks;
        self.threads += process.threads;
        self.private += process.private;
        self.shared = self.shared.max(process.shared);
    }
}
