//! Judging with real programs: every verdict, checkers, unit tests, order, early ends.

use crate::rig::{NATIVE, snippet};
use formicary_execution::Live;
use formicary_execution::judging::{
    Admission, Case, Cases, Feed, Item, JudgeOptions, Problems, Source, Template, Text, judge, lines,
};
use formicary_model::{
    Comparison, Environment, ErrorCategory, ExecutionRequest, Failure, FailureKind, JudgeResult,
    LimitOverrides, Verdict,
};
use formicary_sandbox::Cancel;
use std::sync::{Arc, LazyLock};

static ADMISSION: LazyLock<Admission> = LazyLock::new(|| Admission::new(2, 4 << 30));

fn try_judge(
    source: Source,
    options: JudgeOptions,
    cancel: Cancel,
) -> (Vec<JudgeResult>, Result<(), Failure>) {
    let mut results = Vec::new();
    let live = Live { cancel, ..Live::default() };
    let ended = judge(&NATIVE, &ADMISSION, source, options, &live, &mut |result| {
        results.push(result);
        Ok(())
    });
    (results, ended)
}

fn judged(items: Vec<Item>, options: JudgeOptions) -> Vec<JudgeResult> {
    let source = Box::new(items.into_iter().map(|item| Feed::Item(Box::new(item))));
    let (results, ended) = try_judge(source, options, Cancel::default());
    ended.unwrap();
    results
}

fn from_lines(text: &str) -> Vec<JudgeResult> {
    let template = Template::default();
    let source = lines::read(std::io::Cursor::new(text.to_string()), template);
    let (results, ended) = try_judge(source, JudgeOptions::default(), Cancel::default());
    ended.unwrap();
    results
}

fn case(stdin: &str, expected: &str) -> Case {
    Case {
        name: stdin.into(),
        stdin: Text::Given(stdin.into()),
        expected: Some(Text::Given(expected.into())),
        proof: None,
    }
}

fn item(line: u64, language: &str, code: &str, cases: &[Case]) -> Item {
    let limits = LimitOverrides {
        wall_seconds: Some(5.0),
        cpu_seconds: Some(1.0),
        memory_bytes: Some(128 << 20),
        output_total_bytes: Some(1 << 20),
        ..Default::default()
    };
    Item {
        id: format!("{language}-{line}"),
        line,
        group: None,
        request: ExecutionRequest {
            environment: Environment { limits, ..snippet(language, code).environment },
            ..snippet(language, code)
        },
        cases: cases.into(),
        comparison: Comparison::Trimmed,
        checker: None,
    }
}

#[test]
fn every_verdict_in_three_languages() {
    use Verdict::*;
    let programs = [
        ("python", "print(int(input()) * 2)", Accepted),
        ("python", "print(int(input()) * 3)", WrongAnswer),
        ("python", "print('', int(input()) * 2)", PresentationError),
        ("python", "while True: pass", TimeLimit),
        ("python", "x = 'a' * 10**9; print(len(x))", MemoryLimit),
        ("python", "while True: print('x' * 1000)", OutputLimit),
        ("python", "print(14); raise SystemExit(3)", RuntimeError),
        ("python", "import os; os.abort()", RuntimeError),
        (
            "c",
            "#include <stdio.h>\nint main(void){int n; scanf(\"%d\", &n); printf(\"%d\\n\", n * 2); return 0;}",
            Accepted,
        ),
        ("c", "#include <stdio.h>\nint main(void){puts(\"1\"); return 0;}", WrongAnswer),
        ("c", "int main(void){ return }", CompileError),
        ("c", "int main(void){ volatile int x = 1; for(;;) x++; }", TimeLimit),
        (
            "c",
            "#include <stdlib.h>\n#include <string.h>\nint main(void){ for(;;) memset(malloc(1<<20), 1, 1<<20); }",
            MemoryLimit,
        ),
        ("c", "int main(void){ volatile int *p = 0; return *p; }", RuntimeError),
        ("bash", "read n; echo $((n * 2))", Accepted),
        ("bash", "read n; echo $n", WrongAnswer),
        ("bash", "read n; echo; echo $((n * 2))", PresentationError),
        ("bash", "yes", OutputLimit),
        ("bash", "exit 1", RuntimeError),
    ];
    let number = |(index, (language, code, _)): (usize, &(&str, &str, Verdict))| {
        item(index as u64, language, code, &[case("7", "14\n")])
    };
    let results = judged(programs.iter().enumerate().map(number).collect(), JudgeOptions::default());
    assert_eq!(results.len(), programs.len());
    for (index, (result, (language, code, verdict))) in results.iter().zip(programs).enumerate() {
        assert_eq!(result.line, index as u64, "input order");
        assert_eq!(result.verdict, Some(verdict), "{language} {code}: {result:?}");
        let accepted = verdict == Accepted;
        assert_eq!(result.passed, u64::from(accepted));
        if verdict == CompileError {
            assert!(result.cases.is_empty() && result.compile.as_ref().unwrap().stderr.contains("error"));
        } else {
            assert_eq!(result.cases[0].message.is_none(), accepted, "{result:?}");
            assert!(result.cases[0].usage.memory_peak.is_some());
        }
    }
}

#[test]
fn an_error_that_ends_a_program_has_its_name_and_kind() {
    use ErrorCategory::{Assertion, Syntax, Type};
    let programs = [
        ("python", "def f(:", "SyntaxError", Syntax, "SyntaxError: "),
        ("python", "assert 1 == 2, 'differs'", "AssertionError", Assertion, "AssertionError: differs"),
        ("javascript", "null.name", "TypeError", Type, "TypeError: Cannot read properties of null"),
    ];
    let number = |(index, (language, code, ..)): (usize, &(&str, &str, &str, ErrorCategory, &str))| {
        item(index as u64, language, code, &[case("", "")])
    };
    let mut items: Vec<Item> = programs.iter().enumerate().map(number).collect();
    for item in &mut items {
        // Node reserves more memory than the small programs here may have.
        item.request.limits.memory_bytes = None;
    }
    let results = judged(items, JudgeOptions::default());
    for (result, (_, code, name, category, message)) in results.iter().zip(programs) {
        let [case] = result.cases.as_slice() else { panic!("{code}: {result:?}") };
        assert_eq!(case.verdict, Verdict::RuntimeError, "{code}: {case:?}");
        assert_eq!((case.error_type.as_deref(), case.error_category), (Some(name), Some(category)), "{code}");
        assert!(case.message.as_ref().is_some_and(|text| text.contains(message)), "{code}: {case:?}");
    }
    let accepted = judged(vec![item(1, "bash", "true", &[case("", "")])], JudgeOptions::default());
    assert_eq!((&accepted[0].cases[0].error_type, accepted[0].cases[0].error_category), (&None, None));
}

#[test]
fn samples_are_judged_by_the_tests_of_their_problems() {
    let problems = r#"{"task_id": "H/0", "prompt": "def f(x):\n", "entry_point": "f", "test": "def check(g):\n    assert g(1) == 1\n"}"#;
    let samples = concat!(
        r#"{"task_id": "H/0", "completion": "    return x"}"#,
        "\n",
        r#"{"task_id": "H/0", "completion": "    return x + 1"}"#,
    );
    let problems = Some(Arc::new(Problems::read(problems.as_bytes()).unwrap()));
    let source = lines::read(samples.as_bytes(), Template { problems, ..Template::default() });
    let (results, ended) = try_judge(source, JudgeOptions::default(), Cancel::default());
    ended.unwrap();
    let verdicts: Vec<Option<Verdict>> = results.iter().map(|result| result.verdict).collect();
    assert_eq!(verdicts, [Some(Verdict::Accepted), Some(Verdict::RuntimeError)]);
    // Without the problems each line says what is missing and what to do.
    for result in from_lines(samples) {
        let error = result.error.unwrap();
        assert!(error.message.contains("without the tests of its problem"), "{error:?}");
        assert!(error.hint.unwrap().contains("--problems"));
    }
}

#[test]
fn all_cases_or_until_the_first_failure() {
    let code = "n = int(input())\nprint(0 if n in (3, 5) else n)";
    let cases: Vec<Case> = (1..=8).map(|n| case(&n.to_string(), &n.to_string())).collect();
    for (which, ran, passed) in [(Cases::All, 8, 6), (Cases::UntilFailure, 3, 2)] {
        let options = JudgeOptions { cases: which, ..JudgeOptions::default() };
        let results = judged(vec![item(1, "python", code, &cases)], options);
        let [result] = &results[..] else { panic!("{results:?}") };
        assert_eq!(result.verdict, Some(Verdict::WrongAnswer));
        assert_eq!((result.cases.len(), result.passed, result.total), (ran, passed, 8), "{which:?}");
        assert_eq!(result.cases[2].message.as_deref(), Some("line 1: expected \"3\", got \"0\""));
    }
}

#[test]
fn checkers_decide() {
    // The answer is any divisor of the input; the checker reads input, output, expected.
    let checker = "import sys\nn = int(open(sys.argv[1]).read()); a = open(sys.argv[2]).read().split()\n\
                   open(sys.argv[3]).read()\n\
                   if len(a) != 1: sys.exit(2)\n\
                   if n % int(a[0]): print('no divisor'); sys.exit(1)\n";
    let c_checker = "int main(int n, char **a){ return n == 4 ? 0 : 3; }";
    let judge_with = |code: &str, language: &str, checker: &str| {
        let mut item = item(1, "python", code, &[case("12", "")]);
        item.checker = Some(Arc::new(snippet(language, checker)));
        judged(vec![item], JudgeOptions::default()).remove(0)
    };
    for (code, verdict) in [
        ("print(4)", Verdict::Accepted),
        ("print(5)", Verdict::WrongAnswer),
        ("print(4, 3)", Verdict::PresentationError),
        ("raise SystemExit(1)", Verdict::RuntimeError),
    ] {
        let result = judge_with(code, "python", checker);
        assert_eq!(result.verdict, Some(verdict), "{code}: {result:?}");
    }
    assert_eq!(judge_with("print(5)", "python", checker).cases[0].message.as_deref(), Some("no divisor"));
    assert_eq!(judge_with("print(5)", "c", c_checker).verdict, Some(Verdict::Accepted));
    for broken in ["raise SystemExit(9)", "import os; os.abort()"] {
        let result = judge_with("print(4)", "python", broken);
        assert_eq!(result.verdict, None);
        assert!(
            result.error.as_ref().unwrap().message.starts_with("the checker failed on case"),
            "{result:?}"
        );
    }
    let result = judge_with("print(4)", "c", "int main(void){");
    assert!(result.error.unwrap().message.starts_with("the checker does not compile"));
}

#[test]
fn lines_of_every_kind() {
    let results = from_lines(concat!(
        r#"{"id": "a", "language": "python", "code": "print(input())", "cases": [{"stdin": "1", "expected": "1"}, {"stdin": "2", "expected": "2"}]}"#,
        "\n",
        "broken\n",
        r#"{"id": "b", "language": "cobol", "code": "x"}"#,
        "\n",
        r#"{"id": "c", "language": "python", "code": "def f(): return 1", "test": "assert f() == 2"}"#,
        "\n",
        r#"{"id": "d", "files": [{"path": "m.py", "content": "x = 1"}, {"path": "main.py", "content": "import m; assert m.x == 1"}]}"#,
        "\n",
        r#"{"id": "e", "language": "python", "code": "print(3.14159)", "compare": {"numeric": {"absolute": 0.01}}, "cases": [{"expected": "3.14"}]}"#,
        "\n",
        r#"{"id": "f", "language": "python", "code": "import sys; sys.stdout.buffer.write(b'\\xff')", "cases": [{"expected": {"base64": "/w=="}}]}"#,
        "\n",
        r#"{"id": "g", "language": "python", "code": "x = 'a' * 10**8", "limits": {"memory_bytes": 33554432}}"#,
        "\n",
        r#"{"id": "h", "language": "python", "code": "1", "limits": {"wall_seconds": -1}}"#,
        "\n",
        r#"{"task_id": "T/0", "prompt": "def f(x):\n", "completion": "    return x\n", "entry_point": "f", "test": "def check(c):\n    assert c(2) == 2\n"}"#,
        "\n",
    ));
    let shown: Vec<String> = results
        .iter()
        .map(|result| match (&result.verdict, &result.error) {
            (Some(verdict), None) => {
                format!("{} {} {verdict} {}/{}", result.line, result.id, result.passed, result.total)
            }
            (None, Some(error)) => format!("{} {} {:?}", result.line, result.id, error.kind),
            _ => panic!("{result:?}"),
        })
        .collect();
    assert_eq!(
        shown,
        [
            "1 a accepted 2/2",
            "2  InvalidInput",
            "3 b InvalidInput",
            "4 c runtime_error 0/1",
            "5 d accepted 1/1",
            "6 e accepted 1/1",
            "7 f accepted 1/1",
            "8 g memory_limit 0/1",
            "9 h InvalidInput",
            "10 T/0 accepted 1/1",
        ]
    );
    assert!(results[3].cases[0].message.as_ref().unwrap().contains("AssertionError"), "{:?}", results[3]);
    assert_eq!(results[9].group.as_deref(), Some("T/0"));
}

#[test]
fn a_program_that_leaves_before_its_tests_does_not_pass() {
    for leave in ["import os; os._exit(0)", "raise SystemExit", "import atexit; quit()"] {
        let results = from_lines(&format!(
            "{{\"language\": \"python\", \"code\": \"{leave}\", \"test\": \"assert False\"}}\n\
             {{\"task_id\": \"T\", \"prompt\": \"\", \"completion\": \"{leave}\", \"test\": \"assert False\"}}\n"
        ));
        for result in results {
            assert_eq!(result.verdict, Some(Verdict::WrongAnswer), "{leave}: {result:?}");
            assert_eq!(result.cases[0].message.as_deref(), Some("the program ended before its tests did"));
        }
    }
}

#[test]
fn a_compiled_program_is_compiled_once() {
    let code =
        "#include <stdio.h>\nint main(void){int n; scanf(\"%d\", &n); printf(\"%d\\n\", n); return 0;}";
    let cases: Vec<Case> = (0..10).map(|n| case(&n.to_string(), &n.to_string())).collect();
    let compilations = std::sync::atomic::AtomicUsize::new(0);
    let observer = |event: &formicary_model::Event| {
        use formicary_model::{EventKind, Phase};
        if matches!(event.kind, EventKind::PhaseStarted { phase: Phase::Compile }) {
            compilations.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let live = Live { observer: &observer, ..Live::default() };
    let source: Source = Box::new(std::iter::once(Feed::Item(Box::new(item(1, "c", code, &cases)))));
    let mut results = Vec::new();
    judge(&NATIVE, &ADMISSION, source, JudgeOptions::default(), &live, &mut |result| {
        results.push(result);
        Ok(())
    })
    .unwrap();
    assert_eq!((results[0].passed, compilations.into_inner()), (10, 1));
}

#[test]
fn a_cancelled_judging_ends_and_keeps_what_is_finished() {
    let cancel = Cancel::default();
    let switch = cancel.clone();
    // The twentieth item pulls the switch as it is read; those before it would run for a while.
    let source = (1..).map(move |line| {
        if line == 20 {
            switch.cancel();
        }
        let code = if line <= 2 { "echo 1" } else { "sleep 4" };
        Feed::Item(Box::new(item(line, "bash", code, &[case("", "1")])))
    });
    let (results, ended) = try_judge(Box::new(source), JudgeOptions::default(), cancel);
    assert_eq!(ended.unwrap_err().kind, FailureKind::Cancelled);
    assert!(results.len() < 20, "{}", results.len());
}

#[test]
fn a_sink_that_fails_ends_it() {
    let source = (1..).map(|line| Feed::Item(Box::new(item(line, "bash", "echo 1", &[case("", "1")]))));
    let mut count = 0;
    let ended =
        judge(&NATIVE, &ADMISSION, Box::new(source), JudgeOptions::default(), &Live::default(), &mut |_| {
            count += 1;
            if count == 3 { Err(Failure::new(FailureKind::Internal, "full")) } else { Ok(()) }
        });
    assert_eq!((ended.unwrap_err().message.as_str(), count), ("full", 3));
}
