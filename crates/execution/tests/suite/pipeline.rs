//! The way from a request to a result, against a scripted provider.

use crate::rig::{folder, left, outcome, said, scripted, snippet};
use formicary_execution::{Availability, Live};
use formicary_model::{Event, EventKind, ExecutionRequest, FailureKind, Phase, Source, Status};
use formicary_sandbox::Cancel;
use std::sync::Mutex;

fn names(events: &[Event]) -> Vec<String> {
    let name = |event: &Event| {
        Some(match &event.kind {
            EventKind::Received { .. } | EventKind::Step { .. } => return None,
            EventKind::Accepted { language, .. } => format!("accepted {language}"),
            EventKind::PhaseStarted { phase } => format!("started {phase:?}"),
            EventKind::PhaseFinished { phase, status, .. } => format!("finished {phase:?} {status}"),
            EventKind::Finished { status, .. } => format!("finished {status}"),
            EventKind::Failed { kind, .. } => format!("failed {kind:?}"),
            EventKind::Output { .. } | EventKind::Sample { .. } => "other".into(),
        })
    };
    events.iter().filter_map(name).collect()
}

#[test]
fn compile_and_run_are_jobs_of_their_own() {
    let mut compiled = outcome(Status::Success);
    compiled.files.push(left(".formicary/program", "ELF"));
    let (provider, executor) = scripted(vec![compiled, outcome(Status::Success)]);
    let events = Mutex::new(Vec::new());
    let observer = |event: &Event| events.lock().unwrap().push(event.clone());
    let mut request =
        folder(Some("c"), None, &[("main.c", "int main;"), ("lib/x.c", ""), ("x.h", ""), ("data.txt", "d")]);
    request.args = vec!["one".into()];
    request.compiler_flags = vec!["-std=c99".into()];
    let live = Live { observer: &observer, ..Live::default() };
    let result = executor.execute(request, live).unwrap();
    assert_eq!(result.status, Status::Success);
    assert_eq!(result.compile.unwrap().status, Status::Success);
    let jobs = provider.jobs.lock().unwrap();
    let [compile, run] = jobs.as_slice() else { panic!("{} jobs", jobs.len()) };
    for word in ["./main.c", "./lib/x.c", "-std=c99", "-lm"] {
        assert!(compile.command.iter().any(|given| given == word), "{word}: {:?}", compile.command);
    }
    assert_eq!(run.command, ["/work/.formicary/program", "one"]);
    let paths: Vec<&str> = run.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, [".formicary/program", "data.txt"]);
    assert!(run.files[0].executable);
    assert_eq!(
        names(&events.lock().unwrap()),
        [
            "accepted c",
            "started Compile",
            "finished Compile success",
            "started Run",
            "finished Run success",
            "finished success"
        ]
    );
}

#[test]
fn what_stops_a_compiler_is_told() {
    for (status, stderr, expected) in [
        (
            Status::NonzeroExit,
            "note: x\nmain.c:1:2: error: no\n",
            "compilation failed: main.c:1:2: error: no",
        ),
        (Status::NonzeroExit, "", "compilation failed"),
        (Status::Timeout, "", "compilation failed: wall-clock limit of 60 s exceeded"),
        (Status::MemoryLimit, "", "compilation failed: memory limit of 2 GiB exceeded"),
        (Status::Signaled, "", "compilation failed: the compiler was ended by signal 6 (SIGABRT)"),
    ] {
        let mut failed = outcome(status);
        failed.stderr = said(stderr);
        let (provider, executor) = scripted(vec![failed]);
        let result = executor.execute(snippet("c", "x"), Live::default()).unwrap();
        assert_eq!(result.status, Status::CompileError);
        assert_eq!(result.error_message.as_deref(), Some(expected));
        assert_eq!(result.compile.unwrap().status, status);
        assert_eq!(provider.jobs.lock().unwrap().len(), 1, "nothing may run");
    }
}

#[test]
fn a_compiler_that_leaves_nothing_is_a_compile_error() {
    let (_, executor) = scripted(vec![outcome(Status::Success)]);
    let result = executor.execute(snippet("c", "x"), Live::default()).unwrap();
    assert_eq!(result.status, Status::CompileError);
    assert!(result.error_message.unwrap().contains("left no program"));
}

#[test]
fn statuses_have_their_sentence() {
    for (status, sentence) in [
        (Status::Success, None),
        (Status::NonzeroExit, Some("the program ended with exit code 1")),
        (Status::Signaled, Some("the program was ended by signal 6 (SIGABRT)")),
        (Status::Timeout, Some("wall-clock limit of 30 s exceeded")),
        (Status::CpuLimit, Some("CPU time limit of 30 s exceeded")),
        (Status::MemoryLimit, Some("memory limit of 512 MiB exceeded")),
        (Status::ProcessLimit, Some("process limit of 64 reached")),
        (Status::OutputLimit, Some("output limit of 256 MiB exceeded")),
    ] {
        let (_, executor) = scripted(vec![outcome(status)]);
        let result = executor.execute(snippet("bash", "x"), Live::default()).unwrap();
        assert_eq!(result.status, status);
        assert_eq!(result.error_message.as_deref(), sentence);
    }
}

#[test]
fn a_runtimes_own_word_on_memory_counts() {
    for (holds, status, verdict) in [
        ("\"trigger\": \"OOMError\"", Status::Signaled, Status::MemoryLimit),
        ("\"trigger\": \"FatalError\"", Status::Signaled, Status::Signaled),
        ("\"trigger\": \"OOMError\"", Status::Success, Status::Success),
        ("\"trigger\": \"OOMError\"", Status::Timeout, Status::Timeout),
    ] {
        let mut answer = outcome(status);
        answer.files.push(left(".formicary/node-report.json", holds));
        answer.files.push(left("mine.txt", "x"));
        let (_, executor) = scripted(vec![answer]);
        let result = executor.execute(snippet("javascript", "x"), Live::default()).unwrap();
        assert_eq!(result.status, verdict);
        let paths: Vec<&str> = result.artifacts.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["mine.txt"], "our own files stay ours");
    }
}

#[test]
fn names_of_entries() {
    for (language, name, code, script) in [
        ("javascript", None, "import 'x'", "/work/main.mjs"),
        ("javascript", None, "require('x')", "/work/main.js"),
        ("javascript", Some("a.js"), "export {}", "/work/a.mjs"),
        ("javascript", Some("a.cjs"), "export {}", "/work/a.cjs"),
        ("python", Some("tool"), "x", "/work/main.py"),
        ("python", Some("/some/where/tool.py"), "x", "/work/tool.py"),
    ] {
        let (provider, executor) = scripted(Vec::new());
        let source = Source::Code { code: code.into(), file_name: name.map(str::to_string) };
        let request = ExecutionRequest { source, ..snippet(language, "") };
        executor.execute(request, Live::default()).unwrap();
        let jobs = provider.jobs.lock().unwrap();
        assert!(jobs[0].command.iter().any(|word| word == script), "{:?} lacks {script}", jobs[0].command);
    }
}

#[test]
fn a_command_needs_no_language() {
    let (provider, executor) = scripted(Vec::new());
    let mut request = folder(None, None, &[("a.txt", "x")]);
    request.command = Some(vec!["wc".into(), "-c".into()]);
    request.args = vec!["a.txt".into()];
    request.env.insert("HOME".into(), "/work".into());
    let result = executor.execute(request, Live::default()).unwrap();
    assert_eq!(result.language, "command");
    let jobs = provider.jobs.lock().unwrap();
    assert_eq!(jobs[0].command, ["wc", "-c", "a.txt"]);
    assert!(jobs[0].env.contains(&("HOME".into(), "/work".into())), "the caller's variables win");
    assert!(jobs[0].env.iter().any(|(name, value)| name == "LANG" && value == "C.UTF-8"));
}

#[test]
fn output_that_is_not_text_is_kept() {
    let mut answer = outcome(Status::Success);
    answer.stdout.head = vec![0xff, 0];
    answer.stdout.total = 2;
    let (_, executor) = scripted(vec![answer]);
    let result = executor.execute(snippet("bash", "x"), Live::default()).unwrap();
    assert_eq!(result.stdout_base64.as_deref(), Some("/wA="));
    assert_eq!((result.output.stdout_bytes, result.truncated), (2, false));
}

#[test]
fn a_cancelled_run_does_not_start() {
    let (provider, executor) = scripted(Vec::new());
    let live = Live::default();
    live.cancel.cancel();
    let cancel: Cancel = live.cancel.clone();
    let events = Mutex::new(Vec::new());
    let observer = |event: &Event| events.lock().unwrap().push(event.clone());
    let live = Live { observer: &observer, cancel, ..Live::default() };
    let failure = executor.execute(snippet("bash", "x"), live).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Cancelled);
    assert!(provider.jobs.lock().unwrap().is_empty());
    assert_eq!(names(&events.lock().unwrap()).last().map(String::as_str), Some("failed Cancelled"));
    let _ = Phase::Run;
}

#[test]
fn languages_are_listed_with_their_state() {
    let (_, executor) = scripted(Vec::new());
    let languages = executor.languages();
    assert_eq!(languages.len(), 11);
    for language in &languages {
        match &language.availability {
            Availability::Available { program } => assert!(!program.is_empty()),
            Availability::Missing { why, remedy } => assert!(!why.is_empty() && !remedy.is_empty()),
        }
    }
}
