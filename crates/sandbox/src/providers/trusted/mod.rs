//! The trusted provider: for code that its owner trusts. A folder of its own, a scrubbed environment, limits on time,
//! memory and output, and an end for everything it started. Nothing else is enforced, and every result says so.

use crate::assurance::insist;
use crate::guest::order::{self, Setting};
use crate::guest::place::{self, Place};
use crate::guest::{self, Ends, Ground, Moment, program};
use crate::provider::{Provider, RunIo};
use crate::providers::native::verdict;
use crate::sys::{process, socket};
use crate::{Job, Outcome, SandboxError};
use formicary_guest::message::run::{Meter, Reach};
use formicary_guest::role::Role;
use formicary_model::{Enforcement, Protection, ProtectionState};
use std::io;
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::Once;
use std::time::Duration;

/// The provider's word.
pub const NAME: &str = "trusted";

/// How long a guest agent may take to leave when nobody speaks to it any more.
const FAREWELL: Duration = Duration::from_secs(6);
/// Between two looks at what is used, in microseconds.
const TICK: u64 = 8_000;

/// Settings of the trusted provider.
#[derive(Debug, Clone)]
pub struct TrustedSettings {
    /// Where the folders of runs are made.
    pub folder: PathBuf,
}

impl Default for TrustedSettings {
    fn default() -> Self {
        Self { folder: "/tmp".into() }
    }
}

/// Runs trusted code as the caller himself.
#[derive(Debug)]
pub struct Trusted {
    settings: TrustedSettings,
    swept: Once,
}

impl Trusted {
    /// A provider.
    pub fn new(settings: TrustedSettings) -> Self {
        Self { settings, swept: Once::new() }
    }
}

impl Provider for Trusted {
    fn name(&self) -> &'static str {
        NAME
    }

    fn capabilities(&self) -> Enforcement {
        claims()
    }

    fn run(&self, job: &Job, io: RunIo<'_>) -> Result<Outcome, SandboxError> {
        job.refuse_image(NAME)?;
        insist(&claims(), job.assurance)?;
        self.swept.call_once(|| {
            place::sweep(&self.settings.folder);
        });
        check_mounts(job)?;
        let failed = |step: &'static str| move |error: io::Error| SandboxError::step(step, error);
        let place = Place::new(&self.settings.folder).map_err(failed("make a folder for the run"))?;
        let folder = |name| place.folder(name).map(|path| path.to_string_lossy().into_owned());
        let work = folder("work").map_err(failed("make the working folder"))?;
        let temp = folder("tmp").map_err(failed("make the temporary folder"))?;
        let setting = Setting {
            work,
            moves: moves(job, &temp),
            identity: None,
            reach: Reach::Descendants,
            meter: Meter::Descendants,
            disks: Vec::new(),
            tick: TICK,
            limits: order::process_limits(&job.limits),
            filter: Vec::new(),
        };
        let mut order = order::order(job, setting)?;
        if !order.env.iter().any(|(name, _)| name == "TMPDIR") {
            order.env.push(("TMPDIR".into(), temp));
        }
        let (child, ends) = start()?;
        let mut ground = Process(child);
        let told = guest::run(job, io, &order, ends, &mut ground);
        drop(ground);
        let told = told?;
        Ok(Outcome {
            status: verdict::status(&told.observed, &job.limits, &told.violations),
            end: told.observed.end,
            duration: told.observed.duration,
            stdout: told.stdout,
            stderr: told.stderr,
            usage: told.usage,
            violations: told.violations,
            enforcement: claims(),
            files: told.collection.files,
            skipped: told.collection.skipped,
        })
    }
}

/// Where toolchains are shown that lie in a place of their own.
const TOOLCHAINS: &str = "/opt/formicary/";

/// Toolchains are named by where they really are, and so is the temporary folder.
fn moves(job: &Job, temp: &str) -> Vec<(String, String)> {
    let toolchains = job.mounts.iter().filter(|mount| mount.guest.starts_with(TOOLCHAINS));
    let moved = toolchains.map(|mount| (mount.guest.clone(), mount.host.clone()));
    moved.chain([(order::TEMPORARY.to_string(), temp.to_string())]).collect()
}

/// A folder can only be seen where it is: there is no other view of the files than the host's.
fn check_mounts(job: &Job) -> Result<(), SandboxError> {
    let elsewhere =
        |mount: &&formicary_model::Mount| mount.host != mount.guest && !mount.guest.starts_with(TOOLCHAINS);
    match job.mounts.iter().find(elsewhere) {
        None => Ok(()),
        Some(mount) => Err(SandboxError::InvalidJob(format!(
            "the trusted provider shows the host's files as they are: {:?} cannot be shown as {:?}",
            mount.host, mount.guest
        ))),
    }
}

fn start() -> Result<(process::Child, Ends), SandboxError> {
    let failed = |step: &'static str| move |error: io::Error| SandboxError::step(step, error);
    let (theirs, to) = socket::pipe().map_err(failed("make the guest agent's pipes"))?;
    let (from, their_out) = socket::pipe().map_err(failed("make the guest agent's pipes"))?;
    let null =
        std::fs::OpenOptions::new().write(true).open("/dev/null").map_err(failed("open the null device"))?;
    let path = program::path()?;
    let descriptors = [theirs.as_raw_fd(), their_out.as_raw_fd(), null.as_raw_fd()];
    let child = process::spawn_clean(&path, &["formicary-guest", Role::Run.argument()], &[], &descriptors)
        .map_err(failed("start the guest agent"))?;
    Ok((child, Ends { to, from }))
}

/// The agent's process. Left alone it ends everything below it, and itself.
struct Process(process::Child);

impl Ground for Process {
    fn destroy(&mut self) {
        if !self.0.wait_at_most(FAREWELL) {
            self.0.kill();
        }
    }

    fn silence(&mut self, _: Moment) -> SandboxError {
        SandboxError::step(
            "hear the guest agent: it ended without a word",
            io::ErrorKind::UnexpectedEof.into(),
        )
    }

    fn is_watched(&self) -> bool {
        true
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.destroy();
    }
}

/// What holds for trusted code: the little that is done, and nothing for the rest.
fn claims() -> Enforcement {
    let mut report = Enforcement::new(NAME);
    let enforced = |how: &str| ProtectionState::Enforced(how.into());
    let watched = |how: &str| ProtectionState::Watched(how.into());
    for protection in Protection::ALL {
        let state = match protection {
            Protection::Environment => enforced("built anew"),
            Protection::CleanUp => watched("the guest agent ends all below it, and the folder is removed"),
            Protection::WallTime => watched("controller's clock"),
            Protection::CpuTime => watched("polled /proc, and RLIMIT_CPU for each process"),
            Protection::Memory => watched("polled memory of all processes"),
            Protection::OpenFiles => enforced("RLIMIT_NOFILE"),
            Protection::FileSize => enforced("RLIMIT_FSIZE"),
            Protection::Output => watched("capped by the controller while it streams"),
            _ => ProtectionState::Missing("trusted code runs as its caller, on the host".into()),
        };
        report.record(protection, state);
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::{Cancel, Stdin};
    use crate::{End, InputFile};
    use formicary_model::{Assurance, Level, Status};

    fn run(change: impl FnOnce(&mut Job), input: &str) -> Result<Outcome, SandboxError> {
        let mut job = Job::new(["/bin/sh", "/work/main.sh"]);
        job.env = vec![("PATH".into(), "/usr/bin:/bin".into()), ("HOME".into(), "/tmp".into())];
        job.assurance = Assurance::Require(Level::None);
        job.limits.wall_seconds = 20.0;
        change(&mut job);
        let stdin = Stdin::Bytes(input.into());
        let io = RunIo { stdin, watch: &mut |_| {}, cancel: Cancel::default() };
        Trusted::new(TrustedSettings::default()).run(&job, io)
    }

    fn script(job: &mut Job, text: &str) {
        let content = text.as_bytes().into();
        job.files.push(InputFile { path: "main.sh".into(), content, executable: false });
    }

    fn check(text: &str, input: &str, status: Status, end: End, stdout: &str) -> Outcome {
        let outcome = run(|job| script(job, text), input).unwrap();
        let shown = String::from_utf8_lossy(&outcome.stdout.head).into_owned();
        assert_eq!(
            (outcome.status, outcome.end, shown.as_str()),
            (status, end, stdout),
            "{text}\n{outcome:?}"
        );
        outcome
    }

    #[test]
    fn ends_and_streams() {
        check("cat; exit 3", "in\n", Status::NonzeroExit, End::Exited(3), "in\n");
        check("echo $((6 * 7))", "", Status::Success, End::Exited(0), "42\n");
        check("kill -SEGV $$", "", Status::Signaled, End::Signaled(11), "");
        check(
            "env | cut -d= -f1 | sort | grep -v -e PWD -e SHLVL -e '^_$' | tr '\\n' ' '",
            "",
            Status::Success,
            End::Exited(0),
            "HOME PATH TMPDIR ",
        );
    }

    #[test]
    fn time_runs_out_for_all_of_it() {
        let outcome = run(
            |job| {
                script(job, "setsid sleep 300 & sleep 300");
                job.limits.wall_seconds = 0.3;
            },
            "",
        );
        assert_eq!(outcome.unwrap().status, Status::Timeout);
    }

    #[test]
    fn survivors_are_ended_and_files_come_back() {
        let outcome = run(
            |job| {
                script(
                    job,
                    "mkdir a; echo x > a/b.txt; ln -s /etc/passwd l.txt; (setsid sleep 300 &) ; exit 0",
                );
                job.collect.globs = vec!["**/*.txt".into()];
            },
            "",
        )
        .unwrap();
        assert_eq!(outcome.status, Status::Success);
        assert_eq!(outcome.files.len(), 1);
        assert_eq!(
            (outcome.files[0].path.as_str(), outcome.files[0].content.as_slice()),
            ("a/b.txt", &b"x\n"[..])
        );
        assert_eq!(outcome.skipped.len(), 1);
    }

    #[test]
    fn it_promises_nothing_and_is_refused_where_something_is_required() {
        assert_eq!(claims().level, Level::None);
        let refused = run(|job| job.assurance = Assurance::default(), "");
        assert!(matches!(refused, Err(SandboxError::LevelNotReached { .. })));
        let missing = run(|job| job.command = vec!["/no/such/program".into()], "");
        assert!(matches!(missing, Err(SandboxError::ProgramNotStarted { .. })), "{missing:?}");
    }
}
