//! A controller that is killed in the middle of its runs: nothing keeps running, and the next start sweeps what is left.
#![expect(clippy::disallowed_types, reason = "the scenario starts a controller in order to kill it")]

use super::{Scenario, Stage};
use crate::case::Case;
use crate::protected::{GRACE, start};
use crate::providers::Tested;
use crate::scene::Scene;
use formicary_model::Protection;
use formicary_testkit::Leftovers;
use formicary_testkit::leftovers::Places;
use rustix::process::{WaitOptions, wait};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub(super) fn scenarios() -> Vec<Scenario> {
    vec![
        Scenario {
            name: "controller::killed_after_the_start",
            needs: &[Protection::CleanUp],
            run: killed_after_the_start,
        },
        Scenario {
            name: "controller::killed_at_any_moment",
            needs: &[Protection::CleanUp],
            run: killed_at_any_moment,
        },
        Scenario {
            name: "controller::reader_of_results_is_gone",
            needs: &[Protection::CleanUp],
            run: output_closed,
        },
    ]
}

fn rounds(stage: &Stage) -> u32 {
    if stage.long { 50 } else { 5 }
}

fn controller(tested: &Tested, stage: &Stage) -> Command {
    let mut command = Command::new(&stage.controller);
    command.arg(tested.label).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Everybody below must be gone by himself; files and groups may wait for the next start, which is the run at the end.
fn nothing_after_the_sweep(tested: &Tested, before: &Leftovers, places: &Places) -> Result<(), String> {
    let deadline = Instant::now() + GRACE;
    loop {
        // Orphans came to this process, which is their reaper.
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
        let now = Leftovers::now(places);
        let alive: Vec<_> = now
            .beyond(before)
            .filter(|what| what.starts_with("process") || what.starts_with("mount"))
            .collect();
        if alive.is_empty() {
            break;
        }
        if Instant::now() > deadline {
            return Err(format!("outlived the controller: {}", alive.join("; ")));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    sweep(tested)?;
    before.settle(places, GRACE)
}

/// What the next start does.
fn sweep(tested: &Tested) -> Result<(), String> {
    let fresh = crate::providers::anew(tested.label).ok_or("the provider is gone")?;
    let scene = Scene::new().map_err(|error| error.to_string())?;
    start(fresh.provider.as_ref(), &Case::bash("next", "exit 0").job(&scene)?, Vec::new()).map(drop)
}

fn killed_after_the_start(tested: &Tested, stage: &Stage) -> Result<(), String> {
    sweep(tested)?;
    let mut places = Places::default();
    let before = Leftovers::now(&places);
    for round in 0..rounds(stage) {
        let mut child = controller(tested, stage).spawn().map_err(|error| error.to_string())?;
        places.owners.push(child.id());
        let mut lines = BufReader::new(child.stdout.take().ok_or("no output")?).lines();
        let started = lines.by_ref().map_while(Result::ok).find(|line| line == "STARTED");
        let _ = child.kill();
        child.wait().map_err(|error| error.to_string())?;
        started.ok_or(format!("round {round}: the controller never started a run"))?;
    }
    nothing_after_the_sweep(tested, &before, &places)
}

fn killed_at_any_moment(tested: &Tested, stage: &Stage) -> Result<(), String> {
    sweep(tested)?;
    let mut places = Places::default();
    let before = Leftovers::now(&places);
    for round in 0..rounds(stage) {
        let mut child = controller(tested, stage).spawn().map_err(|error| error.to_string())?;
        places.owners.push(child.id());
        // Any moment will do, and they should differ: before, during and after the set-up of a sandbox.
        std::thread::sleep(Duration::from_micros(u64::from(round) * 3_700 % 40_000));
        let _ = child.kill();
        child.wait().map_err(|error| error.to_string())?;
    }
    nothing_after_the_sweep(tested, &before, &places)
}

/// Nobody reads what the controller says any more: it ends, and so does everything below it.
fn output_closed(tested: &Tested, stage: &Stage) -> Result<(), String> {
    sweep(tested)?;
    let mut places = Places::default();
    let before = Leftovers::now(&places);
    let mut child = controller(tested, stage).spawn().map_err(|error| error.to_string())?;
    places.owners.push(child.id());
    drop(child.stdout.take());
    let deadline = Instant::now() + Duration::from_secs(30);
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            return Err("the controller went on after its reader had gone".into());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    nothing_after_the_sweep(tested, &before, &places)
}
