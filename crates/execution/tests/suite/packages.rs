//! Package environments with real packages of the real index: installed once, apart, and gone where that fails.

mod hostile;
mod own;

use crate::rig::{settings, snippet};
use formicary_execution::packages::{Installer, PackageSettings};
use formicary_execution::sessions::{SessionManager, SessionSettings};
use formicary_execution::{ExecutionSettings, Executor, Live};
use formicary_model::{
    Assurance, CellRequest, Environment, Event, EventKind, ExecutionRequest, Failure, PackageRequest, Phase,
    SessionRequest, Status,
};
use formicary_sandbox::registry::{SandboxSettings, all};
use formicary_testkit::scratch::Scratch;
use formicary_testkit::skips::Skips;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

static SKIPS: Skips = Skips::new();
const SIX_HASH: &str = "4721f391ed90541fddacab5acf947aa0d3dc7d27b2e1e8eda2be8970586c3274";

/// Whether the index can be asked from here.
fn index_answers(test: &str) -> bool {
    let behind_a_proxy = ["https_proxy", "HTTPS_PROXY", "PIP_INDEX_URL", "UV_DEFAULT_INDEX"];
    let addresses = || "pypi.org:443".to_socket_addrs().into_iter().flatten();
    let answers = behind_a_proxy.iter().any(|name| std::env::var_os(name).is_some())
        || addresses().any(|address| TcpStream::connect_timeout(&address, Duration::from_secs(5)).is_ok());
    if !answers {
        SKIPS.note(test, "the package index cannot be reached from here");
    }
    answers
}

fn execution(folder: &Path) -> ExecutionSettings {
    let passed_on = |(name, value): (String, String)| {
        let wanted = name.starts_with("PIP_") || name.starts_with("UV_") || name.contains("CERT");
        let proxy = name.to_lowercase().ends_with("_proxy");
        (wanted && name != "PIP_FIND_LINKS" || proxy).then_some((name, value))
    };
    ExecutionSettings {
        packages: Some(PackageSettings {
            folder: folder.join("packages"),
            max_bytes: 1 << 30,
            wall_seconds: 300.0,
            memory_bytes: 2 << 30,
            installer: Installer::Pip,
            env: std::env::vars().filter_map(passed_on).collect(),
            shown: Vec::new(),
        }),
        ..settings()
    }
}

fn executor(folder: &Path) -> Executor {
    Executor::new(execution(folder), all(&SandboxSettings::default())).unwrap()
}

fn request(code: &str, requirements: &[&str]) -> ExecutionRequest {
    let requirements = requirements.iter().map(|line| (*line).to_string()).collect();
    ExecutionRequest {
        environment: Environment {
            packages: PackageRequest { requirements, ..PackageRequest::default() },
            ..snippet("python", code).environment
        },
        ..snippet("python", code)
    }
}

/// What a program says, and how often something was installed for it.
fn run(executor: &Executor, request: ExecutionRequest) -> (Result<(Status, String), Failure>, usize) {
    let installs = AtomicUsize::new(0);
    let observer = |event: &Event| {
        if matches!(event.kind, EventKind::PhaseStarted { phase: Phase::Install }) {
            installs.fetch_add(1, Ordering::Relaxed);
        }
    };
    let result = executor.execute(request, Live { observer: &observer, ..Live::default() });
    let said = result.map(|result| (result.status, format!("{}{}", result.stdout, result.stderr)));
    (said, installs.into_inner())
}

fn left(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("packages")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[test]
fn packages_are_installed_once_and_sets_stay_apart() {
    if !index_answers("packages_are_installed_once_and_sets_stay_apart") {
        return;
    }
    let scratch = Scratch::new("packages").unwrap();
    let executor = executor(scratch.path());
    let first = "import six, sys\nprint(six.__version__, sys.prefix, __name__)\n\
                 try:\n    import click\nexcept ImportError: print('apart')\n\
                 import socket\ntry:\n    socket.create_connection(('1.1.1.1', 53), 1)\nexcept OSError: print('offline')\n\
                 try:\n    open(six.__file__, 'a')\nexcept OSError: print('read-only')\n";
    let expected = "1.17.0 /opt/formicary/venv __main__\napart\noffline\nread-only\n";
    for installs in [1, 0] {
        let (said, counted) = run(&executor, request(first, &["six==1.17.0"]));
        assert_eq!((said.unwrap(), counted), ((Status::Success, expected.to_string()), installs));
    }
    let second = "import click\nprint('click')\ntry:\n    import six\nexcept ImportError: print('apart')";
    let (said, counted) = run(&executor, request(second, &["Click"]));
    assert_eq!((said.unwrap(), counted), ((Status::Success, "click\napart\n".to_string()), 1));
    let kept = executor.package_store().unwrap().list();
    assert_eq!(kept.len(), 2);
    assert!(kept.iter().any(|kept| kept.packages == ["six==1.17.0"] && kept.bytes > 10_000), "{kept:?}");
    // Another user of the same folder, another order, another spelling: the same environment.
    let other = self::executor(scratch.path());
    assert_eq!(run(&other, request("import six", &["SIX ==1.17.0"])).1, 0);
    assert_eq!(other.package_store().unwrap().prune(0).len(), 2);
    assert!(left(scratch.path()).is_empty());
}

#[test]
fn what_cannot_be_installed_is_told_in_the_installers_words_and_leaves_nothing() {
    if !index_answers("what_cannot_be_installed_is_told_in_the_installers_words_and_leaves_nothing") {
        return;
    }
    let scratch = Scratch::new("packages-none").unwrap();
    let executor = executor(scratch.path());
    let wrong = format!("six==1.17.0 --hash=sha256:{}", "0".repeat(64));
    let right = format!("six==1.17.0 --hash=sha256:{SIX_HASH}");
    for (requirement, words) in [
        (
            "formicary-no-such-package-at-all",
            "No matching distribution found for formicary-no-such-package-at-all",
        ),
        (wrong.as_str(), "THESE PACKAGES DO NOT MATCH THE HASHES"),
    ] {
        let failure = run(&executor, request("pass", &[requirement])).0.unwrap_err();
        assert!(failure.message.contains(words) && failure.hint.is_some(), "{failure:?}");
        assert_eq!(left(scratch.path()), Vec::<String>::new());
    }
    let (said, _) = run(&executor, request("import six; print(six.__version__)", &[&right]));
    assert_eq!(said.unwrap(), (Status::Success, "1.17.0\n".into()));
}

#[test]
fn many_at_once_install_once_and_programs_of_packages_can_be_run() {
    if !index_answers("many_at_once_install_once_and_programs_of_packages_can_be_run") {
        return;
    }
    let scratch = Scratch::new("packages-many").unwrap();
    let installs = std::thread::scope(|scope| {
        let one = || {
            let executor = executor(scratch.path());
            let mut wanted = request("", &["pyjokes"]);
            wanted.command =
                Some(["sh", "-c", "command -v pyjoke && pyjoke -h >/dev/null"].map(Into::into).to_vec());
            let (said, installs) = run(&executor, wanted);
            assert_eq!(said.unwrap(), (Status::Success, "/opt/formicary/venv/bin/pyjoke\n".into()));
            installs
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>()
    });
    assert_eq!(installs, 1);
    // A session finds the same, and what only names packages does not install them again.
    let providers = all(&SandboxSettings::default());
    let manager =
        SessionManager::new(execution(scratch.path()), SessionSettings::default(), providers).unwrap();
    let mut request = SessionRequest { language: "python".into(), ..SessionRequest::default() };
    request.packages.requirements = vec!["pyjokes".into()];
    let session = manager.create(request).unwrap();
    let cell = CellRequest { code: b"import pyjokes; pyjokes.__name__".to_vec(), ..CellRequest::default() };
    let result = manager.find(&session.id).unwrap().run(&cell).unwrap();
    assert_eq!(result.value.unwrap()["text/plain"].as_str(), "'pyjokes'");
    assert!(manager.find(&session.id).is_ok());
    assert_eq!(executor(scratch.path()).package_store().unwrap().prune(0).len(), 0, "in use");
}

#[test]
fn what_may_not_be_asked_for_is_refused_before_anything_starts() {
    let scratch = Scratch::new("packages-refused").unwrap();
    let executor = executor(scratch.path());
    for requirement in ["-r /etc/passwd", "six @ file:///etc", "./six", "--index-url=http://x"] {
        let (said, installs) = run(&executor, request("pass", &[requirement]));
        assert!(said.is_err() && installs == 0, "{requirement}");
    }
    let mut other = request("console.log(1)", &["six"]);
    other.language = Some("javascript".into());
    assert!(run(&executor, other).0.unwrap_err().message.contains("the language is javascript"));
    let mut both = request("pass", &["six"]);
    both.venv = Some("/nowhere".into());
    both.assurance = Assurance::default();
    assert!(run(&executor, both).0.is_err());
    assert!(!scratch.path().join("packages").exists());
}
