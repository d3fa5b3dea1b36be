//! Two sandboxes at once, and one after another: neither may see anything of the other.

use super::Scenario;
use crate::case::Case;
use crate::expect::describe;
use crate::program::{Program, SYSTEM_CALLS};
use crate::protected::start;
use crate::providers::Tested;
use crate::scene::Scene;
use formicary_model::{Protection, Status};
use formicary_sandbox::provider::{Progress, Stdin};
use formicary_sandbox::{Cancel, Job, Outcome, RunIo};
use std::sync::mpsc;

pub(super) fn scenarios() -> Vec<Scenario> {
    vec![
        Scenario {
            name: "interference::two_at_once",
            needs: &[Protection::Processes, Protection::Ipc, Protection::Network, Protection::Files],
            run: |p, _| two_at_once(p),
        },
        Scenario {
            name: "interference::nothing_persists",
            needs: &[Protection::Files, Protection::Ipc],
            run: |p, _| nothing_persists(p),
        },
        Scenario {
            name: "interference::keyring_does_not_persist",
            needs: &[Protection::SystemCalls],
            run: |p, _| keyring(p),
        },
    ]
}

/// The first stakes a claim on everything that has a name and waits; the second looks for it.
fn two_at_once(tested: &Tested) -> Result<(), String> {
    let scene = Scene::new().map_err(|error| error.to_string())?;
    let job = |role: &str| -> Result<Job, String> {
        let mut job = Case::python("claims", include_str!("../../programs/python/claims.py"))
            .env("ROLE", role)
            .job(&scene)?;
        job.limits.wall_seconds = 20.0;
        Ok(job)
    };
    let (first, second) = (job("stake")?, job("look")?);
    let (reader, writer) = std::io::pipe().map_err(|error| error.to_string())?;
    let (told, staked) = mpsc::channel();
    let background = tested.provider.clone();
    let holder = std::thread::spawn(move || {
        let mut seen = Vec::new();
        let mut watch = |progress: Progress<'_>| {
            if let Progress::Output(_, bytes) = progress {
                seen.extend_from_slice(bytes);
                if seen.windows(6).any(|window| window == b"STAKED") {
                    let _ = told.send(());
                }
            }
        };
        background.run(
            &first,
            RunIo { stdin: Stdin::Reader(Box::new(reader)), watch: &mut watch, cancel: Cancel::default() },
        )
    });
    let ready = staked.recv_timeout(std::time::Duration::from_secs(15));
    let looked = ready.is_ok().then(|| start(tested.provider.as_ref(), &second, Vec::new()));
    drop(writer);
    let held = holder
        .join()
        .map_err(|_| "the first sandbox's thread panicked")?
        .map_err(|error| error.to_string())?;
    let Some(looked) = looked else {
        return Err(format!("the first sandbox staked nothing\n{}", describe(&held)));
    };
    refused(&looked?)?;
    if held.status == Status::Success {
        Ok(())
    } else {
        Err(format!("the first sandbox was disturbed\n{}", describe(&held)))
    }
}

fn refused(outcome: &Outcome) -> Result<(), String> {
    crate::expect::Expect::refused().verify(outcome)
}

fn twice(tested: &Tested, program: Program) -> Result<(), String> {
    let scene = Scene::new().map_err(|error| error.to_string())?;
    let case = Case::new("twice", program);
    for _ in 0..2 {
        refused(&start(tested.provider.as_ref(), &case.job(&scene)?, Vec::new())?)?;
    }
    Ok(())
}

fn nothing_persists(tested: &Tested) -> Result<(), String> {
    twice(tested, Program::Python(include_str!("../../programs/python/persist.py")))
}

fn keyring(tested: &Tested) -> Result<(), String> {
    twice(tested, Program::C(&SYSTEM_CALLS, "keyring_across"))
}
