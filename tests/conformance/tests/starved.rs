//! A host that is out of namespaces or of memory: every run is right or refused with the reason, nothing waits for ever,
//! and when the host has room again, so have the runs.
//!
//! The small host is a user namespace with limits of its own, in which this very test program is started once more.
#![expect(clippy::disallowed_types, reason = "the test starts itself once more, in a namespace")]

use formicary_model::{Failure, Status};
use formicary_sandbox::providers::native::{Native, NativeSettings, PoolSettings};
use formicary_sandbox::{Cancel, Job, Outcome, Provider, RunIo, SandboxError, Stdin, Warmth};
use std::process::Command;
use std::sync::Mutex;

const LIMIT: &str = "/proc/sys/user/max_user_namespaces";

#[test]
fn out_of_namespaces() {
    passes_in_a_small_host("inside::few_namespaces", &format!("echo 3 > {LIMIT}")).unwrap();
}

#[test]
fn out_of_memory() {
    // What the jail maps for itself is more than this.
    passes_in_a_small_host("inside::little_memory", "true").unwrap();
}

/// Starts one of the tests below in a user namespace, where `first` is done before.
fn passes_in_a_small_host(test: &str, first: &str) -> Result<(), String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let done = Command::new("unshare")
        .args("--user --map-root-user --mount --pid --fork --kill-child --mount-proc sh -c".split(' '))
        .arg(format!("{first} && exec timeout 120 \"$0\" --exact {test} --ignored --nocapture"))
        .arg(this)
        .output()
        .map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
    if done.status.success() && said.contains("1 passed") { Ok(()) } else { Err(said.into_owned()) }
}

/// What happens in the small host. Nobody starts these directly.
mod inside {
    use super::*;

    fn native() -> Native {
        let pool = Some(PoolSettings { waiting: 2, ..PoolSettings::default() });
        Native::new(NativeSettings { without_cgroups: true, pool })
    }

    fn run(native: &Native) -> Result<Outcome, SandboxError> {
        let mut job = Job::new(["/bin/echo", "here"]);
        job.warmth = Warmth::Sandbox;
        job.assurance = formicary_model::Assurance::BestEffort;
        let io = RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut |_| {}, cancel: Cancel::default() };
        native.run(&job, io)
    }

    fn is_right(outcome: &Outcome) -> bool {
        outcome.status == Status::Success && outcome.stdout.head == b"here\n"
    }

    #[test]
    #[ignore = "started by out_of_namespaces"]
    fn few_namespaces() {
        let native = native();
        let answers = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| (0..4).for_each(|_| answers.lock().unwrap().push(run(&native))));
            }
        });
        for answer in answers.into_inner().unwrap() {
            match answer {
                Ok(outcome) => assert!(is_right(&outcome), "{outcome:?}"),
                Err(error) => {
                    let failure = Failure::from(error);
                    assert!(format!("{failure:?}").contains("out of namespaces"), "{failure:?}");
                }
            }
        }
        std::fs::write(LIMIT, "1000").unwrap();
        for _ in 0..4 {
            assert!(is_right(&run(&native).unwrap()));
        }
    }

    #[test]
    #[ignore = "started by out_of_memory"]
    fn little_memory() {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let native = native();
        assert!(is_right(&run(&native).unwrap()));
        let before = getrlimit(Resource::As);
        setrlimit(Resource::As, Rlimit { current: Some(96 * 1024), ..before }).unwrap();
        let starved: Vec<_> = (0..4).map(|_| run(&native)).collect();
        setrlimit(Resource::As, before).unwrap();
        // One that stood ready before needs no more memory.
        for answer in starved {
            assert!(answer.map_or(true, |outcome| is_right(&outcome)));
        }
        assert!(is_right(&run(&native).unwrap()));
    }
}
