//! Bad input: one clear line that names the input, one that names the remedy.

use crate::rig::{folder, scripted, snippet};
use formicary_execution::Live;
use formicary_model::{ExecutionRequest, FailureKind, LimitOverrides, Mount, Source};

fn refused(request: ExecutionRequest, word: &str) {
    let (provider, executor) = scripted(Vec::new());
    let failure = executor.execute(request.clone(), Live::default()).expect_err(word);
    assert_eq!(failure.kind, FailureKind::InvalidInput, "{failure:?}");
    assert!(failure.message.contains(word), "{:?} lacks {word:?}", failure.message);
    assert!(failure.hint.as_ref().is_some_and(|hint| !hint.is_empty()), "{failure:?}");
    assert!(!failure.message.contains('\n') && !failure.hint.unwrap().contains('\n'));
    assert!(provider.jobs.lock().unwrap().is_empty(), "something was run");
}

fn python() -> ExecutionRequest {
    snippet("python", "print(1)")
}

fn with(change: impl FnOnce(&mut ExecutionRequest)) -> ExecutionRequest {
    let mut request = python();
    change(&mut request);
    request
}

fn limited(name: &str, value: f64) -> ExecutionRequest {
    let mut limits = LimitOverrides::default();
    assert!(limits.set(name, value));
    with(|request| request.limits = limits)
}

fn mounted(host: &str, guest: &str) -> ExecutionRequest {
    with(|request| {
        request.mounts.push(Mount { host: host.into(), guest: guest.into(), access: Default::default() });
    })
}

#[test]
fn bad_input_is_refused_before_anything_runs() {
    refused(snippet("pyhton", ""), "pyhton");
    refused(snippet("cobol", ""), "cobol");
    refused(snippet("python", "a\0b"), "NUL byte at line 1, column 2 (byte 1)");
    refused(with(|r| r.source = Source::code(b"x = '\xff'".to_vec())), "0xff at line 1, column 6 (byte 5)");
    refused(with(|r| r.source = Source::code(vec![b'#'; 10 << 20])), "10485760");
    refused(folder(Some("python"), None, &[("../x", "")]), "../x");
    refused(folder(Some("python"), None, &[("/x", "")]), "/x");
    refused(folder(Some("python"), None, &[("a.py", ""), ("A.py", "")]), "case");
    refused(folder(Some("python"), None, &[("a.py", ""), ("b.py", "")]), "main.*");
    refused(folder(Some("python"), Some("c.py"), &[("a.py", ""), ("b.py", "")]), "c.py");
    refused(folder(None, None, &[]), "no files");
    refused(mounted("/", "/data"), "\"/\"");
    refused(mounted("/usr/share", "/work"), "/work");
    refused(limited("wall_seconds", 0.0), "wall_seconds");
    refused(limited("wall_seconds", -5.0), "wall_seconds");
    refused(limited("wall_seconds", 1e9), "wall_seconds");
    refused(limited("memory_bytes", 0.0), "memory_bytes");
    refused(with(|r| drop(r.env.insert("A=B".into(), String::new()))), "A=B");
    refused(with(|r| r.args.push("a\0".into())), "NUL");
    refused(with(|r| r.command = Some(Vec::new())), "command");
    refused(with(|r| r.provider = Some("nativ".into())), "nativ");
    refused(with(|r| r.venv = Some("/usr".into())), "/usr");
    refused(with(|r| r.collect.globs.push("../*".into())), "../*");
    refused(ExecutionRequest::default(), "no code");
    refused(ExecutionRequest { source: Source::code("hello world"), ..Default::default() }, "language");
    refused(
        ExecutionRequest { language: Some("c".into()), compiler_flags: vec!["-c".into()], ..python() },
        "-c",
    );
}

#[test]
fn a_slip_is_answered_with_the_word_that_was_meant() {
    let (_, executor) = scripted(Vec::new());
    let failure = executor.execute(snippet("pyhton", ""), Live::default()).unwrap_err();
    assert!(failure.hint.unwrap().contains("python"));
}
