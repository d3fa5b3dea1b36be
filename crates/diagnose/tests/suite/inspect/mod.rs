//! The same small shop in eight languages, under each language's real debugger, in the sandbox.

mod adapters;
mod hostile;

use crate::NATIVE;
use formicary_diagnose::inspect::wire::Move;
use formicary_diagnose::inspect::{Happened, Session, drivers, scripted, typescript, with_session};
use formicary_execution::Live;
use formicary_model::{
    Breakpoint, ExecutionRequest, ExecutionResult, Failure, InspectRequest, Language, Source, StackFrame,
    Stop, StopReason,
};
use formicary_sandbox::Cancel;
use formicary_testkit::skips::Skips;

fn inspect<T>(
    language: Language,
    entry: &str,
    code: &str,
    work: impl FnOnce(&mut Session) -> T,
) -> Result<(T, ExecutionResult), Failure> {
    inspect_by(None, language, entry, code, work)
}

fn inspect_by<T>(
    adapter: Option<&str>,
    language: Language,
    entry: &str,
    code: &str,
    work: impl FnOnce(&mut Session) -> T,
) -> Result<(T, ExecutionResult), Failure> {
    let source = Source::Code { code: code.into(), file_name: Some(entry.into()) };
    let mut request = ExecutionRequest { source, ..ExecutionRequest::default() };
    request.limits.wall_seconds = Some(120.0);
    request.limits.cpu_seconds = Some(120.0);
    request.limits.memory_bytes = Some(2 << 30);
    if adapter == Some("debugpy") {
        request.venv = venv();
    }
    let planned = drivers::plan(&request, language, entry, adapter)?;
    let execute = |request: ExecutionRequest, live: Live<'_>| NATIVE.execute(request, live);
    with_session(planned, &Cancel::default(), execute, work)
}

fn shop(entry: &str) -> String {
    let path = format!("{}/tests/samples/shop/{entry}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn stopped(happened: Result<Happened, formicary_diagnose::inspect::Trouble>) -> Stop {
    match happened.unwrap() {
        Happened::Stopped(stop) => stop,
        other => panic!("expected a stop, not {other:?}"),
    }
}

fn own(stop: &Stop) -> &StackFrame {
    stop.frames.iter().find(|frame| frame.own).unwrap_or_else(|| panic!("no own frame: {stop:?}"))
}

fn variable<'a>(frame: &'a StackFrame, name: &str) -> &'a str {
    let found = frame.variables.iter().find(|variable| variable.name == name);
    &found.unwrap_or_else(|| panic!("no {name} in {frame:?}")).value
}

/// What differs between the languages.
struct Case {
    language: Language,
    entry: &'static str,
    condition: &'static str,
    /// The first line of the function's body.
    first: u32,
    /// The line that fails.
    fails: u32,
    expression: &'static str,
    value: &'static str,
    failure: (StopReason, &'static str),
    debugger: &'static str,
}

/// Whether a debugger is there; where it is not, that is noted.
fn there(debugger: &str) -> bool {
    let (program, what) = match debugger {
        "gdb" => ("/usr/bin/gdb", "gdb"),
        "lldb" => ("/usr/bin/lldb-dap-19", "lldb-19"),
        "delve" => ("/usr/bin/dlv", "delve"),
        "debugpy" => return venv().is_some(),
        _ => return true,
    };
    let found = std::path::Path::new(program).exists();
    if !found {
        Skips::new().note(&format!("inspecting by {debugger}"), &format!("{what} is not installed"));
    }
    found
}

/// The virtual environment with debugpy in it; where there is none, that is noted.
fn venv() -> Option<String> {
    let venv = std::env::var_os("FORMICARY_TEST_VENV").and_then(|path| path.into_string().ok());
    let found = venv.filter(|venv| {
        let libraries = std::fs::read_dir(format!("{venv}/lib")).into_iter().flatten().flatten();
        libraries.map(|entry| entry.path().join("site-packages/debugpy")).any(|path| path.exists())
    });
    if found.is_none() {
        let why = "debugpy is not in the virtual environment (FORMICARY_TEST_VENV)";
        Skips::new().note("inspecting by debugpy", why);
    }
    found
}

fn check(case: &Case) {
    if !there(case.debugger) {
        return;
    }
    let code = shop(case.entry);
    let (_, run) = inspect_by(Some(case.debugger), case.language, case.entry, &code, |session| {
        assert_eq!(session.debugger(), case.debugger);
        let point = Breakpoint {
            function: Some("total".into()),
            condition: Some(case.condition.into()),
            ..Breakpoint::default()
        };
        session.set(&point).unwrap();
        let missing =
            Breakpoint { file: Some(case.entry.into()), line: Some(9_999), ..Breakpoint::default() };
        assert!(session.set(&missing).is_err(), "{}: a line that is not there", case.entry);
        session.every_exception(false).unwrap();
        // The stop that was asked for, and only that.
        let stop = stopped(session.go(Move::Continue));
        let frame = own(&stop);
        assert_eq!(stop.reason, StopReason::Breakpoint, "{stop:?}");
        assert_eq!(frame.file.as_deref(), Some(case.entry), "{stop:?}");
        assert!(frame.line.unwrap().abs_diff(case.first) <= 1, "{}: line {:?}", case.entry, frame.line);
        assert!(frame.function.as_deref().unwrap().ends_with("total"), "{frame:?}");
        let two = if case.language == Language::JavaScript { "{value: 2}" } else { "2" };
        assert_eq!(variable(frame, "count").trim_matches('"'), two, "{frame:?}");
        assert!(stop.frames.iter().filter(|frame| frame.own).count() >= 2, "{stop:?}");
        // Expressions, and nonsense.
        let value = session.evaluate(0, case.expression);
        assert_eq!((value.error.as_deref(), value.value.as_str()), (None, case.value), "{}", case.entry);
        if case.language != Language::Bash {
            assert!(session.evaluate(0, "no_such_name_at_all").error.is_some(), "{}", case.entry);
        }
        // A step leads to another line of the same function.
        let next = stopped(session.go(Move::Next));
        assert_eq!(next.reason, StopReason::Step, "{next:?}");
        assert_ne!(own(&next).line, frame.line, "{}", case.entry);
        // Then the failure, with what stood in the variables.
        let end = stopped(session.go(Move::Continue));
        let (reason, text) = case.failure;
        assert_eq!(end.reason, reason, "{end:?}");
        assert!(end.text.contains(text), "{end:?}");
        let frame = own(&end);
        assert_eq!(frame.line, Some(case.fails), "{end:?}");
        if case.language == Language::JavaScript {
            assert_eq!(variable(frame, "count"), "null");
        } else if case.language != Language::Bash {
            assert_eq!(variable(frame, "count"), "0");
        }
        assert!(!matches!(session.go(Move::Continue).unwrap(), Happened::Stopped(_)), "{}", case.entry);
    })
    .unwrap();
    assert!(run.stderr.contains("open"), "{}: {}", case.entry, run.stderr);
}

macro_rules! shops {
    ($($test:ident: $language:ident $entry:literal if $condition:literal at $first:literal fails $fails:literal,
        $expression:literal = $value:literal, $reason:ident $text:literal, $debugger:literal;)*) => { $(
        #[test]
        fn $test() {
            check(&Case {
                language: Language::$language,
                entry: $entry,
                condition: $condition,
                first: $first,
                fails: $fails,
                expression: $expression,
                value: $value,
                failure: (StopReason::$reason, $text),
                debugger: $debugger,
            });
        }
    )* };
}

shops! {
    python: Python "shop.py" if "count == 2" at 2 fails 4, "prices[1] * count" = "24", Exception "ZeroDivisionError", "bdb";
    python_by_debugpy: Python "shop.py" if "count == 2" at 2 fails 4, "prices[1] * count" = "24", Exception "ZeroDivisionError: integer division", "debugpy";
    javascript: JavaScript "shop.js" if "count && count.value === 2" at 2 fails 4, "prices.length" = "2", Exception "TypeError", "v8";
    java: Java "Shop.java" if "count == 2" at 5 fails 7, "count" = "2", Exception "ArithmeticException", "jdi";
    c: C "shop.c" if "count == 2" at 6 fails 7, "prices->second * count" = "24", Signal "SIGFPE", "gdb";
    c_by_lldb: C "shop.c" if "count == 2" at 6 fails 7, "prices->second * count" = "24", Signal "SIGFPE", "lldb";
    cpp: Cpp "shop.cpp" if "count == 2" at 5 fails 7, "count * 3" = "6", Signal "SIGFPE", "gdb";
    cpp_by_lldb: Cpp "shop.cpp" if "count == 2" at 5 fails 7, "prices" = "[6, 12]", Signal "SIGFPE", "lldb";
    rust: Rust "shop.rs" if "count == 2" at 2 fails 4, "count * 3" = "6", Exception "panic", "gdb";
    rust_by_lldb: Rust "shop.rs" if "count == 2" at 2 fails 4, "count * 3" = "6", Exception "panic", "lldb";
    go: Go "shop.go" if "count == 2" at 6 fails 8, "count * 3" = "6", Exception "panic", "gdb";
    go_by_delve: Go "shop.go" if "count == 2" at 6 fails 8, "count * 3" = "6", Exception "integer divide by zero", "delve";
    bash: Bash "shop.sh" if "[ \"$1\" = 2 ]" at 3 fails 14, "$1" = "2", Exception "cat /no/such/file", "traps";
}

#[test]
fn log_points_note_and_do_not_stop() {
    let request = InspectRequest {
        breakpoints: vec![Breakpoint {
            log: Some("count is {count}".into()),
            ..Breakpoint::read("shop.py:2")
        }],
        ..InspectRequest::default()
    };
    let work = |session: &mut Session| scripted::look(session, &request, |_| {}).unwrap();
    let (seen, _) = inspect(Language::Python, "shop.py", &shop("shop.py"), work).unwrap();
    assert_eq!(seen.logs, ["count is 3", "count is 2", "count is 1", "count is 0"]);
    assert_eq!((seen.stops.len(), seen.exit_code), (1, Some(1)));
}

#[test]
fn steps_go_in_and_out() {
    inspect(Language::Python, "shop.py", &shop("shop.py"), |session| {
        session.set(&Breakpoint::read("shop.py:9")).unwrap();
        assert_eq!(own(&stopped(session.go(Move::Continue))).line, Some(9));
        let mut stop = stopped(session.go(Move::Next));
        assert_eq!(own(&stop).line, Some(10));
        while own(&stop).function.as_deref() != Some("total") {
            stop = stopped(session.go(Move::Step));
        }
        let out = stopped(session.go(Move::Out));
        assert!(matches!(own(&out).line, Some(5 | 9 | 10)), "{out:?}");
    })
    .unwrap();
}

#[test]
fn hostile_values_are_shown_without_asking_them() {
    let code = "\
class Liar:
    def __repr__(self):
        raise SystemExit(7)
    __str__ = __len__ = __getattr__ = __repr__

def deep(n):
    return deep(n - 1) if n else 1 // 0

liar, many, cycle = Liar(), list(range(10**6)), []
cycle.append(cycle)
import sys
sys.setrecursionlimit(20_000)
deep(9_000)
";
    let request = InspectRequest::default();
    let work = |session: &mut Session| scripted::look(session, &request, |_| {}).unwrap();
    let (seen, run) = inspect(Language::Python, "main.py", code, work).unwrap();
    let stop = seen.stops.first().unwrap_or_else(|| panic!("{run:?}"));
    assert_eq!(stop.text, "ZeroDivisionError: integer division or modulo by zero");
    assert!(stop.frames.len() <= 100);
    assert!(
        stop.frames.iter().flat_map(|frame| &frame.variables).all(|variable| variable.value.len() <= 1_000)
    );
}

#[test]
fn a_program_that_speaks_like_the_driver_only_fools_itself() {
    let code = "\
import json, os
line = json.dumps({'event': 'stopped', 'reason': 'breakpoint', 'frames': [{'function': 'x' * 10_000, 'line': 1}] * 500})
for fd in range(3, 20):
    try:
        os.write(fd, (line + '\\n').encode())
    except OSError:
        pass
";
    let request = InspectRequest { most_stops: 3, ..InspectRequest::default() };
    let work = |session: &mut Session| scripted::look(session, &request, |_| {}).unwrap();
    let (seen, _) = inspect(Language::Python, "main.py", code, work).unwrap();
    assert!(seen.stops.iter().all(|stop| stop.frames.len() <= 100));
}

#[test]
fn what_cannot_be_inspected_is_told() {
    let broken = inspect(Language::C, "main.c", "int main(void) { return x; }", |_| ()).unwrap_err();
    assert!(broken.message.contains("undeclared"), "{}", broken.message);
    let typed = inspect(Language::TypeScript, "main.ts", "let x: number = 1", |_| ()).unwrap_err();
    assert!(typed.message.contains("TypeScript"), "{}", typed.message);
}

#[test]
fn a_program_that_never_stops_is_ended() {
    let source = Source::Code { code: b"while True: pass".to_vec(), file_name: Some("main.py".into()) };
    let mut request = ExecutionRequest { source, ..ExecutionRequest::default() };
    request.limits.wall_seconds = Some(3.0);
    let planned = drivers::plan(&request, Language::Python, "main.py", None).unwrap();
    let execute = |request: ExecutionRequest, live: Live<'_>| NATIVE.execute(request, live);
    let work = |session: &mut Session| session.go(Move::Continue).unwrap();
    let (happened, run) = with_session(planned, &Cancel::default(), execute, work).unwrap();
    assert_eq!(happened, Happened::Ended);
    assert_eq!(run.status, formicary_model::Status::Timeout, "{run:?}");
}

/// The interface and the types go when the file is stripped: places are those of the file that somebody wrote.
#[test]
fn typescript_is_inspected_by_its_own_lines() {
    let code = "interface Item {\n  name: string;\n  price: number;\n}\n\nfunction total(items: Item[], count: number): number {\n  const sum: number = items.reduce((all, item) => all + item.price, 0);\n  if (count === 0) {\n    throw new RangeError('no items');\n  }\n  return sum / count;\n}\n\nconsole.log('open');\ntotal([{ name: 'a', price: 3 }], 2);\ntotal([], 0);\n";
    let source = Source::Code { code: code.into(), file_name: Some("shop.ts".into()) };
    let mut request = ExecutionRequest { source, ..ExecutionRequest::default() };
    request.limits.wall_seconds = Some(60.0);
    let stripping = typescript::stripping(&request, "shop.ts");
    let result = NATIVE.execute(stripping, Live::default()).unwrap();
    let (request, entry) = typescript::stripped(&request, "shop.ts", &result).unwrap();
    let planned = drivers::plan(&request, Language::JavaScript, &entry, None).unwrap();
    let execute = |request: ExecutionRequest, live: Live<'_>| NATIVE.execute(request, live);
    let work = |session: &mut Session| {
        let point = Breakpoint { condition: Some("count === 2".into()), ..Breakpoint::read("shop.ts:11") };
        assert_eq!(session.set(&point).unwrap(), Some(11));
        assert!(session.set(&Breakpoint::read("shop.ts:999")).is_err());
        let stop = stopped(session.go(Move::Continue));
        let frame = own(&stop);
        assert_eq!((frame.file.as_deref(), frame.line), (Some("shop.ts"), Some(11)), "{stop:?}");
        assert_eq!((variable(frame, "sum"), variable(frame, "count")), ("3", "2"));
        assert_eq!(session.evaluate(0, "items[0].name").value, "\"a\"");
        let end = stopped(session.go(Move::Continue));
        assert_eq!(end.reason, StopReason::Exception);
        assert_eq!(own(&end).line, Some(9), "{end:?}");
    };
    let ((), run) = with_session(planned, &Cancel::default(), execute, work).unwrap();
    assert!(run.stderr.contains("open"), "{}", run.stderr);
    let broken = Source::Code { code: "const x: = 1;".into(), file_name: Some("a.ts".into()) };
    let request = ExecutionRequest { source: broken, ..ExecutionRequest::default() };
    let result = NATIVE.execute(typescript::stripping(&request, "a.ts"), Live::default()).unwrap();
    let failure = typescript::stripped(&request, "a.ts", &result).unwrap_err();
    assert!(failure.message.contains("cannot be read") && failure.message.contains("a.ts:1"), "{failure:?}");
}

/// Strings, slices, maps, interfaces and pointers of Go, as Go writes them.
#[test]
fn values_of_go_are_shown_as_go_writes_them() {
    if !there("gdb") {
        return;
    }
    let code = "package main\n\nimport \"errors\"\n\ntype item struct {\n\tName string\n\tTags []string\n}\n\nfunc show(one *item, stock map[string][]int, err error, any interface{}, none []int) {\n\tdata := []byte(\"hello\")\n\tpanic(one.Name + string(data))\n}\n\nfunc main() {\n\tshow(&item{\"pear\", []string{\"a\", \"b\"}}, map[string][]int{\"x\": {1, 2}}, errors.New(\"no\"), \"text\", nil)\n}\n";
    let work = |session: &mut Session| {
        let stop = stopped(session.go(Move::Continue));
        assert!(stop.text.contains("pearhello"), "{stop:?}");
        let frame = own(&stop).clone();
        for (name, expected) in [
            ("one", "&main.item{Name: \"pear\", Tags: [\"a\", \"b\"]}"),
            ("stock", "map[\"x\": [1, 2]]"),
            ("err", "&errors.errorString{s: \"no\"}"),
            ("any", "\"text\""),
            ("none", "nil"),
            ("data", "[]byte(\"hello\")"),
        ] {
            assert_eq!(variable(&frame, name), expected, "{name}");
        }
    };
    inspect_by(Some("gdb"), Language::Go, "main.go", code, work).unwrap();
}
