//! Two workers on two cores next to one pinned to a core, on the same queue: how much of the second core arrives.

use super::{Measured, Options};
use serde::Serialize;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Turns of each side, one after the other, so that drift of the machine falls on both alike.
const ROUNDS: u32 = 3;
/// Milliseconds of CPU that each job takes: as much as a small program with its interpreter does.
const WORK: &str = "100";
const PATIENCE: Duration = Duration::from_secs(60);

/// Jobs a second, by one worker and by two.
#[derive(Debug, Serialize)]
struct Figures {
    jobs: u32,
    one_per_second: f64,
    two_per_second: f64,
    ratio: f64,
    failed: u64,
}

/// All of it; `--runs` says how many jobs each turn has.
pub fn measured(options: &Options, scratch: &Path) -> Result<Measured, String> {
    // Who has no queue measures the rest all the same.
    if let Err(why) = nats_server() {
        return Measured::new(format!("\na cluster on two cores: left out: {why}\n"), &why);
    }
    let figures = measure(options, scratch)?;
    let table = format!(
        "\na cluster on two cores, {} jobs of {WORK} ms of CPU in all\n  one worker {:.1}/s, two {:.1}/s: ratio {:.2}; {} failed\n",
        figures.jobs, figures.one_per_second, figures.two_per_second, figures.ratio, figures.failed
    );
    Measured::new(table, &figures)
}

fn measure(options: &Options, scratch: &Path) -> Result<Figures, String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores < 2 {
        return Err("two cores are needed".into());
    }
    let cluster = Cluster::start(options.binary()?, scratch)?;
    let _first = cluster.worker("first", 0)?;
    let (mut one, mut two, mut failed) = (0.0, 0.0, 0);
    cluster.bench(1, options.runs)?;
    for _ in 0..ROUNDS {
        let (rate, lost) = cluster.bench(1, options.runs)?;
        (one, failed) = (one + 1.0 / rate, failed + lost);
        let second = cluster.worker("second", 1)?;
        cluster.bench(2, options.runs.min(10))?;
        let (rate, lost) = cluster.bench(2, options.runs)?;
        (two, failed) = (two + 1.0 / rate, failed + lost);
        drop(second);
    }
    let rate = |inverse: f64| f64::from(ROUNDS) / inverse;
    Ok(Figures {
        jobs: 2 * ROUNDS * options.runs,
        one_per_second: rate(one),
        two_per_second: rate(two),
        ratio: one / two,
        failed,
    })
}

/// A process that is told to end, and waited for.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        let _ = self.0.wait();
    }
}

struct Cluster<'a> {
    binary: &'a Path,
    url: String,
    _nats: Ended,
}

impl<'a> Cluster<'a> {
    fn start(binary: &'a Path, scratch: &Path) -> Result<Self, String> {
        // Free a moment ago; nobody else asks for it by chance.
        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = port.map_err(|error| error.to_string())?.port().to_string();
        let nats = Command::new(nats_server()?)
            .args(["-js", "-a", "127.0.0.1", "-p", &port, "-sd"])
            .arg(scratch.join("nats"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let nats = Ended(nats.map_err(|error| format!("nats-server: {error}"))?);
        let cluster = Self { binary, url: format!("nats://127.0.0.1:{port}"), _nats: nats };
        cluster.until("NATS answers", |cluster| cluster.workers().is_some())?;
        Ok(cluster)
    }

    fn command(&self, verb: &[&str]) -> Command {
        let mut command = Command::new(self.binary);
        command.args(["--json", "--set", "cluster.heartbeat_seconds=0.5"]);
        command.args(verb).args(["--cluster", &self.url]).stdin(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// A worker that runs one job at a time on this core.
    fn worker(&self, name: &str, core: usize) -> Result<Ended, String> {
        let mut worker = Command::new("taskset");
        worker.args(["-c", &core.to_string()]).arg(self.binary);
        worker.args(["--set", "cluster.heartbeat_seconds=0.5", "worker", "--name", name, "--capacity", "1"]);
        worker.args(["--languages", "python", "--cluster", &self.url]);
        let worker = worker.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        Ok(Ended(worker.map_err(|error| format!("taskset: {error}"))?))
    }

    fn workers(&self) -> Option<usize> {
        let output =
            self.command(&["cluster", "status"]).output().ok().filter(|output| output.status.success())?;
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
        Some(told["workers"].as_array()?.len())
    }

    /// Jobs a second when so many workers are there, and how many failed.
    fn bench(&self, workers: usize, jobs: u32) -> Result<(f64, u64), String> {
        self.until("the workers are there", |cluster| cluster.workers() == Some(workers))?;
        let jobs = jobs.to_string();
        let mut bench =
            self.command(&["cluster", "bench", "--jobs", &jobs, "--at-once", "8", "--cpu-ms", WORK]);
        let output = bench.output().map_err(|error| error.to_string())?;
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let rate =
            told["rate"].as_f64().filter(|rate| *rate > 0.0).ok_or_else(|| format!("no rate: {told}"))?;
        Ok((rate, told["failed"].as_u64().unwrap_or_default()))
    }

    fn until(&self, what: &str, so: impl Fn(&Self) -> bool) -> Result<(), String> {
        let started = Instant::now();
        while !so(self) {
            if started.elapsed() > PATIENCE {
                return Err(format!("waited in vain until {what}"));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(())
    }
}

/// Where `./test` has put it, or on the way that commands are looked for.
fn nats_server() -> Result<PathBuf, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let found = [target.join("test-venv/bin/nats-server"), "/usr/local/bin/nats-server".into()];
    let found = found.into_iter().find(|path| path.exists());
    found.ok_or_else(|| "nats-server is not here; `./test` installs it".into())
}
