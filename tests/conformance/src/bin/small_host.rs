//! Runs programs on a host that has too little of something: every run is right or refused with the reason, nothing waits for
//! ever, and when the host has room again, so have the runs. The conformance suite makes such a host and starts this in it.

use formicary_model::{Assurance, Failure, Status};
use formicary_sandbox::providers::native::{Native, NativeSettings, PoolSettings};
use formicary_sandbox::{Cancel, Job, Outcome, Provider as _, RunIo, SandboxError, Stdin, Warmth};
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

const NAMESPACES: &str = "/proc/sys/user/max_user_namespaces";

fn main() -> ExitCode {
    let done = match std::env::args().nth(1).as_deref() {
        Some("few-namespaces") => few_namespaces(),
        Some("few-processes") => few_processes(),
        Some("little-memory") => little_memory(),
        other => Err(format!("no scenario named {other:?}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "{why}");
            ExitCode::FAILURE
        }
    }
}

fn native(without_cgroups: bool) -> Native {
    let pool = Some(PoolSettings { waiting: 2, ..PoolSettings::default() });
    Native::new(NativeSettings { without_cgroups, pool })
}

fn run(native: &Native) -> Result<Outcome, SandboxError> {
    let mut job = Job::new(["/bin/echo", "here"]);
    job.warmth = Warmth::Sandbox;
    run_job(native, job)
}

fn run_job(native: &Native, mut job: Job) -> Result<Outcome, SandboxError> {
    job.assurance = Assurance::BestEffort;
    let io = RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut |_| {}, cancel: Cancel::default() };
    native.run(&job, io)
}

fn is_right(outcome: &Outcome) -> Result<(), String> {
    let right = outcome.status == Status::Success && outcome.stdout.head == b"here\n";
    if right { Ok(()) } else { Err(format!("{outcome:?}")) }
}

fn runs(native: &Native) -> Result<(), String> {
    is_right(&run(native).map_err(|error| error.to_string())?)
}

/// Several callers at once, a few times each.
fn crowd(each: impl Fn() -> Result<Outcome, SandboxError> + Sync) -> Vec<Result<Outcome, SandboxError>> {
    let answers = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..6 {
            let caller = || {
                for _ in 0..4 {
                    let answer = each();
                    answers.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
                }
            };
            // On a host without processes there may be no thread either: fewer callers, then.
            drop(std::thread::Builder::new().spawn_scoped(scope, caller));
        }
    });
    answers.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Each is right, or was refused for this reason.
fn right_or_refused(answers: Vec<Result<Outcome, SandboxError>>, reason: &str) -> Result<(), String> {
    for answer in answers {
        match answer {
            Ok(outcome) => is_right(&outcome)?,
            Err(error) => {
                let told = format!("{:?}", Failure::from(error));
                if !told.contains(reason) {
                    return Err(told);
                }
            }
        }
    }
    Ok(())
}

fn few_namespaces() -> Result<(), String> {
    let native = native(true);
    right_or_refused(crowd(|| run(&native)), "out of namespaces")?;
    std::fs::write(NAMESPACES, "1000").map_err(|error| error.to_string())?;
    (0..4).try_for_each(|_| runs(&native))
}

/// The host refuses forks, as it does when it has no memory for them.
fn few_processes() -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let native = native(true);
    let before = getrlimit(Resource::Nproc);
    let mut refused = 0;
    // From a host on which nothing can be started to one on which some can.
    for most in [1, 2, 3, 5, 8, 12, 20] {
        setrlimit(Resource::Nproc, Rlimit { current: Some(most), ..before })
            .map_err(|error| error.to_string())?;
        let answers = crowd(|| run(&native)).into_iter().chain([run(&native)]).collect::<Vec<_>>();
        refused += answers.iter().filter(|answer| answer.is_err()).count();
        right_or_refused(answers, "out of processes")?;
    }
    if refused == 0 {
        return Err("the host had enough of everything".into());
    }
    setrlimit(Resource::Nproc, before).map_err(|error| error.to_string())?;
    (0..4).try_for_each(|_| runs(&native))
}

/// Programs may use more than the host has: the kernel ends them, and never who watches over them.
fn little_memory() -> Result<(), String> {
    let native = native(false);
    runs(&native)?;
    let glutton = || {
        let mut job = Job::new(["/usr/bin/tail", "/dev/zero"]);
        job.limits.memory_bytes = 4 << 30;
        run_job(&native, job)
    };
    std::thread::scope(|scope| {
        let gluttons: Vec<_> = (0..2).map(|_| scope.spawn(glutton)).collect();
        let modest = crowd(|| run(&native));
        for glutton in gluttons {
            let ended = glutton.join().map_err(|_| "it fell over".to_string())?;
            match ended.map_err(|error| error.to_string())? {
                ended if ended.status == Status::MemoryLimit => {}
                other => return Err(format!("{other:?}")),
            }
        }
        // Who is small may be hit beside who is large; what was not is right.
        for answer in modest {
            match answer {
                Ok(outcome) if outcome.status == Status::MemoryLimit => {}
                Ok(outcome) => is_right(&outcome)?,
                Err(error) => right_or_refused(vec![Err(error)], "memory")?,
            }
        }
        Ok(())
    })?;
    (0..4).try_for_each(|_| runs(&native))
}
