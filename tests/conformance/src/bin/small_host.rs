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

fn native() -> Native {
    let pool = Some(PoolSettings { waiting: 2, ..PoolSettings::default() });
    Native::new(NativeSettings { without_cgroups: true, pool })
}

fn run(native: &Native) -> Result<Outcome, SandboxError> {
    let mut job = Job::new(["/bin/echo", "here"]);
    job.warmth = Warmth::Sandbox;
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

fn few_namespaces() -> Result<(), String> {
    let native = native();
    let answers = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                for _ in 0..4 {
                    let answer = run(&native);
                    answers.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
                }
            });
        }
    });
    for answer in answers.into_inner().unwrap_or_else(PoisonError::into_inner) {
        match answer {
            Ok(outcome) => is_right(&outcome)?,
            Err(error) => {
                let told = format!("{:?}", Failure::from(error));
                if !told.contains("out of namespaces") {
                    return Err(told);
                }
            }
        }
    }
    std::fs::write(NAMESPACES, "1000").map_err(|error| error.to_string())?;
    (0..4).try_for_each(|_| runs(&native))
}
