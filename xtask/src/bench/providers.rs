//! Each provider beside the tool that it takes the place of: a cold start in a container beside `docker run`, in a guest
//! kernel beside `runsc do`. Samples are interleaved; only ratios mean anything.

use super::sample::{Samples, milliseconds};
use super::starts::{WORKLOADS, Workload};
use super::{Measured, Options, time_process};
use formicary_model::Status;
use formicary_sandbox::provider::Stdin;
use formicary_sandbox::providers::docker::{Docker, DockerSettings, image};
use formicary_sandbox::providers::gvisor::{self, Gvisor, GvisorSettings};
use formicary_sandbox::{Cancel, Job, Provider, RunIo};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// A second kernel takes its time: so many samples at the most.
const MOST_RUNS: u32 = 15;
/// Runs before the counted ones.
const WARM_UP: u32 = 1;

/// One workload by one provider and by its peer.
#[derive(Debug, Serialize)]
struct Row {
    provider: &'static str,
    peer: &'static str,
    workload: &'static str,
    samples: usize,
    ours_ms: f64,
    theirs_ms: f64,
    ratio: f64,
}

/// A provider and how its peer is started.
struct Pair {
    provider: Box<dyn Provider>,
    peer: &'static str,
    command: Vec<String>,
}

/// What was measured.
#[derive(Debug, Serialize)]
struct Figures {
    providers: Vec<Row>,
    left_out: Vec<String>,
}

/// Every provider that has a peer.
pub fn measured(options: &Options, _scratch: &Path) -> Result<Measured, String> {
    let (providers, left_out) = measure(options.runs)?;
    Measured::new(table(&providers, &left_out), &Figures { providers, left_out })
}

/// A provider that cannot take part here is left out, with the reason.
fn measure(runs: u32) -> Result<(Vec<Row>, Vec<String>), String> {
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    for (name, made) in [("docker", containers()), ("gvisor", guests())] {
        let pair = match made {
            Ok(pair) => pair,
            Err(why) => {
                left_out.push(format!("{name}: {why}"));
                continue;
            }
        };
        for workload in &WORKLOADS {
            match row(&pair, workload, runs.min(MOST_RUNS)) {
                Ok(row) => rows.push(row),
                Err(why) => left_out.push(format!("{name}, {}: {why}", workload.name)),
            }
        }
    }
    Ok((rows, left_out))
}

/// The same image, the same view of the host's programs, no network, removed when it ends.
fn containers() -> Result<Pair, String> {
    let socket = ["FORMICARY_TEST_DOCKER", "DOCKER_HOST"].iter().find_map(|name| std::env::var(name).ok());
    let socket = socket.map(|socket| PathBuf::from(socket.trim_start_matches("unix://")));
    let provider = Docker::new(DockerSettings { socket, ..DockerSettings::default() });
    let engine = provider.engine().map_err(|error| error.to_string())?;
    let image = image::ready(&engine, None).map_err(|error| error.to_string())?;
    let host = format!("unix://{}", engine.socket.display());
    let words =
        ["docker", "--host", &host, "run", "--rm", "--network=none", "--read-only", "--volume=/usr:/usr:ro"];
    let mut command: Vec<String> = words.map(str::to_string).to_vec();
    // The skeleton's own entry point is the guest agent.
    command.extend(["--entrypoint".into(), "/usr/bin/env".into(), image.name, "--".into()]);
    Ok(Pair { provider: Box::new(provider), peer: "docker run", command })
}

/// The same way of intercepting calls, no network.
fn guests() -> Result<Pair, String> {
    let settings = GvisorSettings::default();
    let engine = gvisor::engine::Engine::find(&settings)?;
    let mut command =
        vec![engine.program.to_string_lossy().into_owned(), format!("--platform={}", engine.platform)];
    command.extend(["--network=none", "--ignore-cgroups"].map(str::to_string));
    if engine.rootless {
        command.push("--rootless".into());
    }
    command.push("do".into());
    Ok(Pair { provider: Box::new(Gvisor::new(settings)), peer: "runsc do", command })
}

fn row(pair: &Pair, workload: &Workload, runs: u32) -> Result<Row, String> {
    let (mut ours, mut theirs) = (Samples::default(), Samples::default());
    for round in 0..runs + WARM_UP {
        let own = once(pair.provider.as_ref(), workload)?;
        let_it_fall_apart();
        let peer =
            time_process(Command::new(&pair.command[0]).args(&pair.command[1..]).args(workload.command))
                .map_err(|error| format!("{}: {error}", pair.peer))?;
        if round >= WARM_UP {
            ours.push(own);
            theirs.push(peer);
        }
    }
    let (ours_ms, theirs_ms) = (milliseconds(ours.median()), milliseconds(theirs.median()));
    Ok(Row {
        provider: pair.provider.name(),
        peer: pair.peer,
        workload: workload.name,
        samples: ours.len(),
        ours_ms,
        theirs_ms,
        ratio: ours_ms / theirs_ms,
    })
}

/// Waits until nothing that we started is there any more: a guest is taken apart after its answer, and the peer must not pay
/// for that.
fn let_it_fall_apart() {
    let deadline = Instant::now() + Duration::from_secs(5);
    let is_alone = || {
        let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        tasks
            .map(|task| std::fs::read_to_string(task.path().join("children")))
            .all(|children| children.is_ok_and(|children| children.trim().is_empty()))
    };
    while !is_alone() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn once(provider: &dyn Provider, workload: &Workload) -> Result<Duration, String> {
    let job = Job::new(workload.command.iter().copied());
    let io = RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut |_| {}, cancel: Cancel::default() };
    let start = Instant::now();
    let outcome = provider.run(&job, io).map_err(|error| error.to_string())?;
    let time = start.elapsed();
    if outcome.status == Status::Success { Ok(time) } else { Err(format!("it ended as {}", outcome.status)) }
}

/// For people.
fn table(rows: &[Row], left_out: &[String]) -> String {
    let mut text = "\nproviders beside their peers, cold, medians\n".to_string();
    let _ = writeln!(text, "  {:<34} {:>9} {:>9} {:>9}", "", "ours ms", "theirs ms", "ratio");
    for Row { provider, peer, workload, ours_ms, theirs_ms, ratio, .. } in rows {
        let name = format!("{provider} : {peer}, {workload}");
        let _ = writeln!(text, "  {name:<34} {ours_ms:>9.1} {theirs_ms:>9.1} {ratio:>9.2}");
    }
    for left_out in left_out {
        let _ = writeln!(text, "left out: {left_out}");
    }
    text
}
