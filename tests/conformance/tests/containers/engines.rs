//! Other engines than the usual one: Docker with `runsc` as its runtime, and Podman. A program that does nothing wrong, and one
//! for each limit and each wall, must get the same verdicts there.

use super::{SKIPS, TURN};
use formicary_model::{CollectRequest, Limits, Status};
use formicary_sandbox::provider::Stdin;
use formicary_sandbox::providers::docker::engine::Engine;
use formicary_sandbox::providers::docker::{Docker, DockerSettings, stock};
use formicary_sandbox::{Cancel, Job, Outcome, Provider, RunIo};
use std::path::PathBuf;
use std::sync::PoisonError;

/// Name, script for Python, how the limits differ, the verdict, what stdout holds.
type Row = (&'static str, &'static str, fn(&mut Limits), Status, &'static str);

const ROWS: &[Row] = &[
    ("echo", "print(input()[::-1])", |_| {}, Status::Success, "cba"),
    ("exit code", "raise SystemExit(7)", |_| {}, Status::NonzeroExit, ""),
    ("signal", "import os; os.abort()", |_| {}, Status::Signaled, ""),
    (
        "identity",
        "import os; print(os.getuid(), os.listdir('/home') if os.path.exists('/home') else [])",
        |_| {},
        Status::Success,
        "1000 []",
    ),
    (
        "time",
        "print('begun', flush=True)\nimport time; time.sleep(60)",
        |limits| limits.wall_seconds = 1.0,
        Status::Timeout,
        "begun",
    ),
    (
        "processor",
        "while True: pass",
        |limits| (limits.wall_seconds, limits.cpu_seconds) = (30.0, 1.0),
        Status::CpuLimit,
        "",
    ),
    ("memory", "x = b'x' * (400 << 20)", |limits| limits.memory_bytes = 64 << 20, Status::MemoryLimit, ""),
    (
        "processes",
        "import threading, time\n\
         try:\n    for n in range(200): threading.Thread(target=time.sleep, args=(20,), daemon=True).start()\n\
         except RuntimeError:\n    time.sleep(0.5)\n    raise\n\
         time.sleep(20)",
        |limits| limits.processes = 32,
        Status::ProcessLimit,
        "",
    ),
    (
        "disk",
        "f = open('f', 'wb')\nwhile True: f.write(b'x' * (1 << 20))",
        |limits| limits.disk_bytes = 16 << 20,
        Status::DiskLimit,
        "",
    ),
    (
        "output",
        "import os\nwhile True: os.write(1, b'x' * 65536)",
        |limits| limits.output_total_bytes = 4 << 20,
        Status::OutputLimit,
        "x",
    ),
    (
        "network",
        "import socket\ntry: socket.create_connection(('1.1.1.1', 53), 2)\nexcept OSError: print('offline')",
        |_| {},
        Status::Success,
        "offline",
    ),
    (
        "root",
        "import os\nfor path in ['/usr/x', '/etc/x', '/x']:\n    try: open(path, 'w')\n    except OSError: print('no')",
        |_| {},
        Status::Success,
        "no\nno\nno",
    ),
];

fn run(provider: &Docker, script: &str, change: fn(&mut Limits)) -> Outcome {
    let mut job = Job::new(["/usr/bin/python3", "-c", script]);
    job.limits.wall_seconds = 30.0;
    job.assurance = formicary_model::Assurance::BestEffort;
    change(&mut job.limits);
    start(provider, &job)
}

fn start(provider: &Docker, job: &Job) -> Outcome {
    let stdin = Stdin::Bytes(b"abc\n".to_vec());
    provider.run(job, RunIo { stdin, watch: &mut |_| {}, cancel: Cancel::default() }).unwrap()
}

/// Every row, a file brought back, and nothing left with the engine.
fn holds(settings: DockerSettings) {
    let engine = Engine::find(&settings).unwrap();
    let provider = Docker::new(settings);
    let mut wrong = Vec::new();
    for (name, script, change, status, words) in ROWS {
        let outcome = run(&provider, script, *change);
        let said = String::from_utf8_lossy(&outcome.stdout.head).into_owned();
        let on_network = *name == "network" && outcome.status == Status::Denied;
        if (outcome.status != *status && !on_network) || !said.contains(words) {
            let complaint = String::from_utf8_lossy(&outcome.stderr.head).into_owned();
            let start: String = said.chars().take(200).collect();
            wrong.push(format!("{name}: {} {start:?} {complaint}", outcome.status));
        }
    }
    let mut job = Job::new(["/bin/sh", "-c", "echo made > out.txt"]);
    job.collect = CollectRequest { globs: vec!["*.txt".into()], ..CollectRequest::default() };
    job.assurance = formicary_model::Assurance::BestEffort;
    let files = start(&provider, &job).files;
    assert!(files.len() == 1 && files[0].content == b"made\n", "{files:?}");
    assert_eq!(wrong, [""; 0]);
    drop(provider);
    assert_eq!(engine.sweep(), 0, "containers were left");
    assert!(stock::ours(&engine).unwrap().iter().all(|image| !image.names.is_empty()));
}

#[test]
fn a_guest_kernel_as_the_engines_runtime_gives_the_same_verdicts() {
    let test = "a_guest_kernel_as_the_engines_runtime_gives_the_same_verdicts";
    let Some(socket) = std::env::var_os("FORMICARY_TEST_DOCKER").map(PathBuf::from) else {
        SKIPS.note(test, "no engine is given (FORMICARY_TEST_DOCKER)");
        return;
    };
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let plain = DockerSettings { socket: Some(socket), ..DockerSettings::default() };
    if !Engine::find(&plain).unwrap().runtimes.iter().any(|runtime| runtime == "runsc") {
        SKIPS.note(test, "the engine knows no runtime runsc");
        return;
    }
    holds(DockerSettings { runtime: Some("runsc".into()), ..plain });
}

#[test]
fn podman_gives_the_same_verdicts() {
    let Some(socket) = std::env::var_os("FORMICARY_TEST_PODMAN").map(PathBuf::from) else {
        SKIPS.note("podman_gives_the_same_verdicts", "Podman does not serve (FORMICARY_TEST_PODMAN)");
        return;
    };
    holds(DockerSettings { socket: Some(socket), ..DockerSettings::default() });
}
