//! Signals to Formicary, and readers that go away: the run ends, and nothing of it is left.

use crate::command::Bench;
use formicary_testkit::leftovers::processes_with_environment;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

const ENDLESS: &str = "import time\nprint('ready', flush=True)\nwhile True:\n    time.sleep(0.01)\n";

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

fn wait(child: &mut Child) -> ExitStatus {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(Instant::now() < deadline, "it does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn gone(marker: &str) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !processes_with_environment(marker).is_empty() {
        assert!(Instant::now() < deadline, "processes are left: {:?}", processes_with_environment(marker));
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn start(bench: &Bench, marker: &str) -> Child {
    let arguments = ["run", "-l", "python", "-c", ENDLESS, "--env", marker, "--timeout", "100s"];
    // A process group of its own, as a shell would give it.
    let mut child = bench.command(&arguments).process_group(0).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n", "output is streamed while the program runs");
    assert!(!processes_with_environment(marker).is_empty());
    child
}

#[test]
fn a_signal_cancels_the_run() {
    for name in ["-INT", "-TERM", "-HUP"] {
        let marker = format!("MARKER=signal{name}-{}", std::process::id());
        let mut child = start(&Bench::new(), &marker);
        signal(&child, name);
        assert_eq!(wait(&mut child).code(), Some(130), "{name}");
        gone(&marker);
    }
}

#[test]
fn a_terminals_interrupt_reaches_the_whole_group_and_is_still_a_cancellation() {
    let marker = format!("MARKER=group-{}", std::process::id());
    let mut child = start(&Bench::new(), &marker);
    let group = format!("-{}", child.id());
    assert!(Command::new("kill").args(["-INT", "--", &group]).status().unwrap().success());
    assert_eq!(wait(&mut child).code(), Some(130));
    gone(&marker);
}

#[test]
fn a_killed_formicary_takes_the_run_with_it() {
    let marker = format!("MARKER=kill-{}", std::process::id());
    let mut child = start(&Bench::new(), &marker);
    signal(&child, "-KILL");
    wait(&mut child);
    gone(&marker);
}

#[test]
fn a_reader_that_goes_away_ends_the_run() {
    let marker = format!("MARKER=pipe-{}", std::process::id());
    let code = "while True:\n    print('x' * 1000)\n";
    let bench = Bench::new();
    let arguments = ["run", "-l", "python", "-c", code, "--env", &marker, "--timeout", "100s"];
    let mut child = bench.command(&arguments).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(wait(&mut child).code(), Some(141));
    gone(&marker);
}

#[test]
fn a_reader_that_stands_still_does_not_stop_the_clock() {
    let marker = format!("MARKER=stuck-{}", std::process::id());
    let code = "while True:\n    print('x' * 1000)\n";
    let bench = Bench::new();
    let arguments = ["run", "-l", "python", "-c", code, "--env", &marker, "--timeout", "2s"];
    let mut child = bench.command(&arguments).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while processes_with_environment(&marker).is_empty() {
        assert!(Instant::now() < deadline, "it does not start");
        std::thread::sleep(Duration::from_millis(5));
    }
    gone(&marker);
    std::io::copy(&mut stdout, &mut std::io::sink()).unwrap();
    assert_eq!(wait(&mut child).code(), Some(124));
}

#[test]
fn output_that_cannot_be_written_is_told() {
    let bench = Bench::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = bench.command(&["run", "-l", "bash", "-c", "echo 1"]).stdout(full).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(125), "{said}");
    assert!(said.starts_with("error: cannot write the output: No space left on device"), "{said}");
}
