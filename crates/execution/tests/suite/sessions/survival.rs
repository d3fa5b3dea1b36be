//! What a session survives, with and without its state.

use super::{manager, open, open_with};
use crate::rig::settings;
use formicary_execution::sessions::{SessionManager, SessionSettings};
use formicary_model::{CellRequest, SessionRequest, SessionState, Status};
use formicary_sandbox::providers::native::NativeSettings;
use formicary_sandbox::registry::{SandboxSettings, all};
use std::time::Duration;

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
    let result = session.run("import os; os.closerange(3, 256)");
    assert!(result.state_lost, "{result:?}");
    let result = session.run("open('file.txt').read()");
    assert_eq!((result.status, result.state_lost), (Status::Success, false), "{result:?}");
    let result = session.fails("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", Status::Signaled);
    assert_eq!((result.signal, result.state_lost), (Some(11), true));
    session.check("open('file.txt').read()", "", Some("'kept'"));
}

#[test]
fn the_memory_limit_costs_the_state_and_keeps_the_files() {
    let session = open_with("python", |request| request.limits.memory_bytes = Some(128 << 20));
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
        request.limits.output_total_bytes = Some(2_000_000);
        request.limits.cpu_seconds = Some(1.0);
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
fn files_outlive_the_sandbox_itself() {
    let session = open("python");
    session.check("import os; os.mkdir('d'); open('d/f', 'w').write('kept')", "", Some("4"));
    // The agent is the parent of the interpreter; a cell that ends it ends only its own sandbox.
    let result = session.run("import os; os.kill(os.getppid(), 9); import time; time.sleep(30)");
    assert!(result.state_lost, "{result:?}");
    session.check("open('d/f').read()", "", Some("'kept'"));
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
    let native = NativeSettings { without_cgroups: true, pool: None };
    let manager = SessionManager::new(
        settings(),
        SessionSettings::default(),
        all(&SandboxSettings { native, ..Default::default() }),
    )
    .unwrap();
    let mut request =
        SessionRequest { id: Some("s".into()), language: "python".into(), ..Default::default() };
    request.limits.memory_bytes = Some(128 << 20);
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
