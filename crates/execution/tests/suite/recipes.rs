//! Every recipe in the native sandbox: print, read, fail to compile, exit, crash, run out of time and memory.

use crate::rig::{NATIVE, check, shown, snippet};
use formicary_model::{Environment, ExecutionRequest, LimitOverrides, Status};
use formicary_testkit::programs::{self, Programs};

fn limited(language: &str, code: &str, wall: f64, memory: u64) -> ExecutionRequest {
    let limits =
        LimitOverrides { wall_seconds: Some(wall), memory_bytes: Some(memory << 20), ..Default::default() };
    ExecutionRequest {
        environment: Environment { limits, ..snippet(language, code).environment },
        ..snippet(language, code)
    }
}

fn verdicts(programs: &Programs) {
    let Programs { language, .. } = programs;
    let result = check(snippet(language, programs.print), Status::Success);
    assert_eq!(result.stdout, "Hello, wörld\n", "{}", shown(&result));
    assert_eq!((result.exit_code, result.error_message), (Some(0), None));

    let stdin: Vec<u8> = (0..=255_u8).cycle().take(300_000).filter(|byte| *byte != b'\r').collect();
    let result =
        check(ExecutionRequest { stdin: stdin.clone(), ..snippet(language, programs.echo) }, Status::Success);
    assert_eq!(result.output.stdout_bytes, stdin.len() as u64);
    let exact = result.stdout_base64.as_deref().expect("bytes that are not text are kept");
    assert_eq!(base64::Engine::decode(&base64::prelude::BASE64_STANDARD, exact).unwrap(), stdin);

    let broken_is = if programs.compiles { Status::CompileError } else { Status::NonzeroExit };
    let result = check(snippet(language, programs.broken), broken_is);
    if programs.compiles {
        let compile = result.compile.as_ref().expect("a compile step");
        assert_eq!(compile.status, Status::NonzeroExit);
        assert!(!format!("{}{}", compile.stdout, compile.stderr).is_empty(), "{}", shown(&result));
        assert_eq!(result.exit_code, None);
    }
    let result = check(snippet(language, programs.exit_3), Status::NonzeroExit);
    assert_eq!(result.exit_code, Some(3));
    let result = check(snippet(language, programs.crash), Status::Signaled);
    assert!(matches!(result.signal, Some(6 | 9)), "{}", shown(&result));
    let result = check(limited(language, programs.forever, 1.0, 512), Status::Timeout);
    assert_eq!(result.error_message.as_deref(), Some("wall-clock limit of 1 s exceeded"));
    let result = check(limited(language, programs.hungry, 60.0, 200), Status::MemoryLimit);
    assert_eq!(result.error_message.as_deref(), Some("memory limit of 200 MiB exceeded"));
}

macro_rules! languages {
    ($($name:ident: $programs:ident;)+) => { $(
        #[test]
        fn $name() {
            verdicts(&programs::$programs);
        }
    )+ };
}

languages! {
    python: PYTHON;
    javascript: JAVASCRIPT;
    typescript: TYPESCRIPT;
    java: JAVA;
    c: C;
    cpp: CPP;
    go: GO;
    rust: RUST;
    bash: BASH;
}

#[test]
fn every_tool_tells_its_version() {
    for language in NATIVE.languages() {
        if language.id == "tiny" {
            continue;
        }
        let version =
            NATIVE.version(&language.id).unwrap_or_else(|failure| panic!("{}: {failure}", language.id));
        assert!(version.chars().any(|c| c.is_ascii_digit()), "{}: {version}", language.id);
    }
}
