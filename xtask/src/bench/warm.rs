//! What stands ready, next to the bare program: one run at a time, as a caller of the library sees it, each given to a
//! pool that is full. What making the next sandbox costs shows where many programs are judged in a row.

use super::sample::{Samples, milliseconds};
use super::{Measured, Options, compiling, time_process};
use formicary_model::{Environment, ExecutionRequest, Source, Status};
use formicary_platform::{Availability, Live, Platform};
use formicary_sandbox::provider::Stdin;
use formicary_sandbox::providers::native::{Native, NativeSettings, PoolSettings};
use formicary_sandbox::{Cancel, Job, Provider, RunIo};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// One program, bare and ready.
#[derive(Debug, Serialize)]
pub struct Row {
    name: String,
    bare_ms: f64,
    ready_ms: f64,
    /// By median.
    ratio: f64,
    ratio_by_minimum: f64,
}

/// What stands ready.
#[derive(Debug, Serialize)]
struct Figures {
    ready: Vec<Row>,
    left_out: Vec<String>,
}

/// Every program, bare and ready.
pub fn measured(options: &Options, scratch: &Path) -> Result<Measured, String> {
    let (ready, left_out) = measure(scratch, options.runs)?;
    Measured::new(table(&ready, &left_out), &Figures { ready, left_out })
}

/// All rows, and what could not be measured.
fn measure(scratch: &Path, runs: u32) -> Result<(Vec<Row>, Vec<String>), String> {
    let mut rows = vec![plain(runs)?];
    let mut left_out = Vec::new();
    let first = compiling::platform_to_stay(scratch, &[])?;
    rows.push(python(&first, "print(1), the interpreter found first", None, runs)?);
    let debian = compiling::platform_to_stay(scratch, &[("toolchains.python", "/usr/bin/python3")])?;
    rows.push(python(&debian, "print(1), the system's interpreter", None, runs)?);
    match venv() {
        Some(venv) => {
            let platform = compiling::platform_to_stay(scratch, &[("pool.python_imports", "numpy")])?;
            rows.push(python(&platform, "import numpy; print(1)", Some(&venv), runs)?);
        }
        None => left_out.push("numpy: `./test` has not made its Python environment yet".into()),
    }
    Ok((rows, left_out))
}

/// Where `./test` has put numpy.
fn venv() -> Option<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let venv = target.join("test-venv").canonicalize().ok()?;
    venv.join("bin/python3").exists().then_some(venv)
}

fn row(
    name: &str,
    runs: u32,
    mut bare: impl FnMut() -> Result<Duration, String>,
    mut ready: impl FnMut() -> Result<Duration, String>,
) -> Result<Row, String> {
    let (mut bare_times, mut ready_times) = (Samples::default(), Samples::default());
    for round in 0..runs + super::WARM_UP {
        let (bare, ready) = (bare()?, ready()?);
        if round >= super::WARM_UP {
            bare_times.push(bare);
            ready_times.push(ready);
        }
    }
    let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
    Ok(Row {
        name: name.into(),
        bare_ms: milliseconds(bare_times.median()),
        ready_ms: milliseconds(ready_times.median()),
        ratio: ratio(ready_times.median(), bare_times.median()),
        ratio_by_minimum: ratio(ready_times.minimum(), bare_times.minimum()),
    })
}

/// `/bin/true`: a fork and an exec, against the same in a sandbox that stands ready.
fn plain(runs: u32) -> Result<Row, String> {
    let pool = Some(PoolSettings::default());
    let native = Native::new(NativeSettings { pool, ..NativeSettings::default() });
    let job = Job::new(["/bin/true"]);
    let ready = || {
        native.warm_up(&job).map_err(|error| error.to_string())?;
        let io = RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut |_| {}, cancel: Cancel::default() };
        let start = Instant::now();
        let outcome = native.run(&job, io).map_err(|error| error.to_string())?;
        let time = start.elapsed();
        (outcome.status == Status::Success).then_some(time).ok_or_else(|| outcome.status.to_string())
    };
    row("/bin/true", runs, || time_process(Command::new("/bin/true").env_clear()), ready)
}

fn python(platform: &Platform, name: &str, venv: Option<&Path>, runs: u32) -> Result<Row, String> {
    let code = if venv.is_some() { "import numpy; print(1)" } else { "print(1)" };
    let languages = platform.languages().into_iter();
    let found = languages.filter(|language| language.id == "python").find_map(|language| {
        match language.availability {
            Availability::Available { program } => Some(PathBuf::from(program)),
            Availability::Missing { .. } => None,
        }
    });
    let interpreter =
        venv.map(|venv| venv.join("bin/python3")).or(found).ok_or("Python is not on this host")?;
    let request = ExecutionRequest {
        language: Some("python".into()),
        source: Source::code(code),
        environment: Environment {
            venv: venv.map(|venv| venv.display().to_string()),
            ..platform.new_request().environment
        },
        ..platform.new_request()
    };
    let ready = || {
        platform.warm_up(&request).map_err(|failure| failure.message)?;
        let request = request.clone();
        let start = Instant::now();
        let result = platform
            .execute_as(&formicary_platform::local_caller(), request, Live::default())
            .map_err(|failure| failure.message)?;
        let time = start.elapsed();
        (result.stdout == "1\n")
            .then_some(time)
            .ok_or_else(|| format!("{}: {}", result.status, result.stderr))
    };
    row(name, runs, || time_process(Command::new(&interpreter).args(["-c", code]).env_clear()), ready)
}

/// For people.
fn table(rows: &[Row], left_out: &[String]) -> String {
    let mut text = String::from("\nwhat stands ready, against the bare program\n");
    for row in rows {
        let _ = writeln!(
            text,
            "  {:<40} bare {:>7.2} ms, ready {:>7.2} ms: ratio {:.2} by median, {:.2} by minimum",
            row.name, row.bare_ms, row.ready_ms, row.ratio, row.ratio_by_minimum
        );
    }
    for why in left_out {
        let _ = writeln!(text, "  left out: {why}");
    }
    text
}
