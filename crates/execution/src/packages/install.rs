//! The phase that installs: a confined program with the network and one folder to write to.

use super::environment::{INSIDE, VENV};
use super::packer::Asking;
use super::requirement::Wanted;
use super::settings::PackageSettings;
use super::store::bytes_below;
use crate::guard::refuse;
use crate::toolchain::Toolchain;
use formicary_model::{EventKind, Failure, FailureKind, Limits, Mount, MountAccess, Network, Phase, Status};
use formicary_sandbox::provider::{Progress, Stdin};
use formicary_sandbox::{Cancel, Captured, InputFile, Job, Outcome, Provider, RunIo};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Where the installer keeps what it needs for a moment: wheels are too large for a file system in memory.
const TEMPORARY: &str = "/opt/formicary/temporary";
const REQUIREMENTS: &str = "requirements.txt";
const CONSTRAINTS: &str = "constraints.txt";
/// Between two looks at how much has been written.
const LOOK: Duration = Duration::from_secs(2);
/// Lines of the installer's own words that a failure repeats.
const MOST_LINES: usize = 6;
const GIB: u64 = 1 << 30;
/// The system's words for a full disk, and for one on which this user has had his share.
const NO_ROOM: [&str; 2] = ["No space left on device", "Disk quota exceeded"];

/// Who installs, as the sandbox will see it.
pub enum Tool {
    /// uv.
    Uv(Toolchain),
    /// The interpreter's pip.
    Pip,
}

/// Installs into the virtual environment that is laid out in `folder`.
pub fn install(
    folder: &Path,
    wanted: &Wanted,
    (python, tool): (&Toolchain, &Tool),
    settings: &PackageSettings,
    (provider, asking): (&dyn Provider, &Asking<'_>),
    most_bytes: u64,
) -> Result<(), Failure> {
    std::fs::create_dir(folder.join("temporary")).map_err(|error| unwritable(folder, &error))?;
    let job = job(folder, wanted, python, tool, settings, asking);
    let too_large = Cancel::default();
    let mut looked = Instant::now();
    let mut watch = |progress: Progress<'_>| {
        if asking.cancel.is_cancelled() {
            too_large.cancel();
        }
        if looked.elapsed() > LOOK {
            looked = Instant::now();
            if bytes_below(folder) > most_bytes {
                too_large.cancel();
            }
        }
        asking.teller.progress(Phase::Install, &progress);
    };
    let io = RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut watch, cancel: too_large.clone() };
    let ran = provider.run(&job, io);
    if asking.cancel.is_cancelled() {
        return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
    }
    let size = bytes_below(&folder.join(VENV));
    if too_large.is_cancelled() || size > most_bytes {
        return Err(refuse(
            format!("the packages need more than the {} MiB that all of them may take", most_bytes >> 20),
            "ask for fewer, or raise packages.max_bytes in the configuration",
        ));
    }
    let outcome = ran?;
    let (status, duration) = (outcome.status, outcome.duration.as_secs_f64());
    asking.teller.tell(EventKind::PhaseFinished { phase: Phase::Install, status, duration });
    let _ = std::fs::remove_dir_all(folder.join("temporary"));
    match status {
        Status::Success => Ok(()),
        _ => Err(failure(&outcome, wanted, settings)),
    }
}

/// The folder cannot be written.
pub fn unwritable(folder: &Path, error: &std::io::Error) -> Failure {
    Failure::new(
        FailureKind::InvalidConfiguration,
        format!("packages cannot be kept in {}: {error}", folder.display()),
    )
    .hint("set packages.folder to a folder of your own with room in it")
}

fn job(
    folder: &Path,
    wanted: &Wanted,
    python: &Toolchain,
    tool: &Tool,
    settings: &PackageSettings,
    asking: &Asking<'_>,
) -> Job {
    let file = |name: &str, lines: &[String]| InputFile {
        path: name.into(),
        content: lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes().into(),
        executable: false,
    };
    let mount = |name: &str, guest: &str| Mount {
        host: folder.join(name).to_string_lossy().into_owned(),
        guest: guest.into(),
        access: MountAccess::ReadWrite,
    };
    let mut job = Job::new(command(wanted, python, tool));
    job.files = vec![file(REQUIREMENTS, &wanted.requirements)];
    if !wanted.constraints.is_empty() {
        job.files.push(file(CONSTRAINTS, &wanted.constraints));
    }
    job.mounts = python.mounts.clone();
    if let Tool::Uv(uv) = tool {
        job.mounts.extend(uv.mounts.iter().filter(|mount| !python.mounts.contains(mount)).cloned());
    }
    job.mounts.extend(settings.shown.iter().map(|path| Mount {
        host: path.to_string_lossy().into_owned(),
        guest: path.to_string_lossy().into_owned(),
        access: MountAccess::ReadOnly,
    }));
    job.mounts.extend([mount(VENV, INSIDE), mount("temporary", TEMPORARY)]);
    let mut env: BTreeMap<String, String> = settings.env.clone();
    env.extend(python.env.iter().cloned());
    for (name, value) in [
        ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
        ("HOME", TEMPORARY),
        ("TMPDIR", TEMPORARY),
        ("LANG", "C.UTF-8"),
        ("PYTHONUNBUFFERED", "1"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
        ("PIP_CONFIG_FILE", "/dev/null"),
    ] {
        env.insert(name.into(), value.into());
    }
    job.env = env.into_iter().collect();
    job.limits = limits(settings);
    job.network = Network::Host;
    job.assurance = asking.assurance;
    job
}

fn command(wanted: &Wanted, python: &Toolchain, tool: &Tool) -> Vec<String> {
    let target = format!("{INSIDE}/bin/python");
    let words: Vec<&str> = match tool {
        Tool::Uv(uv) => {
            let head = [&uv.program, "pip", "install", "--python", &target, "--no-cache", "--no-config"];
            head.into_iter()
                .chain(["--link-mode", "copy", "--compile-bytecode", "--color", "never"])
                .collect()
        }
        Tool::Pip => {
            let head = [&python.program, "-m", "pip", "--python", &target, "install", "--no-cache-dir"];
            let tail = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off", "--no-color"];
            head.into_iter().chain(tail).collect()
        }
    };
    let mut words: Vec<String> = words.into_iter().map(str::to_string).collect();
    let mut add = |more: &[&str]| words.extend(more.iter().map(ToString::to_string));
    add(&["-r", REQUIREMENTS]);
    if !wanted.constraints.is_empty() {
        add(&["-c", CONSTRAINTS]);
    }
    if wanted.is_locked() {
        add(&["--require-hashes"]);
    }
    if !wanted.from_source {
        add(&["--only-binary", ":all:"]);
    }
    words
}

fn limits(settings: &PackageSettings) -> Limits {
    Limits {
        wall_seconds: settings.wall_seconds,
        cpu_seconds: settings.wall_seconds * 2.0,
        memory_bytes: settings.memory_bytes,
        disk_bytes: GIB,
        file_size_bytes: 8 * GIB,
        output_bytes: 1 << 20,
        ..Limits::for_compiling()
    }
}

/// Why it failed, in the installer's own words.
fn failure(outcome: &Outcome, wanted: &Wanted, settings: &PackageSettings) -> Failure {
    let what = wanted.requirements.iter().map(|line| line.split(" --hash").next().unwrap_or(line));
    let what: Vec<&str> = what.take(8).collect();
    let what = format!("{}{}", what.join(", "), if wanted.requirements.len() > 8 { ", …" } else { "" });
    match outcome.status {
        Status::Timeout | Status::CpuLimit => Failure::new(
            FailureKind::InvalidInput,
            format!("installing {what} took longer than {} s", settings.wall_seconds),
        )
        .hint("raise packages.wall_seconds, or see whether the index answers"),
        Status::NonzeroExit => {
            let said = own_words(&outcome.stderr, &outcome.stdout);
            if NO_ROOM.iter().any(|words| said.contains(words)) {
                let folder = settings.folder.display();
                return Failure::new(
                    FailureKind::SandboxFailed,
                    format!("{what} cannot be installed, for there is no room left: {said}"),
                )
                .hint(format!(
                    "make room where {folder} is (`formicary cache prune`), or set packages.folder to a folder with room"
                ));
            }
            let hint = if said.contains("No module named pip") {
                "install uv, or pip for this interpreter (Debian, Ubuntu: apt install python3-pip)"
                    .to_string()
            } else if wanted.from_source {
                "check names and versions; packages.index_url names another index".to_string()
            } else {
                "check names and versions; --from-source also builds packages that have no built form; \
                 packages.index_url names another index"
                    .to_string()
            };
            refuse(format!("{what} cannot be installed: {said}"), hint)
        }
        status => Failure::new(
            FailureKind::InvalidInput,
            format!(
                "installing {what} was ended ({status}): {}",
                own_words(&outcome.stderr, &outcome.stdout)
            ),
        )
        .hint("ask for fewer packages at once, or raise packages.memory_bytes in the configuration"),
    }
}

/// What is said from the first error on, else the last lines, on one line.
fn own_words(stderr: &Captured, stdout: &Captured) -> String {
    let said = if stderr.total > 0 { stderr } else { stdout };
    let text = String::from_utf8_lossy(&said.joined()).into_owned();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let first = lines.iter().position(|line| line.to_lowercase().starts_with("error"));
    let words = match first {
        Some(first) => &lines[first..lines.len().min(first + MOST_LINES)],
        None => &lines[lines.len().saturating_sub(MOST_LINES)..],
    };
    words.join(" | ").chars().take(1500).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Captured {
        Captured { head: text.as_bytes().to_vec(), tail: Vec::new(), total: text.len() as u64 }
    }

    #[test]
    fn the_installers_own_words_are_repeated() {
        let pip = "WARNING: x\nERROR: Could not find a version (from versions: none)\nERROR: No matching\n";
        assert_eq!(
            own_words(&said(pip), &said("Collecting a\n")),
            "ERROR: Could not find a version (from versions: none) | ERROR: No matching"
        );
        let uv = "Using Python\nerror: No solution\n  Caused by: Because a was not found\n";
        assert_eq!(
            own_words(&said(uv), &said("")),
            "error: No solution | Caused by: Because a was not found"
        );
        let uv = "  × No solution found:\n  ╰─▶ Because a was not found\n";
        assert_eq!(own_words(&said(uv), &said("")), "× No solution found: | ╰─▶ Because a was not found");
    }

    #[test]
    fn a_full_disk_is_no_wrong_name() {
        let settings = PackageSettings {
            folder: "/cache/packages".into(),
            max_bytes: 1,
            wall_seconds: 1.0,
            memory_bytes: 1,
            installer: super::super::settings::Installer::Auto,
            env: BTreeMap::new(),
            shown: Vec::new(),
        };
        let wanted = Wanted { requirements: vec!["six".into()], constraints: Vec::new(), from_source: false };
        let told = |words: &str| {
            let outcome = Outcome {
                status: Status::NonzeroExit,
                end: formicary_sandbox::End::Exited(1),
                duration: Duration::ZERO,
                stdout: said(""),
                stderr: said(words),
                usage: formicary_model::Usage::default(),
                violations: Vec::new(),
                enforcement: formicary_model::Enforcement::new("native"),
                files: Vec::new(),
                skipped: Vec::new(),
            };
            failure(&outcome, &wanted, &settings)
        };
        let full =
            told("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device");
        assert!(full.message.contains("no room left"), "{full:?}");
        assert!(
            full.hint.is_some_and(|hint| hint.contains("/cache/packages") && hint.contains("cache prune"))
        );
        let wrong = told("ERROR: No matching distribution found for six");
        assert!(wrong.hint.is_some_and(|hint| hint.contains("check names")));
    }

    #[test]
    fn built_packages_only_and_hashes_where_given() {
        let python = Toolchain {
            program: "/usr/bin/python3.11".into(),
            host_program: "/usr/bin/python3.11".into(),
            mounts: Vec::new(),
            env: Vec::new(),
            path_dirs: Vec::new(),
        };
        let words = |requirements: &str, from_source: bool| {
            let wanted =
                Wanted { requirements: vec![requirements.into()], constraints: Vec::new(), from_source };
            command(&wanted, &python, &Tool::Pip).join(" ")
        };
        assert!(words("six", false).ends_with("-r requirements.txt --only-binary :all:"));
        assert!(!words("six", true).contains("--only-binary"));
        assert!(words("six==1 --hash=sha256:0", false).contains("--require-hashes"));
    }
}
