//! The same program without protection, to see that the attack is real. In a temporary directory, under small limits of its own,
//! and below a process of ours that reaps and ends whatever it leaves (see [`crate::reaper`]).

use crate::case::{Bare, Case};
use crate::reaper::Reaper;
use crate::scene::Scene;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// How long a proof may take where the machine is busy. It ends as soon as what it proves is there.
const PATIENCE: Duration = Duration::from_secs(120);

/// What an unprotected run did so far.
pub struct BareRun {
    /// How the main process ended; nothing while it runs.
    pub status: Option<ExitStatus>,
    /// What it wrote.
    pub stdout: Vec<u8>,
    /// What it wrote, beside.
    pub stderr: Vec<u8>,
    /// Processes of the run that are there, besides the main process.
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
        match self.bare {
            Bare::Harmful(why) | Bare::Unprovable(why) => return Ok(Proof::NotTried(why.to_owned())),
            Bare::WorksAsRoot if !is_root => {
                return Ok(Proof::NotTried("the kernel refuses it to an ordinary user anyway".into()));
            }
            _ => {}
        }
        let scene = Scene::new().map_err(|error| format!("scene: {error}"))?;
        let run = Unprotected::start(self, &scene).map_err(|error| format!("unprotected run: {error}"))?;
        match self.bare {
            Bare::Shows(check) => run.until(|run| check(&scene, run)),
            Bare::Lasts(time) => run.lasts(time),
            Bare::Same => run.until(ended_well),
            _ => run.until(prints_worked),
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
    if run.status.is_some() && run.text().contains("WORKED") {
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

/// The case's program, run as any process. With this value, everything ends that the program started.
struct Unprotected<'a> {
    scene: &'a Scene,
    reaper: Reaper,
}

impl<'a> Unprotected<'a> {
    fn start(case: &Case, scene: &'a Scene) -> Result<Self, Box<dyn std::error::Error>> {
        let ready = case.program.ready()?;
        let directory = scene.bare_folder();
        // Put into place by the reaper, which has one thread: here another case may start a process just now, which
        // would hold the file open for writing until it has become a program, and nobody could execute it.
        let program = scene.folder().join("program");
        fs::write(&program, &ready.content)?;
        fs::set_permissions(
            &program,
            fs::Permissions::from_mode(if ready.executable { 0o755 } else { 0o644 }),
        )?;
        fs::write(scene.folder().join("stdin"), &case.stdin)?;
        let limits = ["/usr/bin/prlimit", "--core=0", "--fsize=268435456", "--nofile=1024", "--"];
        let command =
            limits.into_iter().map(str::to_owned).chain(ready.command(&directory.to_string_lossy()));
        let temporary = scene.folder().join("temp").to_string_lossy().into_owned();
        let mut env = scene.environment()?;
        env.extend(case.env.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        env.extend([
            ("BARE".into(), "1".into()),
            ("TEMP".into(), temporary.clone()),
            ("SHM".into(), temporary),
        ]);
        let reaper = Reaper::start(&directory.join(ready.file), command, env, scene.folder())?;
        Ok(Self { scene, reaper })
    }

    fn look(&self) -> Result<BareRun, String> {
        let read =
            |name: &str| fs::read(self.scene.folder().join(name)).map_err(|error| format!("{name}: {error}"));
        // The status first: what is read after the end is all that there was.
        let status = self.reaper.status()?;
        Ok(BareRun {
            status,
            stdout: read("stdout")?,
            stderr: read("stderr")?,
            survivors: self.reaper.survivors(),
        })
    }

    /// Waits until the check passes. If it never does, the last answer is the error.
    fn until(&self, check: impl Fn(&BareRun) -> Result<(), String>) -> Result<(), String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let run = self.look()?;
            let shown = check(&run);
            let is_over = run.status.is_some() && run.survivors == 0;
            if shown.is_ok() || is_over || Instant::now() > deadline {
                return shown;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The main process is still there after this long.
    fn lasts(&self, time: Duration) -> Result<(), String> {
        std::thread::sleep(time);
        match self.look()? {
            BareRun { status: None, .. } => Ok(()),
            run => Err(format!("it ended by itself: {:?}\n{}", run.status, run.text())),
        }
    }
}
