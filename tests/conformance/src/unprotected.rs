//! The same program without protection, to see that the attack is real. In a temporary folder, under small limits of its own,
//! and whatever it leaves running is ended by its number.
#![expect(clippy::disallowed_types, reason = "running bare is the point")]

use crate::case::{Bare, Case};
use crate::scene::Scene;
use formicary_testkit::leftovers::processes_with_environment;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What an unprotected run did.
pub struct BareRun {
    /// How the main process ended; nothing if it was still running when its time was over.
    pub status: Option<ExitStatus>,
    /// What it wrote.
    pub stdout: Vec<u8>,
    /// What it wrote, beside.
    pub stderr: Vec<u8>,
    /// Processes that were still there after the main process had ended.
    pub survivors: usize,
}

/// What became of a proof.
pub enum Proof {
    /// The attack works unprotected.
    Given,
    /// It was not tried, for this reason.
    NotTried(String),
}

impl Case {
    /// Shows that the attack works where nothing protects.
    pub fn prove(&self) -> Result<Proof, String> {
        let is_root = rustix::process::geteuid().is_root();
        let usual = Duration::from_secs(10);
        match self.bare {
            Bare::Harmful(why) | Bare::Unprovable(why) => return Ok(Proof::NotTried(why.to_owned())),
            Bare::WorksAsRoot if !is_root => {
                return Ok(Proof::NotTried("the kernel refuses it to an ordinary user anyway".into()));
            }
            _ => {}
        }
        let scene = Scene::new().map_err(|error| format!("scene: {error}"))?;
        match self.bare {
            Bare::Shows(time, check) => check(&scene, &run_bare(self, &scene, time)?),
            Bare::Same => ended_well(&run_bare(self, &scene, usual)?),
            _ => prints_worked(&run_bare(self, &scene, usual)?),
        }?;
        Ok(Proof::Given)
    }
}

fn ended_well(run: &BareRun) -> Result<(), String> {
    match run.status {
        Some(status) if status.success() => Ok(()),
        status => Err(format!("unprotected, it ended with {status:?}\n{}", run.text())),
    }
}

fn prints_worked(run: &BareRun) -> Result<(), String> {
    if run.text().contains("WORKED") {
        return Ok(());
    }
    Err(format!("the attack does not work unprotected: it proves nothing\n{}", run.text()))
}

impl BareRun {
    /// Both streams as text, for matching and for people.
    pub fn text(&self) -> String {
        format!("{}{}", String::from_utf8_lossy(&self.stdout), String::from_utf8_lossy(&self.stderr))
    }
}

/// Runs the case's program as any process, for at most `time`.
pub fn run_bare(case: &Case, scene: &Scene, time: Duration) -> Result<BareRun, String> {
    start_and_watch(case, scene, time).map_err(|error| format!("unprotected run: {error}"))
}

fn start_and_watch(
    case: &Case,
    scene: &Scene,
    time: Duration,
) -> Result<BareRun, Box<dyn std::error::Error>> {
    let ready = case.program.ready()?;
    let folder = scene.bare_folder();
    let file = folder.join(ready.file);
    fs::write(&file, &ready.content)?;
    if ready.executable {
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755))?;
    }
    let at = |name: &str| scene.folder().join(name);
    File::create(at("stdin"))?.write_all(&case.stdin)?;
    // Output goes to files: a survivor that holds them keeps nobody waiting.
    let mut command = Command::new("/usr/bin/prlimit");
    command
        .args(["--core=0", "--fsize=268435456", "--nofile=1024", "--"])
        .args(ready.command(&folder.to_string_lossy()))
        .env_clear()
        .envs(scene.environment()?)
        .envs(case.env.iter().map(|(name, value)| (*name, value)))
        .env("BARE", "1")
        .env("TEMP", scene.folder().join("temp"))
        .env("SHM", scene.folder().join("temp"))
        .current_dir(&folder)
        .stdin(Stdio::from(File::open(at("stdin"))?))
        .stdout(Stdio::from(File::create(at("stdout"))?))
        .stderr(Stdio::from(File::create(at("stderr"))?))
        .process_group(0);
    let mut child = command.spawn()?;
    let deadline = Instant::now() + time;
    let mut status = None;
    while status.is_none() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
        status = child.try_wait()?;
    }
    let marker = format!("CASE={}", scene.id);
    let left = processes_with_environment(&marker);
    let survivors = left.iter().filter(|pid| **pid != child.id()).count();
    if status.is_none() {
        child.kill()?;
        child.wait()?;
    }
    end_all(&marker);
    let result =
        BareRun { status, stdout: fs::read(at("stdout"))?, stderr: fs::read(at("stderr"))?, survivors };
    Ok(result)
}

/// Ends every process that carries the marker, again and again until none is left, and reaps those that came to us.
fn end_all(marker: &str) {
    let deadline = Instant::now() + Duration::from_secs(5);
    loop {
        let left = processes_with_environment(marker);
        for pid in left.iter().filter_map(|pid| Pid::from_raw(i32::try_from(*pid).ok()?)) {
            let _ = kill_process(pid, Signal::KILL);
            let _ = waitpid(Some(pid), WaitOptions::empty());
        }
        if left.is_empty() || Instant::now() > deadline {
            return;
        }
    }
}
