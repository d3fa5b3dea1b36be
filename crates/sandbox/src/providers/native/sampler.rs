//! Watching a sandbox's processes through its own `/proc`, where no cgroup counts for us.
//!
//! What cannot be seen there is refused to the payload (see the jail's refusals) or charged at what it can hold.

use super::kernel_memory::{self, Objects, Segments};
use crate::cgroups::GroupUsage;
use crate::sys::{folder, process};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// Looks between those for what takes long to find.
const SLOW_EVERY: u32 = 8;
/// How much longer than such a look takes the next one is put off: a program that makes it slow must not keep us busy.
const REST: u32 = 4;
/// What holds so large a part of what is enough may soon hold all: it is looked at as often as looking itself allows.
const SHARE_OF_MUCH: u64 = 4;

/// A process, told apart from a later one of the same number by its start.
type Life = (u32, u64);

/// What the kernel holds for a program in no group's account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Beside {
    /// Bytes.
    pub bytes: u64,
    /// Whether there are more file locks than any program needs.
    pub too_many_locks: bool,
}

/// Watches one sandbox.
#[derive(Debug)]
pub struct Sampler {
    proc: OwnedFd,
    own_network: bool,
    enough: u64,
    /// Looks since the last slow one.
    looks: u32,
    /// When the next slow look may be.
    rested: Option<Instant>,
    /// What the last slow look found.
    objects: u64,
    beside: Beside,
    segments: Segments,
    /// The number that the last process or thread of the sandbox was given, at the last look.
    last_process: Option<u64>,
    /// Whether a process shared its table of open files: then locks are looked for by file.
    files_are_shared: bool,
    /// CPU ticks of each living process when last seen, and of those that are gone.
    living: BTreeMap<Life, u64>,
    gone: u64,
}

impl Sampler {
    /// Watches through this `/proc`.
    ///
    /// A look need not go on once it has found more than `enough` bytes.
    pub fn new(proc: OwnedFd, own_network: bool, enough: u64) -> Self {
        Self {
            proc,
            own_network,
            enough,
            looks: SLOW_EVERY,
            rested: None,
            objects: 0,
            beside: Beside::default(),
            segments: Segments::default(),
            last_process: None,
            files_are_shared: false,
            living: BTreeMap::new(),
            gone: 0,
        }
    }

    /// A process is about to map so much anonymous memory that others can share.
    pub fn shared_memory_asked_for(&mut self, bytes: u64) {
        self.segments.asked_for(bytes);
    }

    /// A process is about to start another that shares its table of open files.
    pub fn files_shared(&mut self) {
        self.files_are_shared = true;
    }

    /// What no group's account holds, looked at now and then. With `sockets_are_counted`, buffers of internet sockets are
    /// in the account, or have a bound.
    pub fn beside_the_group(&mut self, sockets_are_counted: bool) -> Beside {
        let mut found = self.locks();
        if self.own_network {
            found.bytes += kernel_memory::netlink(&self.proc);
            if !sockets_are_counted {
                found.bytes += kernel_memory::sockets(&self.proc);
            }
        }
        found
    }

    /// File locks, looked at now and then.
    pub fn locks(&mut self) -> Beside {
        if self.is_rested() {
            let began = Instant::now();
            let locks = if self.files_are_shared {
                self.processes().map(|pid| kernel_memory::locks_by_file(&self.proc, &self.place(pid))).sum()
            } else {
                kernel_memory::locks(&self.proc)
            };
            self.beside = kernel_memory::charge_locks(locks);
            self.rest(began.elapsed());
        }
        self.beside
    }

    fn holds_much(&self) -> bool {
        self.objects >= self.enough / SHARE_OF_MUCH
    }

    fn is_rested(&self) -> bool {
        self.rested.is_none_or(|rested| Instant::now() >= rested)
    }

    fn rest(&mut self, taken: Duration) {
        self.rested = Some(Instant::now() + taken * REST);
    }

    /// What the processes use now.
    pub fn sample(&mut self) -> GroupUsage {
        let between = if self.holds_much() { 1 } else { SLOW_EVERY };
        if self.looks >= between && self.is_rested() {
            let began = Instant::now();
            self.objects = self.look_for_objects();
            self.looks = 0;
            let taken = began.elapsed();
            self.rest(if self.holds_much() { taken / REST } else { taken });
        }
        self.looks = self.looks.saturating_add(1);
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
            memory: Some(seen.private + self.objects + self.segments.charge().max(seen.shared)),
            user_micros: Some(micros(user)),
            system_micros: Some(micros(seen.system)),
            processes: Some(seen.threads),
            ..GroupUsage::default()
        }
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

    /// What the kernel holds for all processes, and which shared memory is still there.
    fn look_for_objects(&mut self) -> u64 {
        self.segments.begin();
        let mut objects = Objects::up_to(self.enough);
        let parents: BTreeMap<u32, u32> =
            self.processes().filter_map(|pid| Some((pid, self.process(pid)?.parent))).collect();
        for pid in parents.keys() {
            objects.look(&self.proc, &self.place(*pid), ancestors(*pid, &parents));
        }
        // Numbers are given out one after another: a new one means a new process, or a thread.
        let last = kernel_memory::last_process(&self.proc);
        if last.is_none() || last != self.last_process {
            self.segments.process_started();
        }
        self.last_process = last;
        self.segments.seen(&objects.segments);
        let sockets = if self.own_network { kernel_memory::sockets(&self.proc) } else { 0 };
        objects.charge() + sockets
    }

    /// Where a process can be looked at: its first thread may have ended, and then has no memory and no files any more.
    fn place(&self, pid: u32) -> String {
        let place = pid.to_string();
        let lives = |place: &str| {
            folder::read_text(&self.proc, &format!("{place}/status"))
                .is_ok_and(|status| status.lines().any(|line| line.starts_with("RssAnon:")))
        };
        if lives(&place) {
            return place;
        }
        let threads = folder::open_folder(&self.proc, OsStr::new(&format!("{pid}/task")));
        let threads = threads.and_then(|threads| folder::names(&threads)).unwrap_or_default();
        let places = threads.iter().filter_map(|thread| Some(format!("{pid}/task/{}", thread.to_str()?)));
        places.into_iter().find(|place| lives(place)).unwrap_or(place)
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
        let mut status = folder::read_text(&self.proc, &format!("{pid}/status")).unwrap_or_default();
        let threads = field(20).max(1);
        if threads > 1 && !status.contains("\nRssAnon:") {
            let place = self.place(pid);
            status = folder::read_text(&self.proc, &format!("{place}/status")).unwrap_or_default();
        }
        let kibibytes = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key));
            line.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()).unwrap_or(0)
        };
        Some(Process {
            parent: field(4) as u32,
            started: field(22),
            own_ticks: field(14) + field(15),
            system_ticks: field(15),
            waited_for_ticks: field(16) + field(17),
            threads,
            private: 1024 * (kibibytes("RssAnon:") + kibibytes("VmSwap:") + kibibytes("VmPTE:")),
            shared: 1024 * kibibytes("RssShmem:"),
        })
    }
}

/// How many processes above this one are in the sandbox, the first left out.
fn ancestors(pid: u32, parents: &BTreeMap<u32, u32>) -> u64 {
    let mut above = 0;
    let mut at = pid;
    while let Some(parent) = parents.get(&at).filter(|parent| **parent > 1 && above < parents.len() as u64) {
        above += 1;
        at = *parent;
    }
    above
}

struct Process {
    parent: u32,
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
