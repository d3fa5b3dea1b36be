//! Sessions in the native sandbox: what persists, what survives, what is kept apart.

use crate::rig::settings;
use formicary_execution::sessions::{Session, SessionManager, SessionSettings};
use formicary_model::{
    CellRequest, CellResult, Failure, Limits, SessionRequest, SessionState, SourceFile, Status, Stream,
};
use formicary_sandbox::providers::native::NativeSettings;
use formicary_sandbox::registry::{SandboxSettings, all};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

static SKIPS: formicary_testkit::skips::Skips = formicary_testkit::skips::Skips::new();
static MANAGER: LazyLock<SessionManager> = LazyLock::new(|| manager(SessionSettings::default()));

fn manager(settings_of_sessions: SessionSettings) -> SessionManager {
    SessionManager::new(settings(), settings_of_sessions, all(&SandboxSettings::default())).unwrap()
}

/// A session that is closed at the end of its test.
struct Open(Arc<Session>);

impl Drop for Open {
    fn drop(&mut self) {
        let _ = MANAGER.close(self.0.id());
    }
}

fn open(language: &str) -> Open {
    open_with(language, |_| {})
}

fn open_with(language: &str, change: impl FnOnce(&mut SessionRequest)) -> Open {
    let mut request = SessionRequest { language: language.into(), ..SessionRequest::default() };
    change(&mut request);
    let info = MANAGER.create(request).unwrap_or_else(|failure| panic!("{failure:?}"));
    assert_eq!(info.state, SessionState::Ready);
    Open(MANAGER.find(&info.id).unwrap())
}

impl Open {
    fn run(&self, code: &str) -> CellResult {
        self.try_run(code).unwrap_or_else(|failure| panic!("{code}: {failure:?}"))
    }

    fn try_run(&self, code: &str) -> Result<CellResult, Failure> {
        self.0.run(&CellRequest { code: code.into(), ..CellRequest::default() })
    }

    fn run_for(&self, code: &str, seconds: f64) -> CellResult {
        let cell = CellRequest { code: code.into(), wall_seconds: Some(seconds), ..CellRequest::default() };
        self.0.run(&cell).unwrap_or_else(|failure| panic!("{code}: {failure:?}"))
    }

    /// Runs a cell that succeeds, and checks what it printed and its value.
    fn check(&self, code: &str, printed: &str, value: Option<&str>) {
        let result = self.run(code);
        assert_eq!(result.status, Status::Success, "{code}: {result:?}");
        assert_eq!(result.stdout, printed, "{code}: {result:?}");
        assert!(!result.state_lost, "{code}: {result:?}");
        let shown = result.value.as_ref().map(|value| value["text/plain"].as_str());
        assert_eq!(shown, value, "{code}: {result:?}");
    }

    /// Runs a cell that does not succeed.
    fn fails(&self, code: &str, status: Status) -> CellResult {
        let result = self.run(code);
        assert_eq!(result.status, status, "{code}: {result:?}");
        assert!(result.error_message.is_some(), "{code}: {result:?}");
        result
    }
}

#[test]
fn python_keeps_variables_imports_functions_folder_and_environment() {
    let session = open("python");
    for (code, printed, value) in [
        ("x = 20\nimport math, os\ndef double(n):\n    return 2 * n", "", None),
        ("double(x) + math.floor(2.5)", "", Some("42")),
        ("print('hello'); x", "hello\n", Some("20")),
        ("os.mkdir('sub'); os.chdir('sub'); os.environ['A'] = 'b'", "", None),
        ("os.getcwd(), os.environ['A'], __name__", "", Some("('/work/sub', 'b', '__main__')")),
        ("_", "", Some("('/work/sub', 'b', '__main__')")),
        ("import asyncio\nawait asyncio.sleep(0.01)\nx + 1", "", Some("21")),
        ("x;", "", None),
        ("None", "", None),
        ("# nothing at all", "", None),
        ("os.listdir('/work')", "", Some("['sub']")),
        (
            "class C:\n    pass\nimport pickle\ntype(pickle.loads(pickle.dumps(C()))).__name__",
            "",
            Some("'C'"),
        ),
    ] {
        session.check(code, printed, value);
    }
    assert_eq!(session.run("1").execution_count, 13);
}

#[test]
fn javascript_keeps_declarations_folder_and_environment() {
    let session = open("javascript");
    for (code, printed, value) in [
        ("let a = 1; const b = 2; var c = 3; function sum() { return a + b + c }", "", None),
        ("sum()", "", Some("6")),
        ("let a = 10; sum()", "", Some("15")),
        ("class P { x = 1 }; new P()", "", Some("P { x: 1 }")),
        ("console.log('hello'); new P().x", "hello\n", Some("1")),
        ("const w = await new Promise(r => setTimeout(() => r(7), 20)); w", "", Some("7")),
        (
            "const fs = require('fs'); fs.mkdirSync('d'); process.chdir('d'); process.env.A = 'b'",
            "",
            Some("'b'"),
        ),
        ("[process.cwd(), process.env.A, w]", "", Some("[ '/work/d', 'b', 7 ]")),
        ("setTimeout(() => console.log('later'), 10); undefined", "", None),
    ] {
        session.check(code, printed, value);
    }
    assert_eq!(session.run("await new Promise(r => setTimeout(r, 300))").stdout, "later\n");
    let result = session.fails("function f() { throw new RangeError('deep') }\nf()", Status::NonzeroExit);
    let exception = result.exception.unwrap();
    assert_eq!((exception.kind.as_str(), exception.message.as_str()), ("RangeError", "deep"));
    assert_eq!(exception.frames.last().unwrap().function, "f", "{exception:?}");
    session.fails("let z = ;", Status::NonzeroExit);
    session.check("a", "", Some("10"));
}

#[test]
fn bash_keeps_variables_functions_folder_options_and_environment() {
    let session = open("bash");
    for (code, printed) in [
        ("x=1; export Y=2; f() { echo \"f $x $1\"; }; mkdir d; cd d; shopt -s nullglob; set -u", ""),
        (
            "f 'it''s'; pwd; env | grep ^Y=; echo $-; shopt nullglob",
            "f 1 its\n/work/d\nY=2\nhiuBs\nnullglob       \ton\n",
        ),
        ("for i in 1 2; do\n  echo $i\ndone", "1\n2\n"),
        ("cat; read v; echo \"[${v:-}]\"", "[]\n"),
        ("echo 'a' | tr a b", "b\n"),
        ("exec 1>&-", ""),
        ("echo back", "back\n"),
    ] {
        session.check(code, printed, None);
    }
    assert_eq!(session.fails("echo $nothing", Status::NonzeroExit).exit_code, Some(1));
    assert_eq!(session.fails("(exit 7)", Status::NonzeroExit).exit_code, Some(7));
    assert!(session.fails("if then", Status::NonzeroExit).stderr.contains("syntax error"));
    let result = session.run_for("while :; do :; done", 0.5);
    assert_eq!((result.status, result.state_lost), (Status::Timeout, false), "{result:?}");
    let result = session.run_for("sleep 30; echo no", 0.5);
    assert_eq!((result.status, result.state_lost, result.stdout.as_str()), (Status::Timeout, false, ""));
    session.check("f 2", "f 1 2\n", None);
    // Leaving hands everything on to the next shell; being killed does not.
    session.check(
        "list=(a 'b c'); declare -A map=([k]='v w'); alias hi='echo hello'; mkdir \"d e\"; cd 'd e'",
        "",
        None,
    );
    for (leave, code) in [("exit 5", 5), ("set -e\nfalse\necho no", 1), ("f x; exit 6", 6)] {
        let result = session.run(leave);
        assert_eq!((result.exit_code, result.state_lost), (Some(code), false), "{leave}: {result:?}");
        session.check("set +e; f 3; pwd; echo ${#list[@]} \"${list[1]}\" ${map[k]}; hi; shopt -q nullglob && echo on; env | grep ^Y=; echo $-",
            "f 1 3\n/work/d/d e\n2 b c v w\nhello\non\nY=2\nhiuBs\n", None);
    }
    let result = session.fails("kill -9 $$", Status::Signaled);
    assert!(result.state_lost, "{result:?}");
    session.check("echo ${x-gone}; pwd; ls -d d", "gone\n/work\nd\n", None);
}

#[test]
fn exceptions_are_structured() {
    let session = open("python");
    let result = session.fails("def f(n):\n    return 1 / n\nf(0)", Status::NonzeroExit);
    let exception = result.exception.unwrap();
    assert_eq!(
        (exception.kind.as_str(), exception.message.as_str()),
        ("ZeroDivisionError", "division by zero")
    );
    let frames: Vec<_> = exception
        .frames
        .iter()
        .map(|f| (f.file.as_str(), f.line, f.function.as_str(), f.text.as_str()))
        .collect();
    assert_eq!(frames, [("<cell 1>", 3, "<module>", "f(0)"), ("<cell 1>", 2, "f", "return 1 / n")]);
    assert!(!exception.traceback.contains("<formicary>"), "{}", exception.traceback);
    let exception = session.fails("x = = 1", Status::NonzeroExit).exception.unwrap();
    assert_eq!((exception.kind.as_str(), exception.frames[0].text.as_str()), ("SyntaxError", "x = = 1"));
    assert_eq!(session.fails("import sys; sys.exit(3)", Status::NonzeroExit).exit_code, Some(3));
    session.check("f(1)", "", Some("1.0"));
}

#[test]
fn rich_values_and_displays() {
    let session = open("python");
    let result = session.run(
        "class T:\n    def _repr_html_(self): return '<b>t</b>'\n    def _repr_png_(self): return b'\\x89PNG'\n\
         \x20   def _repr_json_(self): return {'a': 1}\n    def __repr__(self): return 'T()'\n\
         display(T(), 5)\nT()",
    );
    let value = result.value.unwrap();
    for (mime, data) in [
        ("text/html", "<b>t</b>"),
        ("image/png", "iVBORw=="),
        ("application/json", "{\"a\": 1}"),
        ("text/plain", "T()"),
    ] {
        assert_eq!(value[mime], data, "{value:?}");
    }
    assert_eq!(result.displays.len(), 2);
    assert_eq!(result.displays[1]["text/plain"], "5");
    session.check(
        "class B:\n    def __repr__(self): raise ValueError\nB()",
        "",
        Some("<B whose repr raised ValueError>"),
    );
    let long = session.run("'x' * 10_000_000").value.unwrap();
    assert!(long["text/plain"].len() < 1_100_000 && long["text/plain"].contains("left out"));
}

#[test]
fn figures_and_tables_are_shown_without_being_asked_for() {
    let Some(venv) = std::env::var("FORMICARY_TEST_VENV").ok().filter(|path| !path.is_empty()) else {
        SKIPS.note("sessions: figures", "FORMICARY_TEST_VENV names no virtual environment");
        return;
    };
    let session = open_with("python", |request| {
        request.venv = Some(venv);
        request.limits.memory_bytes = 1 << 30;
    });
    let result = session.run("import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nplt.title('t');");
    assert_eq!(result.status, Status::Success, "{result:?}");
    assert_eq!(result.displays.len(), 1, "{result:?}");
    assert!(result.displays[0]["image/png"].starts_with("iVBORw0KGgo"), "a PNG's first bytes");
    let result = session.run("plt.plot([3, 2, 1]); plt.show(); print('shown')");
    assert_eq!((result.displays.len(), result.stdout.as_str(), result.stderr.as_str()), (1, "shown\n", ""));
    assert!(session.run("1").displays.is_empty());
    if session.run("import pandas as pd").status == Status::Success {
        let value = session.run("pd.DataFrame({'a': [1, 2]})").value.unwrap();
        assert!(value["text/html"].contains("<table") && value["text/plain"].contains('a'), "{value:?}");
    } else {
        SKIPS.note("sessions: tables", "the virtual environment has no pandas");
    }
}

#[test]
fn a_session_survives_what_cells_do_to_it() {
    let session = open("python");
    session.check("keep = 'me'; open('file.txt', 'w').write('kept')", "", Some("4"));
    for (code, status) in [
        ("def broken(:", Status::NonzeroExit),
        ("raise RuntimeError('no')", Status::NonzeroExit),
        ("raise KeyboardInterrupt", Status::Signaled),
        ("import sys; sys.stdout.close(); sys.stderr.close()", Status::Success),
        ("import os; os.close(1); os.close(2); os.close(0)", Status::Success),
        ("import os, sys\nif os.fork() == 0:\n    print('child')\nelse:\n    os.wait()", Status::Success),
        ("import os\nfor _ in range(5): os.fork()", Status::Success),
        (
            "import threading, time\nt = threading.Thread(target=lambda: time.sleep(60), daemon=True); t.start()",
            Status::Success,
        ),
        ("import threading\nthreading.Thread(target=lambda: 1 / 0).start()", Status::Success),
        ("import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)", Status::Success),
        ("import sys; sys.stdout = None", Status::Success),
        ("exit()", Status::Success),
        ("import sys; sys.stdin.read()", Status::Success),
        ("import os; os.write(101, b'\\x0b\\0\\0\\0{\"exit\": 9}')", Status::Success),
        ("import builtins; del builtins.print", Status::Success),
    ] {
        let result = session.run(code);
        assert_eq!((result.status, result.state_lost), (status, false), "{code}: {result:?}");
        session.check("keep", "", Some("'me'"));
    }
    // Ten million bytes come as head and tail, counted to the last byte.
    let result = session.run("import sys\nfor _ in range(10): sys.stdout.write('x' * 999_999 + '\\n')");
    assert_eq!((result.status, result.output.stdout_bytes), (Status::Success, 10_000_000));
    assert!(result.truncated && result.stdout.len() < 1_100_000);
    session.check("keep", "", Some("'me'"));
    let result = session.run("import os; os._exit(7)");
    assert_eq!((result.status, result.exit_code, result.state_lost), (Status::NonzeroExit, Some(7), true));
    assert!(result.error_message.unwrap().contains("state was lost"));
    session.fails("keep", Status::NonzeroExit);
    session.check("open('file.txt').read()", "", Some("'kept'"));
    let result = session.fails("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", Status::Signaled);
    assert_eq!((result.signal, result.state_lost), (Some(11), true));
    session.check("open('file.txt').read()", "", Some("'kept'"));
}

#[test]
fn the_memory_limit_costs_the_state_and_keeps_the_files() {
    let session = open_with("python", |request| request.limits.memory_bytes = 128 << 20);
    session.check("x = 1; open('file.txt', 'w').write('kept')", "", Some("4"));
    let result = session.run("b = []\nwhile True: b.append(bytearray(8_000_000))");
    assert_eq!((result.status, result.state_lost), (Status::MemoryLimit, true), "{result:?}");
    assert!(result.error_message.unwrap().contains("state was lost, its files are kept"));
    session.fails("x", Status::NonzeroExit);
    session.check("open('file.txt').read()", "", Some("'kept'"));
}

#[test]
fn time_limits_interrupt_and_only_kill_what_does_not_obey() {
    let session = open("python");
    session.check("x = 1", "", None);
    let result = session.run_for("print('before', flush=True)\nwhile True: pass", 0.5);
    assert_eq!(
        (result.status, result.state_lost, result.stdout.as_str()),
        (Status::Timeout, false, "before\n")
    );
    let result = session.run_for("import time; time.sleep(60)", 0.5);
    assert_eq!((result.status, result.state_lost), (Status::Timeout, false), "{result:?}");
    session.check("x", "", Some("1"));
    let stubborn = "import time\nwhile True:\n    try: time.sleep(10)\n    except BaseException: pass";
    let result = session.run_for(stubborn, 0.5);
    assert_eq!((result.status, result.state_lost), (Status::Timeout, true), "{result:?}");
    session.fails("x", Status::NonzeroExit);
    let script = open("javascript");
    script.check("let x = 1", "", None);
    for code in ["while (true) {}", "await new Promise(() => {})"] {
        let result = script.run_for(code, 0.5);
        assert_eq!((result.status, result.state_lost), (Status::Timeout, false), "{code}: {result:?}");
    }
    script.check("x", "", Some("1"));
    assert!(script.0.run(&CellRequest { wall_seconds: Some(0.0), ..CellRequest::default() }).is_err());
}

#[test]
fn output_and_cpu_limits_hold_for_each_cell() {
    let session = open_with("python", |request| {
        request.limits.output_total_bytes = 2_000_000;
        request.limits.cpu_seconds = 1.0;
    });
    session.check("x = 1", "", None);
    let result = session.run("while True: print('x' * 1000)");
    assert_eq!(
        (result.status, result.state_lost),
        (Status::OutputLimit, false),
        "{:?}",
        result.error_message
    );
    let result = session.run("while True: pass");
    assert_eq!((result.status, result.state_lost), (Status::CpuLimit, false), "{result:?}");
    session.check("x", "", Some("1"));
}

#[test]
fn a_caller_interrupts_another_without_loss() {
    let session = open("python");
    session.check("x = 1", "", None);
    assert!(!session.0.interrupt(), "nothing runs");
    let result = std::thread::scope(|scope| {
        let cell = scope.spawn(|| session.run("while True: pass"));
        while session.0.info().state != SessionState::Running {
            std::thread::yield_now();
        }
        assert!(session.0.interrupt());
        cell.join().unwrap()
    });
    assert_eq!((result.status, result.signal, result.state_lost), (Status::Signaled, Some(2), false));
    session.check("x", "", Some("1"));
}

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
fn files_outlive_the_sandbox_itself() {
    let session = open("python");
    session.check("import os; os.mkdir('d'); open('d/f', 'w').write('kept')", "", Some("4"));
    // The keeper is the parent of the interpreter; a cell that ends it ends only its own sandbox.
    let result = session.run("import os; os.kill(os.getppid(), 9); import time; time.sleep(30)");
    assert!(result.state_lost, "{result:?}");
    session.check("open('d/f').read()", "", Some("'kept'"));
}

#[test]
fn a_keeper_that_is_taken_over_hurts_only_its_session() {
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
    const CLAIMS: &str = include_str!("../../../../tests/conformance/programs/python/claims.py");
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
fn a_sandbox_that_outlived_its_time_leaves_its_files_to_the_next() {
    let brief = manager(SessionSettings { lifetime: Duration::from_secs(2), ..SessionSettings::default() });
    let request = SessionRequest { id: Some("s".into()), language: "bash".into(), ..Default::default() };
    brief.create(request).unwrap();
    let session = brief.find("s").unwrap();
    let run = |code: &str| {
        session
            .run(&CellRequest { code: code.into(), ..CellRequest::default() })
            .unwrap_or_else(|f| panic!("{f:?}"))
    };
    run("x=1; mkdir d; echo kept > d/f");
    let ended = run("sleep 20");
    assert!(ended.state_lost && ended.status == Status::Timeout, "{ended:?}");
    let next = run("echo ${x-gone}; cat d/f");
    assert_eq!((next.stdout.as_str(), next.state_lost), ("gone\nkept\n", false), "{next:?}");
}

#[test]
fn memory_that_is_only_watched_costs_the_state_too() {
    let native = NativeSettings { without_cgroups: true };
    let manager =
        SessionManager::new(settings(), SessionSettings::default(), all(&SandboxSettings { native }))
            .unwrap();
    let mut request =
        SessionRequest { id: Some("s".into()), language: "python".into(), ..Default::default() };
    request.limits.memory_bytes = 128 << 20;
    manager.create(request).unwrap();
    let session = manager.find("s").unwrap();
    let run = |code: &str| {
        session
            .run(&CellRequest { code: code.into(), ..CellRequest::default() })
            .unwrap_or_else(|f| panic!("{f:?}"))
    };
    run("open('f', 'w').write('kept')");
    let result = run("b = []\nwhile True: b.append(bytearray(1_000_000))");
    assert_eq!((result.status, result.state_lost), (Status::MemoryLimit, true), "{result:?}");
    assert_eq!(run("open('f').read()").value.unwrap()["text/plain"], "'kept'");
}

#[test]
fn other_languages_keep_their_files() {
    let session = open("c");
    let result = session.run("#include <stdio.h>\n#include \"part.h\"\nint main(void) { return 0; }");
    assert_eq!(result.status, Status::CompileError, "{result:?}");
    let part = SourceFile {
        path: "part.h".into(),
        content: b"#define WORD \"from the header\"\n".to_vec(),
        executable: false,
    };
    session.0.put(&[part]).unwrap();
    let write = "#include <stdio.h>\n#include \"part.h\"\n\
                 int main(void) { FILE *f = fopen(\"out.txt\", \"w\"); fputs(WORD, f); fclose(f); puts(WORD); return 0; }";
    assert_eq!(session.run(write).stdout, "from the header\n");
    let read = "#include <stdio.h>\nint main(void) { char b[99]; FILE *f = fopen(\"out.txt\", \"r\"); puts(fgets(b, 99, f)); return 3; }";
    let result = session.run(read);
    assert_eq!((result.stdout.as_str(), result.exit_code), ("from the header\n", Some(3)), "{result:?}");
    let names: Vec<_> = session.0.files().unwrap().into_iter().map(|file| file.path).collect();
    assert_eq!(names, ["main.c", "out.txt", "part.h"]);
    assert_eq!(session.0.get("out.txt").unwrap().content, b"from the header");
    assert!(!session.0.info().keeps_state);
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
    let limits = Limits { memory_bytes: 1, ..Limits::default() };
    assert!(few.create(SessionRequest { language: "bash".into(), limits, ..Default::default() }).is_err());
    assert!(
        few.create(SessionRequest { language: "bash".into(), idle_seconds: Some(0.0), ..Default::default() })
            .is_err()
    );
    assert!(
        few.create(SessionRequest { language: "bash".into(), venv: Some("/x".into()), ..Default::default() })
            .is_err()
    );
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
