//! Scripted tasks: right at once, wrong in one, two and three ways first; what the model was told is looked at.

use super::*;
use formicary_model::agent::ResultInput;
use formicary_platform::agent::{Checker, Ending};
use std::time::Duration;

#[derive(Clone)]
struct Case {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    acceptance: Acceptance,
    plays: Vec<Play>,
    /// What must stand in which request.
    told: Vec<(usize, &'static str)>,
    flags: &'static [(&'static str, &'static str)],
    fixer: bool,
    asked: usize,
}

fn case(
    name: &'static str,
    acceptance: Acceptance,
    plays: Vec<Play>,
    told: &[(usize, &'static str)],
) -> Case {
    let asked = plays.len();
    Case { name, files: &[], acceptance, plays, told: told.to_vec(), flags: &[], fixer: false, asked }
}

const REPOSITORY: &[(&str, &str)] = &[("calc.py", BUGGY), ("test_calc.py", TEST)];
/// Tests for pytest, which need not be there, and a module that is compiled.
const PYTEST: &[(&str, &str)] = &[
    ("calc.py", BUGGY),
    (
        "test_calc.py",
        "import unicodedata\nfrom calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5 and unicodedata.name('a')\n",
    ),
];
const FIX: &str = "calc.py\n<<<<<<< SEARCH\n    return a - b\n=======\n    return a + b\n>>>>>>> REPLACE\n";
const DIFF: &str = "```diff\n--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n```";
const NO_TOOLS: &[(&str, &str)] = &[("llm.tools", "off")];

fn cases() -> Vec<Case> {
    let hello = || expects("hello\n");
    let right = || main_py("print('hello')");
    let judge = |done: bool| say(&json!({"done": done, "reason": "because of the output"}).to_string());
    let checker = Checker { name: "check.py".into(), text: "import subprocess, sys\nMAGIC = 'xyzzy-hidden'\nsys.exit(subprocess.run([sys.executable, 'main.py'], capture_output=True, text=True).stdout != 'hello\\n')\n".into() };
    vec![
        Case { flags: NO_TOOLS, ..case("right at once", hello(), vec![right()], &[(0, "Do the task."), (0, "workspace is empty")]) },
        case("wrong output first", hello(), vec![main_py("print('hullo')"), right()], &[(1, "line 1 differs"), (1, "hullo")]),
        case("does not parse first", hello(), vec![main_py("def f(:\n    pass"), right()], &[(1, "would not parse: line 1")]),
        case(
            "crash, wrong output, right",
            hello(),
            vec![main_py("x = 7\nprint([][x])"), main_py("print('x')"), right()],
            &[(1, "IndexError"), (1, "main.py:2"), (2, "line 1 differs")],
        ),
        case(
            "no files, an edit that fits nowhere, wrong output, right",
            hello(),
            vec![
                main_py("print('h')"),
                say("main.py\n<<<<<<< SEARCH\nnowhere to be found\n=======\nx\n>>>>>>> REPLACE"),
                say("```python\nprint('cut"),
                right(),
            ],
            &[(2, "was not found"), (3, "has no end")],
        ),
        case("tools", hello(), vec![write("main.py", "print('hello')\n"), finish()], &[(1, "done: main.py")]),
        case(
            "arguments that do not fit",
            hello(),
            vec![call("write_file", json!({"path": "main.py"})), write("main.py", "print('hello')"), finish()],
            &[(1, "\"content\" is missing")],
        ),
        case("a tool that is not there", hello(), vec![call("shell", json!({"x": 1})), right()], &[(1, "there is no tool")]),
        case(
            "write, run, edit, run, finish",
            hello(),
            vec![
                write("main.py", "value = {}\nprint(value['k'])\n"),
                call("run_code", json!({})),
                call("edit_file", json!({"path": "main.py", "search": "print(value['k'])", "replace": "print('hello')"})),
                call("run_code", json!({})),
                finish(),
            ],
            &[(2, "KeyError"), (2, "main.py:2"), (4, "Status: success")],
        ),
        Case { files: REPOSITORY, ..case("tests, an edit", tests(UNITTEST), vec![say(FIX)], &[(0, "test_add"), (0, "tests do not pass")]) },
        Case { files: PYTEST, ..case("tests for pytest", tests("python3 -m pytest -q test_calc.py"), vec![say(FIX)], &[(0, "test_add"), (0, "tests do not pass")]) },
        Case { files: REPOSITORY, ..case("tests, a diff", tests(UNITTEST), vec![say(DIFF)], &[]) },
        Case {
            files: REPOSITORY,
            ..case(
                "tests weakened first, then the wrong change, then right",
                tests(UNITTEST),
                vec![
                    write("test_calc.py", "import unittest\n"),
                    call("edit_file", json!({"path": "calc.py", "search": "a - b", "replace": "a * b"})),
                    finish(),
                    call("edit_file", json!({"path": "calc.py", "search": "a * b", "replace": "a + b"})),
                    finish(),
                ],
                &[(1, "is a test that was there before"), (3, "tests do not pass")],
            )
        },
        Case { files: REPOSITORY, fixer: true, ..case("mended without a word to the model", tests(UNITTEST), vec![], &[]) },
        // One single check stands behind the fixer's patch: it is a candidate, and the model is asked.
        Case {
            files: PYTEST,
            fixer: true,
            ..case("a weak patch is left to the model", tests("python3 -m pytest -q test_calc.py"), vec![say(FIX)], &[(0, "may be wrong"), (0, "candidate change")])
        },
        case("judgement", Acceptance::default(), vec![right(), judge(true)], &[(1, "Does this do what the task asks"), (1, "hello")]),
        case(
            "judged not done, then done",
            Acceptance::default(),
            vec![main_py("print(1)"), judge(false), right(), judge(true)],
            &[(2, "because of the output")],
        ),
        case(
            "a checker that nobody sees",
            Acceptance { checker: Some(checker), ..Acceptance::default() },
            vec![main_py("print('no')"), right()],
            &[(1, "checker does not accept")],
        ),
        case(
            "one object of JSON",
            hello(),
            vec![say(&json!({"files": [{"path": "app/run.py", "content": "print('hello')\n"}], "command": "python3 app/run.py", "summary": "s"}).to_string())],
            &[],
        ),
        Case {
            flags: &[("limits.wall_seconds", "2")],
            ..case("never ends first", hello(), vec![main_py("while True:\n    pass"), right()], &[(1, "Status: timeout")])
        },
        case("done said too early", hello(), vec![finish(), write("main.py", "print('hello')"), finish()], &[(1, "Not accepted")]),
        case(
            "trouble on the wire",
            hello(),
            vec![
                Play::Status(429, vec![("retry-after", "0".into())], "{}".into()),
                Play::Cut(Spoken::text("main.py\n```python\nprint('half"), 2),
                Play::Raw("data: {oops\n\n".into()),
                Play::Slow(Spoken::call("write_file", json!({"path": "main.py", "content": "print('hello')\n"})), Duration::from_millis(5)),
                finish(),
            ],
            &[],
        ),
        case(
            "read, search, symbols, review, diagnose",
            hello(),
            vec![
                write("main.py", "def greet():\n    return 'hello'\n\n\nprint(greet())\n"),
                call("search_code", json!({"pattern": "print($X)", "language": "python"})),
                call("symbols", json!({"name": "greet"})),
                call("read_file", json!({"path": "main.py", "first": 1, "last": 1})),
                call("find_text", json!({"text": "GREET"})),
                call("review", json!({})),
                call("diagnose", json!({"output": "Traceback (most recent call last):\n  File \"main.py\", line 2, in greet\nValueError: bad\n"})),
                finish(),
            ],
            &[(2, "main.py:5"), (3, "function greet"), (4, "def greet():"), (5, "main.py:1:"), (7, "ValueError")],
        ),
        case(
            "a plan, its steps proved one by one",
            hello(),
            vec![
                call("plan", json!({"steps": [{"title": "greet in lib.py", "check": "python3 -c 'import lib; lib.greet()'"}, {"title": "call it"}]})),
                call("step_done", json!({})),
                write("lib.py", "def greet():\n    print('hello')\n"),
                call("step_done", json!({})),
                write("main.py", "import lib\n\nlib.greet()\n"),
                call("step_done", json!({})),
                call("run_code", json!({})),
                call("step_done", json!({})),
                finish(),
            ],
            &[
                (1, "1. greet in lib.py [now, 0 of 5 attempts used]"),
                (2, "Step 1 is not done"),
                (2, "ModuleNotFoundError"),
                (3, "[now, 1 of 5 attempts used]"),
                (4, "2. call it [now, 0 of 5 attempts used]"),
                (6, "Nothing was run after the last change"),
                (8, "and with it the plan"),
            ],
        ),
        Case {
            flags: NO_TOOLS,
            ..case(
                "a plan in text",
                hello(),
                vec![
                    say("Plan:\n1. greet in lib.py\n2. call it\n"),
                    say("lib.py\n```python\nraise ValueError('early')\n```\nStep done\n"),
                    say("lib.py\n```python\ndef greet():\n    print('hello')\n```\nStep done.\n"),
                    main_py("import lib\nlib.greet()"),
                ],
                &[(1, "The plan is noted"), (2, "Step 1 is not done"), (2, "ValueError"), (3, "Step 1 is done. Go on with step 2.")],
            )
        },
        case(
            "look into it at a breakpoint, read its documentation",
            hello(),
            vec![
                write("main.py", "def price(base, rate):\n    total = base * rate\n    return total\n\n\nprint(price(6, 7))\n"),
                call("inspect", json!({"breakpoints": ["main.py:3"], "print": ["total + 1", "missing"]})),
                call("inspect", json!({"breakpoints": ["nowhere.py:3"], "file": "none.py"})),
                write("docs/greeting.md", "# Greetings\n\nThe greeting is hello, in small letters.\n"),
                call("search_docs", json!({"query": "which greeting?"})),
                write("main.py", "print('hello')\n"),
                finish(),
            ],
            &[(2, "at main.py:3 in price"), (2, "total = 42"), (2, "total + 1 → 43"), (2, "missing → error"), (3, "none.py does not exist"), (5, "docs/greeting.md:1"), (5, "in small letters")],
        ),
        case("javascript", hello(), vec![say("main.js\n```js\nnull.x;\n```"), say("main.js\n```js\nconsole.log('hello');\n```")], &[(1, "TypeError")]),
    ]
}

#[test]
#[expect(clippy::disallowed_methods, reason = "whether the long way is asked for is in the environment")]
fn scripted_tasks_are_solved_over_every_wire() {
    let cases = cases();
    assert!(cases.len() >= 20);
    // Each task over one of the wires, in turn; with `FORMICARY_LONG=1` each over all of them.
    let words = ["openai", "anthropic", "gemini", "responses"];
    let all = std::env::var_os("FORMICARY_LONG").is_some_and(|value| value != "0");
    let chosen = |number: usize| if all { words.to_vec() } else { vec![words[number % 4]] };
    let pairs = cases.into_iter().enumerate();
    for (word, case) in
        pairs.flat_map(|(number, case)| chosen(number).into_iter().map(move |word| (word, case.clone())))
    {
        let bench = Bench::new(word, case.plays, case.flags);
        let folder = (!case.files.is_empty()).then(|| bench.folder(case.files));
        let mut options = bench.options(case.acceptance, folder.as_deref());
        options.without_fixer = !case.fixer;
        let outcome = bench.run(options).unwrap().outcome;
        let name = case.name;
        assert_eq!(outcome.ending, Ending::Solved, "{name}: {} {:?}", outcome.reason, bench.asked().last());
        let asked = bench.asked();
        assert_eq!(asked.len(), case.asked, "{name}");
        for (request, part) in case.told {
            assert!(
                asked[request].contains(part),
                "{name}: request {request} lacks {part:?}:\n{}",
                asked[request]
            );
        }
        assert!(asked.iter().all(|text| !text.contains("xyzzy-hidden") && !text.contains(KEY)), "{name}");
        // The user's own folder is as it was.
        if let Some(folder) = folder {
            assert_eq!(std::fs::read_to_string(folder.join("calc.py")).unwrap(), BUGGY, "{name}");
        }
    }
}

#[test]
fn a_result_is_applied_only_when_asked_for() {
    let bench = Bench::new("openai", vec![say(FIX)], &[]);
    let folder = bench.folder(REPOSITORY);
    let done = bench.run(bench.options(tests(UNITTEST), Some(&folder))).unwrap();
    assert_eq!(std::fs::read_to_string(folder.join("calc.py")).unwrap(), BUGGY);
    assert!(done.outcome.diff.contains("+    return a + b"));
    let result = ResultInput { apply: true, ..ResultInput::default() };
    let input = ResumeInput { id: done.outcome.id, result };
    let applied = bench.platform.perform::<ResumeRun>(&bench.context(), input).unwrap();
    assert_eq!(applied.written, ["calc.py"]);
    assert!(std::fs::read_to_string(folder.join("calc.py")).unwrap().contains("a + b"));
}

#[test]
fn a_result_that_the_review_refuses_goes_back_once() {
    let options = |bench: &Bench| {
        let mut options = bench.options(expects("hello\n"), None);
        options.gate = formicary_model::agent::AgentGate::Medium;
        options
    };
    let code = "import os\nimport sys\n\nos.system('true ' + sys.argv[0])\nprint('hello')";
    let bench = Bench::new("openai", vec![main_py(code), main_py("print('hello')")], &[]);
    let outcome = bench.run(options(&bench)).unwrap().outcome;
    assert_eq!(outcome.ending, Ending::Solved, "{}", outcome.reason);
    assert!(bench.asked()[1].contains("the review does not let it pass"));
    let bench = Bench::new("openai", vec![main_py(code), main_py(&format!("# again\n{code}"))], &[]);
    let outcome = bench.run(options(&bench)).unwrap().outcome;
    assert_eq!(outcome.ending, Ending::GateNotMet, "{}", outcome.reason);
}
