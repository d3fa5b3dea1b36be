//! Programs of others that are measured beside ours, and sources to try them on. Both come by name from the Python
//! registry into `target/bench`, where the next run finds them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Runs a command and prints its seconds and the largest resident set of a process of it. An exit code above 1 is an
/// error: 1 is how linters say that they found something.
const TIMER: &str = "
import resource, subprocess, sys, time
start = time.perf_counter()
run = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
seconds = time.perf_counter() - start
if run.returncode not in (0, 1):
    sys.exit(f'{sys.argv[1]} ended with {run.returncode}: {run.stderr[-500:].decode(errors=\"replace\")}')
print(seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
";

/// What one run took.
#[derive(Debug, Clone, Copy)]
pub struct Timed {
    /// From start to end.
    pub time: Duration,
    /// The largest resident set among its processes.
    pub peak_kb: u64,
}

/// An environment with programs of others.
pub struct Peers {
    folder: PathBuf,
}

impl Peers {
    /// Makes sure that these packages are there.
    pub fn fetch(packages: &[&str]) -> Result<Self, String> {
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
        let folder = target.join("bench");
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
        let peers = Self { folder };
        if !peers.program("python3").exists() {
            said(Command::new("/usr/bin/python3").args(["-m", "venv"]).arg(peers.folder.join("venv")))?;
        }
        let missing: Vec<&&str> = packages.iter().filter(|name| !peers.program(name).exists()).collect();
        if !missing.is_empty() {
            let mut pip = Command::new(peers.program("python3"));
            pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
            said(pip.args(missing))?;
        }
        Ok(peers)
    }

    /// A program of a package.
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.join("venv/bin").join(name)
    }

    /// A copy of a package's source below `scratch`.
    pub fn source(&self, package: &str, scratch: &Path) -> Result<PathBuf, String> {
        let sources = self.folder.join("sources").join(package);
        if !sources.exists() {
            let mut pip = Command::new(self.program("python3"));
            pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]);
            said(pip.args(["--no-binary", ":all:", "--dest"]).arg(&sources).arg(package))?;
        }
        let archive = std::fs::read_dir(&sources)
            .map_err(|error| format!("{}: {error}", sources.display()))?
            .flatten()
            .map(|entry| entry.path())
            .find(|path| path.to_string_lossy().ends_with(".tar.gz"))
            .ok_or_else(|| format!("{} holds no archive: remove it and try again", sources.display()))?;
        let unpacked = scratch.join("source");
        std::fs::create_dir_all(&unpacked).map_err(|error| format!("{}: {error}", unpacked.display()))?;
        let mut tar = Command::new("tar");
        said(tar.args(["--strip-components=1", "-C"]).arg(&unpacked).arg("-xf").arg(archive))?;
        Ok(unpacked)
    }

    /// Runs a command to its end.
    pub fn time(&self, command: &mut Command) -> Result<Timed, String> {
        let mut timer = Command::new(self.program("python3"));
        timer.args(["-c", TIMER]).arg(command.get_program()).args(command.get_args());
        if let Some(folder) = command.get_current_dir() {
            timer.current_dir(folder);
        }
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => timer.env(name, value),
                None => timer.env_remove(name),
            };
        }
        let told = said(&mut timer)?;
        let mut numbers = told.split_whitespace();
        let (seconds, peak_kb) = (numbers.next().and_then(|text| text.parse().ok()), numbers.next());
        let (Some(seconds), Some(peak_kb)) = (seconds, peak_kb.and_then(|text| text.parse().ok())) else {
            return Err(format!("the timer said {told:?}"));
        };
        Ok(Timed { time: Duration::from_secs_f64(seconds), peak_kb })
    }
}

/// What a command prints, or why it failed.
fn said(command: &mut Command) -> Result<String, String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", command.get_program().to_string_lossy()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let program = command.get_program().to_string_lossy().into_owned();
    Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr).trim()))
}
