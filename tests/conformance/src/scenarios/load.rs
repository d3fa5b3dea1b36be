//! Many runs: at once, one after another, and one that never stops writing.

use super::{Scenario, Stage};
use crate::case::Case;
use crate::protected::{GRACE, start};
use crate::providers::{Company, Tested};
use crate::scene::Scene;
use formicary_model::{Protection, Status};
use formicary_sandbox::{End, Outcome};
use formicary_testkit::Leftovers;
use formicary_testkit::leftovers::Places;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(super) fn scenarios() -> Vec<Scenario> {
    vec![
        Scenario { name: "load::two_hundred_at_once", needs: &[], run: |p, _| two_hundred_at_once(p) },
        Scenario { name: "load::flood_keeps_memory_flat", needs: &[Protection::Output], run: flood },
        Scenario {
            name: "load::nothing_left_after_many_runs",
            needs: &[Protection::CleanUp],
            run: nothing_left,
        },
    ]
}

/// Every fifth run ends in its own way; each must get its own verdict and its own output.
fn two_hundred_at_once(tested: &Tested) -> Result<(), String> {
    // A second kernel or an engine for each is far more than two cores can carry at once; and what is slow there shows
    // nothing that fewer would not.
    let runs: usize = if tested.company == Company::Alone { 200 } else { 12 };
    let scene = Scene::new().map_err(|error| error.to_string())?;
    let mut job = Case::bash("parallel", include_str!("../../programs/bash/many_ends.sh")).job(&scene)?;
    // Two cores for two hundred: what is right must not depend on how long it takes.
    (job.limits.wall_seconds, job.limits.cpu_seconds, job.limits.memory_bytes) = (120.0, 60.0, 64 << 20);
    let places = Places::default();
    let before = Leftovers::now(&places);
    let one = &|number: usize| -> Result<(), String> {
        let mut job = job.clone();
        job.env.push(("NUMBER".into(), number.to_string()));
        let outcome = start(tested.provider.as_ref(), &job, number.to_string().into_bytes())?;
        judge(number, &outcome)
            .map_err(|what| format!("run {number}: {what}\n{}", crate::expect::describe(&outcome)))
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..runs).map(|number| scope.spawn(move || one(number))).collect();
        threads
            .into_iter()
            .filter_map(|thread| thread.join().unwrap_or_else(|_| Err("a thread panicked".into())).err())
            .collect()
    });
    if let Some(first) = wrong.first() {
        return Err(format!("{} of {runs} went wrong; the first: {first}", wrong.len()));
    }
    before.settle(&places, GRACE)
}

fn judge(number: usize, outcome: &Outcome) -> Result<(), String> {
    let (status, end) = match number % 5 {
        0 | 1 => (Status::Success, Some(End::Exited(0))),
        2 => (Status::NonzeroExit, Some(End::Exited(3))),
        3 => (Status::Signaled, Some(End::Signaled(6))),
        _ => (Status::OutputLimit, None),
    };
    if outcome.status != status || end.is_some_and(|end| end != outcome.end) {
        return Err(format!("expected {status}"));
    }
    let first = outcome.stdout.head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if first == format!("{number} {number}").as_bytes() {
        Ok(())
    } else {
        Err("output of another run, or none".into())
    }
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Hundreds of megabytes go by; the controller keeps what it may and stays as it was.
fn flood(tested: &Tested, stage: &Stage) -> Result<(), String> {
    let scene = Scene::new().map_err(|error| error.to_string())?;
    let mut job =
        Case::python("flood", "import os\nwhile True: os.write(1, b'x' * 65536); os.write(2, b'y' * 65536)")
            .job(&scene)?;
    let total: u64 = if stage.long { 4 << 30 } else { 512 << 20 };
    (job.limits.output_total_bytes, job.limits.output_bytes) = (total, 1 << 20);
    (job.limits.wall_seconds, job.limits.cpu_seconds) = (120.0, 120.0);
    let before = resident_kib();
    let largest = AtomicUsize::new(0);
    let mut seen = 0_usize;
    let mut watch = |progress: formicary_sandbox::Progress<'_>| {
        if let formicary_sandbox::Progress::Output(_, bytes) = progress {
            seen += bytes.len();
            // Once for every 16 MiB or so: to look is not free.
            if seen & !0xff_ffff != (seen - bytes.len()) & !0xff_ffff {
                largest.fetch_max(resident_kib() as usize, Ordering::Relaxed);
            }
        }
    };
    let io = formicary_sandbox::RunIo {
        stdin: formicary_sandbox::Stdin::Bytes(Vec::new()),
        watch: &mut watch,
        cancel: Default::default(),
    };
    let outcome = tested.provider.run(&job, io).map_err(|error| error.to_string())?;
    if outcome.status != Status::OutputLimit {
        return Err(crate::expect::describe(&outcome));
    }
    let grown = (largest.load(Ordering::Relaxed) as u64).saturating_sub(before);
    // Two streams of at most 1 MiB kept, copies of them, buffers: 32 MiB is generous, and nothing beside what flowed by.
    if grown > 32 << 10 {
        Err(format!("the controller grew by {grown} KiB while {seen} bytes flowed by"))
    } else {
        Ok(())
    }
}

fn nothing_left(tested: &Tested, stage: &Stage) -> Result<(), String> {
    let runs = match (stage.long, tested.company) {
        (true, _) => 1000,
        (false, Company::Alone) => 100,
        (false, Company::Several) => 8,
    };
    let scene = Scene::new().map_err(|error| error.to_string())?;
    let case =
        Case::bash("left", include_str!("../../programs/bash/leave_everything.sh")).collect(&["*.txt"]);
    let job = case.job(&scene)?;
    let places = Places::default();
    start(tested.provider.as_ref(), &job, Vec::new())?;
    let before = Leftovers::now(&places);
    let resident = resident_kib();
    for number in 0..runs {
        let outcome = start(tested.provider.as_ref(), &job, vec![b'x'; 1000])?;
        if outcome.status != Status::Success {
            return Err(format!("run {number}\n{}", crate::expect::describe(&outcome)));
        }
    }
    let grown = resident_kib().saturating_sub(resident);
    if grown > 16 << 10 {
        return Err(format!("the controller grew by {grown} KiB in {runs} runs"));
    }
    before.settle(&places, GRACE)
}
