//! What the adapters are for: goroutines, threads, log points, values of Rust and C++, choosing, and what is missing.

use super::{NATIVE, inspect, inspect_by, own, stopped, there, variable};
use formicary_diagnose::inspect::wire::Move;
use formicary_diagnose::inspect::{Happened, Session, scripted};
use formicary_diagnose::{failures, snapshot};
use formicary_execution::Live;
use formicary_model::{
    Breakpoint, ExecutionRequest, FailureKind, InspectRequest, Language, Source, StopReason,
};

/// Every debugger that is there, with the shop that it looks into.
fn all() -> Vec<(&'static str, Language, &'static str)> {
    let all = [
        ("debugpy", Language::Python, "shop.py"),
        ("delve", Language::Go, "shop.go"),
        ("lldb", Language::C, "shop.c"),
        ("lldb", Language::Rust, "shop.rs"),
    ];
    all.into_iter().filter(|(debugger, ..)| there(debugger)).collect()
}

#[test]
fn log_points_note_by_every_adapter() {
    for (debugger, language, entry) in all() {
        let line = if entry == "shop.go" {
            6
        } else if entry == "shop.c" {
            7
        } else {
            2
        };
        let place = format!("{entry}:{line}");
        let log = Some("count is {count}, {nonsense} too".to_owned());
        let request = InspectRequest {
            breakpoints: vec![Breakpoint { log, ..Breakpoint::read(&place) }],
            print: vec!["count".into()],
            ..InspectRequest::default()
        };
        let work = |session: &mut Session| scripted::look(session, &request, |_| {}).unwrap();
        let (seen, _) = inspect_by(Some(debugger), language, entry, &super::shop(entry), work).unwrap();
        let counts: Vec<&str> = seen.logs.iter().map(|log| log.split(',').next().unwrap()).collect();
        assert_eq!(counts, ["count is 3", "count is 2", "count is 1", "count is 0"], "{debugger}: {seen:?}");
        assert!(seen.logs.iter().all(|log| log.contains('<') && log.ends_with("too")), "{:?}", seen.logs);
        assert_eq!((seen.stops.len(), seen.debugger.as_str()), (1, debugger));
        let reason = seen.stops[0].reason;
        assert!(matches!(reason, StopReason::Exception | StopReason::Signal), "{:?}", seen.stops);
        assert!(seen.exit_code.is_some(), "{debugger}: {seen:?}");
    }
}

#[test]
fn steps_go_in_and_out_by_every_adapter() {
    for (debugger, language, entry) in all() {
        let (line, into) = match entry {
            "shop.go" => (16, "total"),
            "shop.c" => (16, "total"),
            "shop.rs" => (12, "total"),
            _ => (10, "total"),
        };
        inspect_by(Some(debugger), language, entry, &super::shop(entry), |session| {
            session.set(&Breakpoint::read(&format!("{entry}:{line}"))).unwrap();
            let mut stop = stopped(session.go(Move::Continue));
            assert_eq!(own(&stop).line, Some(line), "{debugger}");
            for _ in 0..6 {
                if own(&stop).function.as_deref().is_some_and(|name| name.ends_with(into)) {
                    break;
                }
                stop = stopped(session.go(Move::Step));
            }
            assert!(own(&stop).function.as_deref().unwrap().ends_with(into), "{debugger}: {stop:?}");
            let out = stopped(session.go(Move::Out));
            assert!(!own(&out).function.as_deref().unwrap().ends_with(into), "{debugger}: {out:?}");
            let unknown = session.set(&Breakpoint::read("no_such_function")).unwrap_err();
            assert!(unknown.to_string().contains("no_such_function"), "{debugger}: {unknown}");
            assert!(session.set(&Breakpoint::read("no_such_file.x:3")).is_err() || debugger == "debugpy");
        })
        .unwrap();
    }
}

#[test]
fn go_is_seen_by_delve_with_its_goroutines() {
    if !there("delve") {
        return;
    }
    let code = "package main\n\nimport \"fmt\"\n\ntype item struct {\n\tName string\n\tTags []string\n}\n\nfunc wait(name string, begun, done chan bool) {\n\tbegun <- true; <-done\n\tfmt.Println(name)\n}\n\nfunc show(one *item, stock map[string][]int, err error) {\n\tdefer func() { recover() }()\n\tpanic(one.Name)\n}\n\nfunc main() {\n\tbegun, done := make(chan bool), make(chan bool)\n\tfor _, name := range []string{\"a\", \"b\"} {\n\t\tgo wait(name, begun, done); <-begun\n\t}\n\tdone <- true\n\tshow(&item{\"pear\", []string{\"a\", \"b\"}}, map[string][]int{\"x\": {1, 2}}, fmt.Errorf(\"no\"))\n\tfmt.Println(\"end\")\n}\n";
    let (_, run) = inspect(Language::Go, "main.go", code, |session| {
        assert_eq!(session.debugger(), "delve");
        session.every_exception(true).unwrap();
        let stop = stopped(session.go(Move::Continue));
        // A panic that is recovered from is a stop where every exception is asked for.
        assert_eq!(stop.reason, StopReason::Exception, "{stop:?}");
        let frame = own(&stop);
        assert_eq!((frame.function.as_deref(), frame.line), (Some("main.show"), Some(17)));
        assert!(variable(frame, "one").contains("Name: \"pear\""), "{frame:?}");
        assert!(variable(frame, "stock").contains("\"x\": [1,2]"), "{frame:?}");
        assert!(variable(frame, "err").contains("no"), "{frame:?}");
        let waiting: Vec<_> =
            stop.others.iter().filter(|other| other.at.function.as_deref() == Some("main.wait")).collect();
        assert!(!waiting.is_empty() && waiting.iter().any(|other| other.at.line == Some(11)), "{stop:?}");
        assert_eq!(session.go(Move::Continue).unwrap(), Happened::Exited(0));
    })
    .unwrap();
    assert!(run.stderr.contains("end"), "{}", run.stderr);
}

#[test]
fn threads_of_python_are_seen_by_debugpy() {
    if !there("debugpy") {
        return;
    }
    let code = "import threading\n\ndef work(n):\n    doubled = n * 2\n    return doubled\n\nthread = threading.Thread(target=work, args=(21,), name='worker')\nthread.start()\nthread.join()\nprint(input())\n";
    let (_, run) = inspect_by(Some("debugpy"), Language::Python, "main.py", code, |session| {
        session.set(&Breakpoint::read("main.py:5")).unwrap();
        let stop = stopped(session.go(Move::Continue));
        assert_eq!((own(&stop).line, variable(own(&stop), "doubled")), (Some(5), "42"), "{stop:?}");
        assert!(stop.others.iter().any(|other| other.name == "MainThread"), "{stop:?}");
        // There is nothing to read: the exception of the main thread, which nobody catches.
        let end = stopped(session.go(Move::Continue));
        assert!(end.text.starts_with("EOFError"), "{end:?}");
        assert_eq!(session.go(Move::Continue).unwrap(), Happened::Exited(1));
    })
    .unwrap();
    assert!(run.stderr.contains("EOFError"), "{}", run.stderr);
    // Where it is not there, what the interpreter brings along is taken, and says what it does not see.
    let (seen, _) = inspect(Language::Python, "main.py", code, |session| {
        (session.debugger().to_owned(), session.notes.clone())
    })
    .unwrap();
    assert!(seen.0 == "debugpy" || seen.0 == "bdb" && seen.1[0].contains("main thread"), "{seen:?}");
}

#[test]
fn values_of_rust_and_cpp_are_shown_by_lldb() {
    if !there("lldb") {
        return;
    }
    let rust = "struct Item { name: String, tags: Vec<&'static str> }\n\nfn show(one: &Item, none: Option<i32>, text: &str) {\n    let first = one.tags[0];\n    panic!(\"{} {first} {none:?} {text}\", one.name);\n}\n\nfn main() {\n    show(&Item { name: \"pear\".into(), tags: vec![\"a\", \"b\"] }, Some(3), \"word\");\n}\n";
    let (_, run) = inspect_by(Some("lldb"), Language::Rust, "main.rs", rust, |session| {
        let stop = stopped(session.go(Move::Continue));
        assert_eq!((stop.reason, stop.text.as_str()), (StopReason::Exception, "panic"));
        let frame = own(&stop);
        assert_eq!((frame.function.as_deref(), frame.line), (Some("main::show"), Some(5)), "{stop:?}");
        assert_eq!((variable(frame, "text"), variable(frame, "first")), ("\"word\"", "\"a\""), "{frame:?}");
        let one = variable(frame, "one");
        assert!(one.contains("\"pear\"") && one.contains("\"a\", \"b\""), "{one}");
    })
    .unwrap();
    assert!(run.stderr.contains("pear a Some(3) word"), "{}", run.stderr);
    let cpp = "#include <map>\n#include <string>\n#include <stdexcept>\n\nstruct node { int value; node *next; };\n\nint main() {\n    std::map<std::string, int> stock{{\"pear\", 3}};\n    node last{2, nullptr}, first{1, &last};\n    last.next = &first;\n    try { throw std::runtime_error(\"no\"); } catch (...) {}\n    std::string text = \"word\";\n    return stock.at(text);\n}\n";
    inspect_by(Some("lldb"), Language::Cpp, "main.cpp", cpp, |session| {
        session.every_exception(true).unwrap();
        let thrown = stopped(session.go(Move::Continue));
        assert_eq!(thrown.reason, StopReason::Exception, "{thrown:?}");
        assert_eq!(own(&thrown).line, Some(11), "{thrown:?}");
        // A ring of nodes ends somewhere.
        let ring = variable(own(&thrown), "first").to_owned();
        assert!(ring.contains("value: 1") && ring.contains("value: 2") && ring.len() < 700, "{ring}");
        assert!(variable(own(&thrown), "stock").contains("\"pear\""), "{thrown:?}");
        session.every_exception(false).unwrap();
        let end = stopped(session.go(Move::Continue));
        assert_eq!(end.reason, StopReason::Signal, "{end:?}");
        assert!(end.text.contains("SIGABRT"), "{end:?}");
    })
    .unwrap();
}

#[test]
fn a_debugger_of_another_language_is_refused() {
    let failure = inspect_by(Some("delve"), Language::Python, "a.py", "x = 1", |_| ()).unwrap_err();
    assert_eq!(failure.kind, FailureKind::InvalidInput);
    assert!(failure.hint.unwrap().contains("bdb, debugpy"));
}

/// Ten thousand calls and a million items, by the debuggers that read them for us.
#[test]
fn depth_and_size_stay_bounded_by_every_adapter() {
    let go = "package main\n\nfunc deep(n int, many []int) int {\n\tif n == 0 {\n\t\treturn many[len(many)]\n\t}\n\treturn deep(n-1, many) + 1\n}\n\nfunc main() {\n\tdeep(10000, make([]int, 1000000))\n}\n";
    let c = "#include <stdlib.h>\nint deep(int n, int (*many)[1000000]) {\n    if (n == 0) abort();\n    return deep(n - 1, many) + 1;\n}\nstatic int many[1000000];\nint main(void) { return deep(10000, &many); }\n";
    let python = "import sys\nsys.setrecursionlimit(30000)\nmany = list(range(10**6))\ncycle = []\ncycle.append(cycle)\n\nclass Liar:\n    def __repr__(self):\n        raise SystemExit(7)\n\nliar = Liar()\n\ndef deep(n):\n    return deep(n - 1) + 1 if n else 1 // 0\n\ndeep(10000)\n";
    for (debugger, language, entry, code) in [
        ("delve", Language::Go, "main.go", go),
        ("lldb", Language::C, "main.c", c),
        ("debugpy", Language::Python, "main.py", python),
    ] {
        if !there(debugger) {
            continue;
        }
        let (stop, _) = inspect_by(Some(debugger), language, entry, code, |session| {
            session.every_exception(false).unwrap();
            stopped(session.go(Move::Continue))
        })
        .unwrap();
        assert!(stop.frames.len() <= 50, "{debugger}: {} frames", stop.frames.len());
        let mut variables = stop.frames.iter().flat_map(|frame| &frame.variables);
        assert!(variables.all(|variable| variable.value.len() <= 2_400), "{debugger}: {stop:?}");
        assert!(own(&stop).function.as_deref().unwrap().ends_with("deep"), "{debugger}: {stop:?}");
    }
}

/// A crash of Go as `diagnose` shows it: the frames of the panic's own text, with what delve saw in them.
#[test]
fn a_crash_of_go_has_its_variables_by_delve() {
    if !there("delve") {
        return;
    }
    let code = super::shop("shop.go");
    let source = Source::Code { code: code.clone().into_bytes(), file_name: Some("shop.go".into()) };
    let request = ExecutionRequest { language: Some("go".into()), source, ..ExecutionRequest::default() };
    let result = NATIVE.execute(request.clone(), Live::default()).unwrap();
    let mut diagnosis = failures::of_result(&result, &failures::sources_of(&request, "go"));
    let looked_for = InspectRequest { most_stops: 1, ..InspectRequest::default() };
    let work = |session: &mut Session| scripted::look(session, &looked_for, |_| {}).unwrap();
    let (seen, _) = inspect(Language::Go, "shop.go", &code, work).unwrap();
    assert_eq!(seen.debugger, "delve");
    snapshot::attach_seen(&mut diagnosis, &seen.stops[0].frames);
    let error = diagnosis.main().unwrap();
    let frame = error.stack.iter().find(|frame| frame.own).unwrap();
    assert_eq!((frame.line, variable(frame, "count")), (Some(8), "0"), "{error:?}");
    assert!(variable(frame, "prices").contains("[6,12]"), "{error:?}");
}
