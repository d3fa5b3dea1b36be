//! Callers at once, files in and out, sessions side by side.

use super::{manager, open, open_with};
use formicary_execution::sessions::SessionSettings;
use formicary_model::{CellRequest, Environment, LimitOverrides, SessionRequest, SourceFile, Status, Stream};
use std::time::Duration;

#[test]
fn output_is_watched_as_it_comes() {
    for (language, code) in [
        ("python", "import sys\nprint('one')\nprint('two', file=sys.stderr)\nprint('x' * 200_000)"),
        ("bash", "echo one; echo two >&2; printf '%0200000d\\n' 0 | tr 0 x"),
        ("perl", "print \"one\\n\"; print STDERR \"two\\n\"; print 'x' x 200_000, \"\\n\";"),
    ] {
        let session = open(language);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let cell = CellRequest { code: code.into(), ..CellRequest::default() };
        let mut watch = |stream: Stream, bytes: &[u8]| match stream {
            Stream::Stdout => out.extend_from_slice(bytes),
            Stream::Stderr => err.extend_from_slice(bytes),
        };
        let result = session.0.run_watched(&cell, &mut watch).unwrap();
        assert_eq!((result.status, result.stderr.as_str()), (Status::Success, "two\n"), "{language}");
        assert_eq!(result.stdout, format!("one\n{}\n", "x".repeat(200_000)), "{language}");
        assert!(out == result.stdout.as_bytes() && err == result.stderr.as_bytes(), "{language}");
    }
    // What comes before the end is seen before the end.
    let session = open("python");
    let (told, seen) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            let cell = CellRequest {
                code: b"print('now', flush=True)\nwhile True: pass".to_vec(),
                ..CellRequest::default()
            };
            session.0.run_watched(&cell, &mut |_, bytes| told.send(bytes.to_vec()).unwrap())
        });
        assert_eq!(seen.recv_timeout(Duration::from_secs(20)).unwrap(), b"now\n");
        assert!(session.0.interrupt());
        assert_eq!(running.join().unwrap().unwrap().status, Status::Signaled);
    });
}

#[test]
fn two_callers_at_once_take_turns() {
    let session = open("python");
    session.check("n = 0", "", None);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    session.check("m = n\nimport time; time.sleep(0.002)\nn = m + 1", "", None);
                }
            });
        }
    });
    session.check("n", "", Some("20"));
    assert_eq!(session.0.info().execution_count, 22);
}

#[test]
fn files_go_in_and_out_and_survive_a_reset() {
    let session = open("bash");
    let file = |path: &str, content: &[u8], executable| SourceFile {
        path: path.into(),
        content: content.into(),
        executable,
    };
    session
        .0
        .put(&[file("a/b.bin", b"\x00\xff", false), file("run.sh", b"#!/bin/sh\necho ran", true)])
        .unwrap();
    session.check(
        "./run.sh; stat -c %s a/b.bin; echo made > made; ln -s /etc/passwd link; mkfifo pipe; x=1",
        "ran\n2\n",
        None,
    );
    let listed = || session.0.files().unwrap().into_iter().map(|file| file.path).collect::<Vec<_>>();
    assert_eq!(listed(), ["a/b.bin", "made", "run.sh"]);
    assert_eq!(session.0.get("a/b.bin").unwrap().content, b"\x00\xff");
    assert!(session.0.get("run.sh").unwrap().executable);
    for path in ["link", "pipe", "absent", "../x", "/etc/passwd", "a", ".formicary/x"] {
        assert!(session.0.get(path).is_err(), "{path}");
        assert!(path == "absent" || session.0.put(&[file(path, b"", false)]).is_err(), "{path}");
    }
    session.0.reset().unwrap();
    session.check("echo ${x-gone}; cat made", "gone\nmade\n", None);
    assert_eq!(listed(), ["a/b.bin", "made", "run.sh"]);
}

#[test]
fn an_agent_that_is_taken_over_hurts_only_its_session() {
    let session = open("bash");
    // Its memory and descriptors are closed to the code beside it.
    let result = session.run("cat /proc/$PPID/environ; ls /proc/$PPID/fd; echo x > /proc/$PPID/fd/1");
    assert_eq!(result.stdout, "", "{result:?}");
    let result = session.run("echo '{\"exit\":0}' > /proc/$$/fd/97; echo still");
    assert!(result.stdout == "still\n" || result.state_lost, "{result:?}");
    let other = open("bash");
    other.check("echo fine", "fine\n", None);
}

#[test]
fn sessions_never_see_each_other() {
    let (one, two) = (open("python"), open("python"));
    one.check(
        "import os, socket, subprocess\nopen('/tmp/secret', 'w').write('s'); open('/dev/shm/secret', 'w').write('s')\n\
         open('secret', 'w').write('s')\ntcp = socket.create_server(('127.0.0.1', 45454))\n\
         name = socket.socket(socket.AF_UNIX); name.bind('\\0formicary-secret'); name.listen()\n\
         sleeper = subprocess.Popen(['sleep', '987'])",
        "",
        None,
    );
    two.check(
        "import os, socket\ndef refused(act):\n    try: act()\n    except OSError: return True\n    return False\n\
         def abstract(): socket.socket(socket.AF_UNIX).connect('\\0formicary-secret')\n\
         commands = [open(f'/proc/{p}/cmdline').read() for p in os.listdir('/proc') if p.isdigit()]\n\
         [os.path.exists('/tmp/secret'), os.path.exists('/dev/shm/secret'), os.path.exists('secret'),\n\
          refused(lambda: socket.create_connection(('127.0.0.1', 45454), 1)), refused(abstract),\n\
          any('987' in command for command in commands)]",
        "",
        Some("[False, False, False, True, True, False]"),
    );
}

#[test]
fn nothing_that_has_a_name_is_seen_next_door() {
    // The conformance suite's own claims: files, ports, abstract sockets, System V and POSIX objects.
    const CLAIMS: &str = include_str!("../../../../../tests/conformance/programs/python/claims.py");
    let stake = |role: &str| {
        open_with("python", |request| {
            request.env = [("ROLE", role), ("CASE", "sessions")].map(|(n, v)| (n.into(), v.into())).into();
        })
    };
    let (first, second) = (stake("stake"), stake("look"));
    let staked = first.run(CLAIMS);
    assert!(staked.stdout.contains("STAKED") && staked.exit_code == Some(0), "{staked:?}");
    let looked = second.run(CLAIMS);
    assert_eq!(looked.status, Status::Success, "{looked:?}");
    assert!(looked.stdout.contains("REFUSED") && !looked.stdout.contains("WORKED"), "{}", looked.stdout);
    first.check("held[0].getsockname()[1]", "", Some("34567"));
}

#[test]
fn names_and_numbers_are_checked() {
    let few = manager(SessionSettings { most: 1, ..SessionSettings::default() });
    let new = |id: &str, language: &str| {
        few.create(SessionRequest { id: Some(id.into()), language: language.into(), ..Default::default() })
    };
    for id in ["../x", "", "a b", "-x", "a/b", "é"] {
        assert!(new(id, "bash").unwrap_err().message.contains("session id"), "{id}");
        assert!(few.find(id).is_err(), "{id}");
    }
    assert!(new("x", "cobol").unwrap_err().message.contains("unknown language"));
    let with = |environment: Environment| {
        few.create(SessionRequest { language: "bash".into(), environment, ..Default::default() })
    };
    let limits = LimitOverrides { memory_bytes: Some(1), ..LimitOverrides::default() };
    assert!(with(Environment { limits, ..Environment::default() }).is_err());
    assert!(
        few.create(SessionRequest { language: "bash".into(), idle_seconds: Some(0.0), ..Default::default() })
            .is_err()
    );
    assert!(with(Environment { venv: Some("/x".into()), ..Environment::default() }).is_err());
    assert_eq!(few.list().len(), 0);
    new("alpha", "bash").unwrap();
    assert!(new("alpha", "bash").unwrap_err().message.contains("is there already"));
    assert!(new("beta", "bash").unwrap_err().message.contains("no more are allowed"));
    let unknown = few.find("alhpa").err().unwrap();
    assert_eq!(unknown.hint.as_deref(), Some("did you mean \"alpha\"?"));
    few.close("alpha").unwrap();
    assert!(few.close("alpha").is_err());
    new("beta", "bash").unwrap();
}

#[test]
fn an_idle_session_ends_and_a_working_one_does_not() {
    let manager = manager(SessionSettings::default());
    let new = |id: &str| {
        let request = SessionRequest {
            id: Some(id.into()),
            language: "bash".into(),
            idle_seconds: Some(3.0),
            ..Default::default()
        };
        manager.create(request).unwrap();
        manager.find(id).unwrap()
    };
    let (idle, busy) = (new("idle"), new("busy"));
    let cell = CellRequest { code: b"while :; do :; done &".to_vec(), ..CellRequest::default() };
    busy.run(&cell).unwrap();
    drop((idle, busy));
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    while manager.find("idle").is_ok() {
        assert!(std::time::Instant::now() < deadline, "the idle session does not end");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(manager.find("busy").is_ok(), "background work counts");
}
