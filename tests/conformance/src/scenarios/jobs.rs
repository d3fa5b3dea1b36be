//! Jobs that are wrong, and callers that change their minds: an error with a name, and nothing left behind.

use super::Scenario;
use crate::case::Case;
use crate::protected::{GRACE, start};
use crate::providers::{Hearing, Tested};
use crate::scene::Scene;
use formicary_model::{Mount, MountAccess, Protection, Status};
use formicary_sandbox::{Cancel, InputFile, Job, Progress, Provider, RunIo, SandboxError, Stdin};
use formicary_testkit::Leftovers;
use formicary_testkit::leftovers::Places;
use std::io::Read;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) fn scenarios() -> Vec<Scenario> {
    vec![
        Scenario { name: "jobs::program_that_is_not_there", needs: &[], run: |p, _| program_missing(p) },
        Scenario { name: "jobs::upload_names", needs: &[Protection::Files], run: |p, _| upload_names(p) },
        Scenario { name: "jobs::mounts_keep_their_word", needs: &[Protection::Files], run: |p, _| mounts(p) },
        Scenario {
            name: "jobs::mounts_beside_collected_files",
            needs: &[Protection::Files],
            run: |p, _| mounts_beside_files(p),
        },
        Scenario {
            name: "jobs::setuid_on_a_writable_mount",
            needs: &[Protection::SystemCalls],
            run: |p, _| setuid_on_a_mount(p),
        },
        Scenario { name: "jobs::cancelled_in_the_middle", needs: &[], run: |p, _| cancelled(p) },
        Scenario { name: "jobs::cancelled_before_the_start", needs: &[], run: |p, _| cancelled_before(p) },
        Scenario { name: "jobs::interrupted_and_answers", needs: &[], run: |p, _| interrupted(p) },
        Scenario { name: "jobs::interrupted_and_goes_on", needs: &[], run: |p, _| interrupted_in_vain(p) },
        Scenario { name: "jobs::reader_that_blocks", needs: &[], run: |p, _| reader_that_blocks(p) },
        Scenario { name: "jobs::reader_that_fails", needs: &[], run: |p, _| reader_that_fails(p) },
        Scenario { name: "jobs::watcher_that_is_slow", needs: &[], run: |p, _| watcher_that_is_slow(p) },
        Scenario { name: "jobs::smallest_limits", needs: &[], run: |p, _| smallest_limits(p) },
    ]
}

fn prepared(code: &'static str) -> Result<(Scene, Job), String> {
    let scene = Scene::new().map_err(|error| error.to_string())?;
    let job = Case::bash("job", code).job(&scene)?;
    Ok((scene, job))
}

fn run_quietly(provider: &dyn Provider, job: &Job) -> Result<formicary_sandbox::Outcome, SandboxError> {
    provider
        .run(job, RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut |_| {}, cancel: Cancel::default() })
}

fn program_missing(tested: &Tested) -> Result<(), String> {
    let (_scene, mut job) = prepared("true")?;
    for program in ["/no/such/program", "no-such-program", "/work/main.sh", "/work", "", "/etc/passwd", "\0"]
    {
        job.command = vec![program.into()];
        match run_quietly(tested.provider.as_ref(), &job) {
            Err(SandboxError::ProgramNotStarted { .. } | SandboxError::InvalidJob(_)) => {}
            Err(error) => return Err(format!("{program:?}: the wrong error: {error}")),
            Ok(outcome) => {
                return Err(format!("{program:?}: a verdict instead of an error: {}", outcome.status));
            }
        }
    }
    job.command = Vec::new();
    match run_quietly(tested.provider.as_ref(), &job) {
        Err(SandboxError::InvalidJob(_) | SandboxError::ProgramNotStarted { .. }) => Ok(()),
        other => Err(format!("an empty command: {:?}", other.map(|outcome| outcome.status))),
    }
}

/// What the caller mounted beside the program's files is not collected, and nobody is warned of that.
fn mounts_beside_files(tested: &Tested) -> Result<(), String> {
    let (scene, mut job) = prepared("echo made > made.txt")?;
    let host = scene.folder().display().to_string();
    let guest = format!("{}/given", Job::WORK);
    job.mounts.push(Mount { host, guest, access: MountAccess::ReadOnly });
    job.collect.globs = vec!["**/*.txt".into()];
    let outcome = run_quietly(tested.provider.as_ref(), &job).map_err(|error| error.to_string())?;
    let paths: Vec<&str> = outcome.files.iter().map(|file| file.path.as_str()).collect();
    match (&*paths, &*outcome.skipped) {
        (["made.txt"], []) => Ok(()),
        other => Err(format!("collected and skipped: {other:?}")),
    }
}

fn upload_names(tested: &Tested) -> Result<(), String> {
    let (mut scene, job) = prepared("find / -xdev -name 'evil*' 2>/dev/null; true")?;
    let flag = scene.flag().display().to_string();
    let climbing = format!("../../../../../../../..{flag}");
    let long = "n".repeat(300);
    for name in [
        flag.as_str(),
        &climbing,
        "../evil",
        "a/../../evil",
        "/etc/evil",
        "",
        ".",
        "..",
        "a\0b",
        "a//b/../../../evil",
        &long,
    ] {
        let mut hostile = job.clone();
        hostile.files.push(InputFile {
            path: name.into(),
            content: Arc::from(&b"overwritten"[..]),
            executable: false,
        });
        // Refused, or kept inside: what matters is that the host is as it was, and that nobody panics.
        if let Ok(outcome) = run_quietly(tested.provider.as_ref(), &hostile) {
            let seen = String::from_utf8_lossy(&outcome.stdout.joined()).into_owned();
            if seen.lines().any(|path| !path.starts_with("/work/")) {
                return Err(format!("{name:?} was written outside the working folder: {seen}"));
            }
        }
        scene.untouched().map_err(|what| format!("{name:?}: {what}"))?;
    }
    Ok(())
}

fn mounts(tested: &Tested) -> Result<(), String> {
    let (scene, mut job) = prepared(include_str!("../../programs/bash/mounts.sh"))?;
    let at = |name: &str| scene.folder().join(name);
    for folder in ["read", "write"] {
        std::fs::create_dir(at(folder)).map_err(|error| error.to_string())?;
        std::fs::write(at(folder).join("file"), "before").map_err(|error| error.to_string())?;
        // Whoever the sandbox's user is on the host, he may write as far as the file system is concerned.
        for path in [at(folder), at(folder).join("file")] {
            std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o777))
                .map_err(|error| error.to_string())?;
        }
    }
    let mount = |name: &str, access| Mount {
        host: at(name).display().to_string(),
        guest: format!("/{name}"),
        access,
    };
    job.mounts = vec![mount("read", MountAccess::ReadOnly), mount("write", MountAccess::ReadWrite)];
    let outcome = start(tested.provider.as_ref(), &job, Vec::new())?;
    let read = std::fs::read_to_string(at("read").join("file")).unwrap_or_default();
    let wrote = std::fs::read_to_string(at("write").join("file")).unwrap_or_default();
    let new = at("read").join("new").exists();
    if read != "before" || new {
        return Err("the read-only mount was written to".into());
    }
    if outcome.status != Status::Success || wrote.trim() != "after" {
        return Err(format!("the writable mount holds {wrote:?}\n{}", crate::expect::describe(&outcome)));
    }
    Ok(())
}

fn setuid_on_a_mount(tested: &Tested) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt;
    let (scene, mut job) = prepared(include_str!("../../programs/bash/setuid_on_a_mount.sh"))?;
    let shared = scene.folder().join("shared");
    std::fs::create_dir(&shared).map_err(|error| error.to_string())?;
    std::fs::set_permissions(&shared, std::os::unix::fs::PermissionsExt::from_mode(0o777))
        .map_err(|error| error.to_string())?;
    let access = MountAccess::ReadWrite;
    job.mounts.push(Mount { host: shared.display().to_string(), guest: "/shared".into(), access });
    run_quietly(tested.provider.as_ref(), &job).map_err(|error| error.to_string())?;
    let facts = |path: &std::path::Path| std::fs::symlink_metadata(path).map_err(|error| error.to_string());
    // As root too, what the program may write there belongs to the folder's owner.
    let (made, folder) = (facts(&shared.join("made"))?, facts(&shared)?);
    // A container's user is a user of the host.
    let expected = if tested.hearing == Hearing::Everything { folder.uid() } else { 1000 };
    if made.uid() != expected {
        return Err(format!("a file of user {} in a folder of user {}", made.uid(), folder.uid()));
    }
    for entry in std::fs::read_dir(&shared).map_err(|error| error.to_string())?.flatten() {
        let mode = facts(&entry.path())?.mode();
        if mode & 0o6000 != 0 {
            return Err(format!("{} has mode {mode:o}", entry.path().display()));
        }
    }
    Ok(())
}

fn cancelled(tested: &Tested) -> Result<(), String> {
    let (_scene, job) = prepared("sleep 60 & sleep 60")?;
    let places = Places::default();
    let before = Leftovers::now(&places);
    let cancel = Cancel::default();
    let switch = cancel.clone();
    let mut watch = move |progress: Progress<'_>| {
        if matches!(progress, Progress::Started) {
            switch.cancel();
        }
    };
    let begun = Instant::now();
    let ended =
        tested.provider.run(&job, RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut watch, cancel });
    if !matches!(ended, Err(SandboxError::Cancelled)) {
        return Err(format!("cancelled, and yet {:?}", ended.map(|outcome| outcome.status)));
    }
    if begun.elapsed() > Duration::from_secs(5) {
        return Err(format!("it took {:?} to cancel", begun.elapsed()));
    }
    before.settle(&places, GRACE)
}

fn cancelled_before(tested: &Tested) -> Result<(), String> {
    let (_scene, job) = prepared("sleep 60")?;
    let places = Places::default();
    let before = Leftovers::now(&places);
    let cancel = Cancel::default();
    cancel.cancel();
    match tested.provider.run(&job, RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut |_| {}, cancel }) {
        Err(SandboxError::Cancelled) => before.settle(&places, GRACE),
        other => Err(format!("cancelled before it began, and yet {:?}", other.map(|outcome| outcome.status))),
    }
}

/// Runs a program that says `ready`, interrupts it then, and gives its verdict and all that it said.
fn interrupt_when_ready(tested: &Tested, job: &Job) -> Result<(Status, String), String> {
    let places = Places::default();
    let before = Leftovers::now(&places);
    let cancel = Cancel::default();
    let switch = cancel.clone();
    let mut said = String::new();
    let mut watch = |progress: Progress<'_>| {
        if let Progress::Output(_, bytes) = progress {
            let was_ready = said.contains("ready");
            said.push_str(&String::from_utf8_lossy(bytes));
            if !was_ready && said.contains("ready") {
                switch.interrupt();
            }
        }
    };
    let io = RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut watch, cancel };
    let outcome = tested.provider.run(job, io).map_err(|error| error.to_string())?;
    before.settle(&places, GRACE)?;
    Ok((outcome.status, said))
}

/// An interrupt is the program's to answer; what it has put into another session hears nothing of it.
fn interrupted(tested: &Tested) -> Result<(), String> {
    let (_scene, job) = prepared(
        "setsid sh -c 'trap \"echo aside\" INT; sleep 60' & trap 'echo told; exit 5' INT; echo ready; while :; do sleep 0.1; done",
    )?;
    match interrupt_when_ready(tested, &job)? {
        (Status::NonzeroExit, said) if said.contains("told") && !said.contains("aside") => Ok(()),
        (status, said) => Err(format!("status {status}, said {said:?}")),
    }
}

/// A program that does not listen runs into its limit like any other.
fn interrupted_in_vain(tested: &Tested) -> Result<(), String> {
    let (_scene, mut job) = prepared("trap '' INT; echo ready; sleep 60")?;
    job.limits.wall_seconds = 2.0;
    match interrupt_when_ready(tested, &job)? {
        (Status::Timeout, _) => Ok(()),
        (status, said) => Err(format!("status {status}, said {said:?}")),
    }
}

fn reader_that_blocks(tested: &Tested) -> Result<(), String> {
    let (_scene, job) = prepared("exit 5")?;
    let (reader, writer) = std::io::pipe().map_err(|error| error.to_string())?;
    let begun = Instant::now();
    let io = RunIo { stdin: Stdin::Reader(Box::new(reader)), watch: &mut |_| {}, cancel: Cancel::default() };
    let outcome = tested.provider.run(&job, io).map_err(|error| error.to_string())?;
    let waited = begun.elapsed();
    drop(writer);
    if outcome.status == Status::NonzeroExit && waited < Duration::from_secs(5) {
        return Ok(());
    }
    Err(format!("status {} after {waited:?}, while nobody wrote to its input", outcome.status))
}

struct Failing;

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("the input's source is gone"))
    }
}

fn reader_that_fails(tested: &Tested) -> Result<(), String> {
    let (_scene, mut job) = prepared("cat; echo end")?;
    job.limits.wall_seconds = 5.0;
    let io = RunIo { stdin: Stdin::Reader(Box::new(Failing)), watch: &mut |_| {}, cancel: Cancel::default() };
    match tested.provider.run(&job, io) {
        // End of file for the program, or an error of ours; never a program that waits for ever.
        Ok(outcome) if outcome.status == Status::Success => Ok(()),
        Ok(outcome) => Err(format!("status {}", outcome.status)),
        Err(_) => Ok(()),
    }
}

fn watcher_that_is_slow(tested: &Tested) -> Result<(), String> {
    let (_scene, job) =
        prepared("for i in 1 2 3 4 5; do echo $i; done; head -c 300000 /dev/zero | tr '\\0' x")?;
    let mut heard = 0;
    let mut watch = |progress: Progress<'_>| {
        if let Progress::Output(_, bytes) = progress {
            heard += bytes.len() as u64;
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let io = RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut watch, cancel: Cancel::default() };
    let outcome = tested.provider.run(&job, io).map_err(|error| error.to_string())?;
    if outcome.status == Status::Success && heard == outcome.stdout.total && heard == 300_010 {
        return Ok(());
    }
    Err(format!("heard {heard} bytes of {}, status {}", outcome.stdout.total, outcome.status))
}

/// The smallest values that the bounds accept still give a verdict of the program, never a failure of ours.
fn smallest_limits(tested: &Tested) -> Result<(), String> {
    let (_scene, job) = prepared("echo hello")?;
    for info in formicary_model::Limits::TABLE {
        let mut smallest = job.clone();
        let mut overrides = formicary_model::LimitOverrides::default();
        overrides.set(info.name, info.min);
        smallest.limits = smallest.limits.with(&overrides);
        start(tested.provider.as_ref(), &smallest, Vec::new())
            .map_err(|error| format!("{} = {}: {error}", info.name, info.min))?;
    }
    Ok(())
}
