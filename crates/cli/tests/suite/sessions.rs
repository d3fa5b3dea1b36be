//! Sessions through the whole command: the server starts by itself, serves one user, and ends by itself.

use crate::command::{Bench, Said};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A bench with a session server of its own, which ends soon after its last session.
struct Sessions {
    bench: Bench,
    runtime: tempfile::TempDir,
}

impl Sessions {
    fn new() -> Self {
        let runtime = tempfile::tempdir().unwrap();
        let bench = Bench::new()
            .variable("XDG_RUNTIME_DIR", runtime.path().to_str().unwrap())
            .variable("FORMICARY_SESSIONS_LINGER_SECONDS", "0.5")
            .variable("FORMICARY_SESSIONS_MOST", "2");
        Self { bench, runtime }
    }

    fn run(&self, arguments: &[&str]) -> Said {
        let all: Vec<&str> = ["session"].into_iter().chain(arguments.iter().copied()).collect();
        self.bench.run(&all)
    }

    fn check(&self, arguments: &[&str], code: i32, stdout: &str) -> Said {
        let said = self.run(arguments);
        assert_eq!((said.code, said.stdout.as_str()), (code, stdout), "{arguments:?}: {said:?}");
        said
    }

    fn refuses(&self, arguments: &[&str], error: &str, hint: &str) {
        let said = self.check(arguments, 120, "");
        assert!(said.stderr.contains(error), "{arguments:?}: {said:?}");
        assert!(
            said.stderr.lines().any(|line| line.starts_with("hint: ") && line.contains(hint)),
            "{said:?}"
        );
    }

    fn socket(&self) -> PathBuf {
        self.runtime.path().join("formicary/sessions.socket")
    }

    fn wait_for_the_end(&self) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while self.socket().exists() {
            assert!(Instant::now() < deadline, "the server does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Sessions {
    fn drop(&mut self) {
        self.run(&["close", "--all"]);
    }
}

#[test]
fn state_outlives_the_command_and_the_server_ends_when_idle() {
    let sessions = Sessions::new();
    sessions.check(&["list"], 0, "");
    assert!(!sessions.socket().exists(), "a list starts no server");
    sessions.check(&["new", "python", "--id", "work"], 0, "work\n");
    let facts = sessions.socket().metadata().unwrap();
    let folder = sessions.socket().parent().unwrap().metadata().unwrap();
    assert_eq!((facts.mode() & 0o777, folder.mode() & 0o777), (0o600, 0o700));
    sessions.check(&["run", "work", "-c", "x = 6 * 7"], 0, "");
    sessions.check(&["run", "work", "-c", "print('hi'); x"], 0, "hi\n42\n");
    let said = sessions.bench.run(&["run", "--session", "work", "-c", "x + 1"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "43\n"), "{said:?}");
    let said = sessions.check(&["run", "work", "-c", "1 / 0"], 1, "");
    assert!(said.stderr.contains("ZeroDivisionError: division by zero"), "{said:?}");
    sessions.check(&["run", "work", "-c", "import sys; sys.exit(3)"], 3, "");
    let said = sessions.check(&["run", "work", "-t", "0.5s", "-c", "while True: pass"], 124, "");
    assert!(said.stderr.contains("formicary: timeout"), "{said:?}");
    let said = sessions.check(&["run", "work", "-c", "import os; os._exit(4)"], 4, "");
    assert!(said.stderr.contains("state was lost"), "{said:?}");
    let json = sessions.run(&["run", "work", "--json", "-c", "display(1); 2"]).json();
    assert_eq!((&json["status"], &json["value"]["text/plain"]), (&"success".into(), &"2".into()), "{json}");
    let listed = sessions.run(&["list", "--json"]).json();
    assert_eq!((&listed[0]["id"], &listed[0]["execution_count"]), (&"work".into(), &8.into()), "{listed}");
    let long = sessions.run(&["run", "work", "-c", "import sys\nfor n in range(50000): print(n)"]);
    assert_eq!(long.stdout.lines().count(), 50_000, "every line is shown");
    sessions.check(&["close", "work"], 0, "");
    sessions.wait_for_the_end();
    sessions.refuses(&["run", "work", "-c", "1"], "there is no session \"work\"", "session new");
}

#[test]
fn files_move_in_and_out() {
    let sessions = Sessions::new();
    std::fs::write(sessions.bench.here().join("in.txt"), "from outside").unwrap();
    sessions.check(&["new", "bash", "--id", "b"], 0, "b\n");
    sessions.check(&["put", "b", "in.txt", "--as", "deep/in.txt"], 0, "");
    sessions.check(&["run", "b", "-c", "cat deep/in.txt; printf made > out.bin; v=1"], 0, "from outside");
    sessions.check(&["get", "b", "out.bin"], 0, "made");
    sessions.check(&["get", "b", "out.bin", "--out", "copy"], 0, "");
    assert_eq!(std::fs::read(sessions.bench.here().join("copy")).unwrap(), b"made");
    let files = sessions.run(&["files", "b", "--json"]).json();
    assert_eq!(files.as_array().unwrap().len(), 2, "{files}");
    sessions.check(&["reset", "b"], 0, "");
    sessions.check(&["run", "b", "-c", "echo ${v-gone}; cat out.bin"], 0, "gone\nmade");
    sessions.refuses(&["put", "b", "absent"], "absent cannot be read", "give a file");
    sessions.refuses(&["put", "b", "in.txt", "--as", "../x"], "leaves the working folder", "\"..\"");
    sessions.refuses(&["get", "b", "nothing"], "nothing", "session files");
}

#[test]
fn wrong_names_and_too_many_are_refused() {
    let sessions = Sessions::new();
    for id in ["../x", "a b", ""] {
        sessions.refuses(&["new", "bash", "--id", id], "session id", "letters, digits");
        sessions.refuses(&["run", id, "-c", "1"], "session id", "letters, digits");
    }
    sessions.refuses(&["new", "pyhton"], "unknown language", "did you mean \"python\"?");
    sessions.check(&["new", "bash", "--id", "alpha"], 0, "alpha\n");
    sessions.refuses(&["new", "bash", "--id", "alpha"], "is there already", "another name");
    sessions.check(&["new", "bash", "--id", "beta"], 0, "beta\n");
    sessions.refuses(&["new", "bash", "--id", "gamma"], "no more are allowed", "session close");
    sessions.refuses(
        &["run", "alhpa", "-c", "1"],
        "there is no session \"alhpa\"",
        "did you mean \"alpha\"?",
    );
    let said = sessions.bench.run(&["run", "--session", "alpha", "--env", "A=1", "-c", "1"]);
    assert!(said.code == 120 && said.stderr.contains("--env does not go with --session"), "{said:?}");
    let said = sessions.run(&["run", "nobody", "--json", "-c", "1"]);
    assert!(said.code == 120 && said.json()["error"]["hint"].is_string(), "{said:?}");
}

#[test]
fn a_folder_that_others_may_enter_is_refused() {
    let sessions = Sessions::new();
    let folder = sessions.runtime.path().join("formicary");
    std::fs::create_dir(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    sessions.refuses(&["new", "bash"], "others may enter it", "XDG_RUNTIME_DIR");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_stale_socket_and_many_first_callers_end_with_one_server() {
    let sessions = Sessions::new();
    let folder = sessions.runtime.path().join("formicary");
    std::fs::create_dir(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700)).unwrap();
    drop(std::os::unix::net::UnixListener::bind(sessions.socket()).unwrap());
    let said: Vec<Said> = std::thread::scope(|scope| {
        let callers: Vec<_> = ["one", "two"]
            .map(|id| {
                let sessions = &sessions;
                scope.spawn(move || sessions.run(&["new", "bash", "--id", id]))
            })
            .into_iter()
            .collect();
        callers.into_iter().map(|caller| caller.join().unwrap()).collect()
    });
    assert!(said.iter().all(|said| said.code == 0), "{said:?}");
    assert_eq!(sessions.run(&["list", "--json"]).json().as_array().unwrap().len(), 2);
}

#[test]
fn a_killed_server_takes_its_sandboxes_along() {
    let sessions = Sessions::new();
    sessions.check(&["new", "bash", "--id", "a"], 0, "a\n");
    sessions.check(&["run", "a", "-c", "sleep 1000 &"], 0, "");
    let pid = std::fs::read_to_string(sessions.runtime.path().join("formicary/sessions.lock")).unwrap();
    let family = descendants(pid.trim());
    assert!(family.len() >= 3, "the jail, the guest agent, the shell: {family:?}");
    let killed = std::process::Command::new("kill").args(["-9", pid.trim()]).status().unwrap();
    assert!(killed.success());
    let deadline = Instant::now() + Duration::from_secs(30);
    while family.iter().any(|(process, started)| start_time(process).as_ref() == Some(started)) {
        assert!(Instant::now() < deadline, "something lives on: {family:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
    sessions.refuses(&["run", "a", "-c", "1"], "there is no session \"a\"", "session new");
    sessions.check(&["new", "bash", "--id", "a"], 0, "a\n");
}

/// Every process below this one, with the time of its start: numbers are used again.
fn descendants(pid: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    for task in tasks {
        let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        for child in children.split_whitespace() {
            found.extend(start_time(child).map(|time| (child.to_owned(), time)));
            found.extend(descendants(child));
        }
    }
    found
}

fn start_time(pid: &str) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields = stat.rsplit_once(')')?.1.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    // A zombie is dead: whoever should wait for it is not ours any more.
    (fields.first()? != "Z").then(|| fields[19].clone())
}
