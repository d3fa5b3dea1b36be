//! From how a run ended to what that means.

use crate::job::End;
use formicary_jail::message::Ended;
use formicary_model::{Limits, Status, Violation, ViolationKind};
use std::collections::BTreeMap;
use std::time::Duration;

/// Why we ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Killed {
    /// The wall clock ran out.
    WallTime,
    /// CPU time ran out.
    CpuTime,
    /// We saw more memory than allowed.
    Memory,
    /// We saw more processes than allowed.
    Processes,
    /// It wrote too much.
    Output,
    /// The caller asked.
    Cancelled,
}

/// All that was seen of a run.
#[derive(Debug)]
pub struct Observed {
    /// Why we ended it, if we did.
    pub killed: Option<Killed>,
    /// How it ended.
    pub end: End,
    /// How long it ran.
    pub duration: Duration,
    /// Processes that the kernel killed for memory.
    pub memory_kills: u64,
    /// Forks that the kernel refused.
    pub forks_refused: u64,
    /// CPU time of all processes, as far as seen.
    pub cpu: Duration,
    /// Most processes and threads at one time, as far as seen.
    pub most_processes: u64,
    /// Largest resident set of one process.
    pub largest_resident: u64,
    /// Whether memory was watched rather than enforced.
    pub memory_is_watched: bool,
    /// Whether the disk was seen full.
    pub disk_full: bool,
    /// Packets that had nowhere to go.
    pub unroutable_packets: u64,
    /// System calls that were refused, with how often.
    pub refused_calls: BTreeMap<String, u64>,
    /// The first process's own account, unless it was killed too.
    pub ended: Option<Ended>,
}

/// How the payload's main process ended. Without an account, everything was killed.
pub fn end(ended: Option<&Ended>) -> End {
    let Some(ended) = ended else { return End::Signaled(libc::SIGKILL) };
    if libc::WIFSIGNALED(ended.wait_status) {
        End::Signaled(libc::WTERMSIG(ended.wait_status))
    } else {
        End::Exited(libc::WEXITSTATUS(ended.wait_status))
    }
}

/// What the program tried and was refused.
pub fn violations(observed: &Observed) -> Vec<Violation> {
    let one = |kind, what: &str, count| Violation { kind, what: what.into(), count };
    let mut list: Vec<Violation> = observed
        .refused_calls
        .iter()
        .map(|(name, count)| one(ViolationKind::SystemCall, name, *count))
        .collect();
    if observed.unroutable_packets > 0 {
        list.push(one(
            ViolationKind::Network,
            "traffic that would leave the sandbox",
            observed.unroutable_packets,
        ));
    }
    if observed.memory_kills > 0 || observed.killed == Some(Killed::Memory) {
        list.push(one(ViolationKind::Memory, "memory_bytes", observed.memory_kills.max(1)));
    }
    if observed.forks_refused > 0 || observed.killed == Some(Killed::Processes) {
        list.push(one(ViolationKind::Processes, "processes", observed.forks_refused.max(1)));
    }
    if observed.disk_full {
        list.push(one(ViolationKind::Disk, "disk_bytes or disk_inodes", 1));
    }
    if observed.end == End::Signaled(libc::SIGXFSZ) {
        list.push(one(ViolationKind::Disk, "file_size_bytes", 1));
    }
    if observed.killed == Some(Killed::Output) {
        list.push(one(ViolationKind::Output, "output_total_bytes", 1));
    }
    list
}

/// The verdict. What we or the kernel ended comes before what the program did itself.
pub fn status(observed: &Observed, limits: &Limits, violations: &[Violation]) -> Status {
    match observed.killed {
        Some(Killed::WallTime) => return Status::Timeout,
        Some(Killed::CpuTime) => return Status::CpuLimit,
        Some(Killed::Memory) => return Status::MemoryLimit,
        Some(Killed::Processes) => return Status::ProcessLimit,
        Some(Killed::Output) => return Status::OutputLimit,
        Some(Killed::Cancelled) | None => {}
    }
    let grew_too_large = observed.memory_is_watched && observed.largest_resident > limits.memory_bytes;
    if observed.memory_kills > 0 || grew_too_large {
        return Status::MemoryLimit;
    }
    match observed.end {
        End::Exited(0) => return Status::Success,
        // A program may raise this signal itself.
        End::Signaled(libc::SIGXCPU) if cpu_time(observed) >= limits.cpu() => return Status::CpuLimit,
        End::Signaled(libc::SIGXFSZ) => return Status::DiskLimit,
        End::Signaled(libc::SIGSYS) => return Status::Denied,
        _ => {}
    }
    // It failed by itself: was it because something was refused?
    let tried = |kind| violations.iter().any(|violation| violation.kind == kind);
    if tried(ViolationKind::Processes) {
        Status::ProcessLimit
    } else if tried(ViolationKind::Disk) {
        Status::DiskLimit
    } else if tried(ViolationKind::SystemCall) || tried(ViolationKind::Network) {
        Status::Denied
    } else if let End::Exited(_) = observed.end {
        Status::NonzeroExit
    } else {
        Status::Signaled
    }
}

fn cpu_time(observed: &Observed) -> Duration {
    let told = observed.ended.as_ref().map_or(0, |ended| ended.user_micros + ended.system_micros);
    observed.cpu.max(Duration::from_micros(told))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(end: End) -> Observed {
        Observed {
            killed: None,
            end,
            duration: Duration::ZERO,
            memory_kills: 0,
            forks_refused: 0,
            cpu: Duration::ZERO,
            most_processes: 1,
            largest_resident: 0,
            memory_is_watched: false,
            disk_full: false,
            unroutable_packets: 0,
            refused_calls: BTreeMap::new(),
            ended: None,
        }
    }

    fn check(change: impl FnOnce(&mut Observed), code: End, expected: Status) {
        let mut seen = observed(code);
        change(&mut seen);
        assert_eq!(status(&seen, &Limits::default(), &violations(&seen)), expected, "{seen:?}");
    }

    #[test]
    fn verdicts() {
        use End::{Exited, Signaled};
        check(|_| {}, Exited(0), Status::Success);
        check(|_| {}, Exited(3), Status::NonzeroExit);
        check(|_| {}, Signaled(11), Status::Signaled);
        check(|o| o.killed = Some(Killed::WallTime), Signaled(9), Status::Timeout);
        check(|o| o.memory_kills = 1, Exited(0), Status::MemoryLimit);
        check(|o| o.memory_kills = 1, Signaled(9), Status::MemoryLimit);
        check(|o| o.forks_refused = 1, Exited(0), Status::Success);
        check(|o| o.forks_refused = 1, Exited(1), Status::ProcessLimit);
        check(|o| o.disk_full = true, Exited(0), Status::Success);
        check(|o| o.disk_full = true, Exited(1), Status::DiskLimit);
        check(|o| o.unroutable_packets = 2, Exited(1), Status::Denied);
        check(|_| {}, Signaled(libc::SIGXFSZ), Status::DiskLimit);
        check(|o| o.cpu = Duration::from_secs(30), Signaled(libc::SIGXCPU), Status::CpuLimit);
        check(|_| {}, Signaled(libc::SIGXCPU), Status::Signaled);
        check(|_| {}, Signaled(libc::SIGSYS), Status::Denied);
    }

    #[test]
    fn watched_memory_is_judged_after_the_fact_too() {
        let seen =
            Observed { memory_is_watched: true, largest_resident: 1 << 40, ..observed(End::Exited(0)) };
        assert_eq!(status(&seen, &Limits::default(), &[]), Status::MemoryLimit);
    }
}
