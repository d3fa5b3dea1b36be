//! The process table: who is there, what they use, and ending them.

use formicary_guest::message::run::Reach;
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::time::{Duration, Instant};

/// One line of the table.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    parent: u32,
    group: u64,
    zombie: bool,
    /// CPU time in user mode, its own and of the children it waited for, in ticks.
    pub user: u64,
    /// CPU time in the kernel, likewise.
    pub system: u64,
    /// Threads.
    pub threads: u64,
    /// Resident pages.
    pub resident: u64,
}

/// A small file of the kernel's by a single call: in a guest every call costs.
pub fn read_at_once(path: &str) -> io::Result<String> {
    let mut buffer = vec![0; 8192];
    let count = File::open(path)?.read(&mut buffer)?;
    buffer.truncate(count);
    Ok(String::from_utf8_lossy(&buffer).into_owned())
}

/// The table, as far as it can be read.
pub fn table() -> BTreeMap<u32, Line> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return BTreeMap::new() };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter_map(|pid| Some((pid, line(pid)?))).collect()
}

/// One process's line.
pub fn line(pid: u32) -> Option<Line> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse(&String::from_utf8_lossy(&stat))
}

fn parse(stat: &str) -> Option<Line> {
    // The name may hold anything, parentheses too: the fields begin after the last one.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let number = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
    Some(Line {
        parent: number(1) as u32,
        group: number(2),
        zombie: matches!(fields.first(), Some(&"Z" | &"X")),
        user: number(11) + number(13),
        system: number(12) + number(14),
        threads: number(17),
        resident: number(21),
    })
}

/// Those of the table that are within reach, the living ones.
pub fn within(reach: Reach, table: &BTreeMap<u32, Line>) -> Vec<u32> {
    let own = std::process::id();
    let is_below = |pid: u32| {
        let mut at = pid;
        for _ in 0..table.len() {
            match table.get(&at).map(|line| line.parent) {
                Some(parent) if parent == own => return true,
                Some(parent) => at = parent,
                None => return false,
            }
        }
        false
    };
    let counts = |pid: u32| match reach {
        Reach::Everybody => pid != own,
        Reach::Descendants => is_below(pid),
    };
    table.iter().filter(|(pid, line)| !line.zombie && counts(**pid)).map(|(pid, _)| *pid).collect()
}

/// Ends all within reach: first they are stopped, until nobody new appears, so that none can outrun us.
pub fn end(reach: Reach) {
    let mut known = 0;
    for _ in 0..64 {
        let there = within(reach, &table());
        there.iter().for_each(|pid| signal(*pid, Signal::STOP));
        if there.len() <= known {
            break;
        }
        known = there.len();
    }
    within(reach, &table()).into_iter().for_each(|pid| signal(pid, Signal::KILL));
}

/// Interrupts the program, which is the oldest within reach, and what of its process group it may wait for.
pub fn interrupt(reach: Reach) {
    let table = table();
    let there = within(reach, &table);
    let group = |pid: &u32| table.get(pid).map(|line| line.group);
    let foreground = there.iter().min().and_then(group);
    there.iter().filter(|pid| group(pid) == foreground).for_each(|pid| signal(*pid, Signal::INT));
}

fn signal(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, signal);
    }
}

/// Waits for the program's main process, reaping everyone else on the way.
pub fn wait_for(main: u32) -> Option<WaitStatus> {
    loop {
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid.as_raw_pid() as u32 == main => return Some(status),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

/// What came of reaping.
#[derive(Debug, PartialEq, Eq)]
pub enum Reaped {
    /// The program's main process, with how it ended; others may be left.
    Main(i32),
    /// All that had ended, the main process not among them.
    All,
    /// As many as were asked for, and there may be more.
    More,
}

/// Reaps those that have ended, so many at the most.
pub fn reap(main: u32, most: usize) -> Reaped {
    for _ in 0..most {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid.as_raw_pid() as u32 == main => {
                return Reaped::Main(status.as_raw());
            }
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
            // Who reaped it, if not we? It has ended, and nobody knows how.
            Err(rustix::io::Errno::CHILD) => return Reaped::Main(Signal::KILL.as_raw()),
            Ok(None) | Err(_) => return Reaped::All,
        }
    }
    Reaped::More
}

/// Ends and reaps until nobody is left, or until `patience` is over; whether there was anybody.
pub fn end_and_reap(reach: Reach, patience: Duration) -> bool {
    let mut deadline = None;
    let mut were_there = false;
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            // Nobody is below us any more.
            Err(rustix::io::Errno::CHILD) => return were_there,
            Ok(Some(_)) => {
                were_there = true;
                continue;
            }
            _ => were_there = true,
        }
        if Instant::now() > *deadline.get_or_insert_with(|| Instant::now() + patience) {
            return were_there;
        }
        end(reach);
        std::thread::sleep(Duration::from_millis(1));
    }
}
