//! Programs that fail or hang, run and watched in the sandbox: each chain reaches the origin that the first line of the
//! program names (line and value), each hang is of the kind and at the line that it names.

use crate::NATIVE;
use formicary_diagnose::failures;
use formicary_diagnose::hangs::{self, Input};
use formicary_diagnose::{causes, snapshot};
use formicary_execution::Live;
use formicary_model::{Diagnosis, ErrorDiagnosis, ExecutionRequest, ExecutionResult, Language, Source};
use std::path::Path;

pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The words of the first line.
    pub(crate) head: Vec<String>,
}

pub(crate) fn programs(directory: &str, endings: &[&str]) -> Vec<Program> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/causes").join(directory);
    let mut found: Vec<Program> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| endings.iter().any(|one| ending == *one)))
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let head = text.lines().next().unwrap().split_once(": ").unwrap().1;
            let head = head.split(" | ").map(str::to_owned).collect();
            Program { name: path.file_name().unwrap().to_string_lossy().into_owned(), text, head }
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn request(text: &str, stdin: &str) -> ExecutionRequest {
    ExecutionRequest {
        language: Some("python".into()),
        source: Source::Code { code: text.into(), file_name: Some("main.py".into()) },
        stdin: stdin.into(),
        ..ExecutionRequest::default()
    }
}

pub(crate) fn run(request: ExecutionRequest) -> ExecutionResult {
    NATIVE.execute(request, Live::default()).unwrap_or_else(|failure| panic!("{}", failure.message))
}

/// A failing program, diagnosed with its chain.
fn diagnosed(text: &str, stdin: &str) -> (Diagnosis, ExecutionResult) {
    let request = request(text, stdin);
    let result = run(request.clone());
    let sources = failures::sources_of(&request, "python");
    let mut diagnosis = failures::of_result(&result, &sources);
    let watched = causes::request(&request, Language::Python, "main.py", result.duration).unwrap();
    let watched = run(watched);
    causes::attach(&mut diagnosis, &watched, &sources);
    snapshot::attach(&mut diagnosis, &snapshot::frames(&watched.artifacts));
    (diagnosis, watched)
}

pub(crate) fn explained(error: &ErrorDiagnosis) -> String {
    let steps: Vec<String> = error.chain.iter().map(|step| format!("    {:?} {step}", step.role)).collect();
    format!("{}: {}\n  {}\n{}", error.error_type, error.message, error.root_cause, steps.join("\n"))
}

#[test]
fn chains_reach_the_origin() {
    let programs = programs("chains", &["py"]);
    assert!(programs.len() >= 40, "only {} programs", programs.len());
    let mut wrong = Vec::new();
    for program in programs {
        let [line, value, stdin @ ..] = program.head.as_slice() else {
            panic!("{}: no origin", program.name)
        };
        let stdin = stdin.first().map(|text| text.replace("\\n", "\n")).unwrap_or_default();
        let (diagnosis, _) = diagnosed(&program.text, &stdin);
        let error = diagnosis.main().unwrap();
        let line: u32 = line.parse().unwrap();
        let reached =
            error.chain.iter().any(|step| step.line == line && step.value.starts_with(value.as_str()));
        let used = error.root_cause.contains('`');
        let variables = error.stack.iter().any(|frame| !frame.variables.is_empty());
        if !reached || !used || !variables || error.chain.len() > 6 {
            wrong.push(format!("{} (line {line}, {value})\n{}", program.name, explained(error)));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n----\n"));
}

#[test]
fn hangs_are_named_and_placed() {
    let programs = programs("hangs", &["py"]);
    assert!(programs.len() >= 18, "only {} programs", programs.len());
    let mut wrong = Vec::new();
    for program in programs {
        let [kind, line, word, input @ ..] = program.head.as_slice() else {
            panic!("{}: no hang", program.name)
        };
        let mut request = request(&program.text, "");
        let input = if input.is_empty() { Input::Given } else { Input::Open };
        request.limits.wall_seconds = Some(2.0);
        // Input that stays open is what a terminal gives; without it these programs meet its end.
        let first = match input {
            Input::Given => run(request.clone()),
            Input::Open => {
                let waiting =
                    ExecutionRequest { source: Source::code("while True: pass"), ..request.clone() };
                run(waiting)
            }
        };
        let sources = failures::sources_of(&request, "python");
        let mut diagnosis = failures::of_result(&first, &sources);
        let watched = hangs::request(&request, Language::Python, "main.py", &first, input)
            .unwrap_or_else(|| panic!("{} ended with {}: {}", program.name, first.status, first.stderr));
        let watched = run(watched);
        hangs::attach(&mut diagnosis, &watched, &sources);
        let error = diagnosis.main().unwrap();
        let found = error.hang.as_ref().map(|hang| (hang.kind.word(), hang.line));
        let placed = error.place.as_ref().is_some_and(|place| place.line.to_string() == *line);
        let all = serde_json::to_string(&error.hang).unwrap();
        if found != Some((kind.as_str(), line.parse().unwrap())) || !placed || !all.contains(word.as_str()) {
            wrong.push(format!(
                "{}: {found:?}, {}\n{}{}",
                program.name, error.root_cause, watched.stderr, watched.status
            ));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n----\n"));
}

/// Values of a program that run code when they are shown, compared, hashed or deleted, and programs that record, print or
/// start without end: the chain is right, or there is none, and nothing of the program runs because of it.
#[test]
fn hostile_programs_neither_stall_nor_lie() {
    const HOSTILE: &str = "class Hostile:\n    def __init__(self):\n        self.field = 7\n    def __repr__(self):\n        print('ran repr')\n        while True: pass\n    __str__ = __hash__ = __eq__ = __bool__ = __len__ = __getattr__ = __format__ = __repr__\n    def __del__(self): print('ran del')\n";
    let programs: &[(&str, String, u32, &str)] = &[
        ("reprs", format!("{HOSTILE}h = Hostile()\nn = 0\nprint(h.field / n)"), 10, "0"),
        ("a hostile field", format!("{HOSTILE}class Box:\n    def __init__(self, x):\n        self.x = x\nb = Box(None)\nc = Box(Hostile())\nb.x.go()"), 12, "None"),
        ("a metaclass", "class Meta(type):\n    def __eq__(self, other): raise SystemExit(3)\n    def __hash__(self): raise SystemExit(4)\nclass A(metaclass=Meta):\n    pass\na = A()\na.x = None\na.x.go()".into(), 7, "None"),
        ("a million elements", "xs = list(range(10 ** 6))\nys = [x for x in xs if x > 10 ** 7]\nprint(ys[0])".into(), 2, "[]"),
        ("huge strings", "s = 'x' * 10 ** 7\nn = s\nint(n)".into(), 1, "'xxx"),
        ("endless generators", "def ones():\n    while True:\n        yield 1\ng = ones()\nzero = next(g) - 1\nprint(1 / zero)".into(), 5, "0"),
        ("replaced builtins", "import builtins\nd = 0\nfor name in ('len', 'repr', 'isinstance', 'type', 'sorted', 'id', 'open', 'getattr', 'print'):\n    setattr(builtins, name, lambda *a, **k: 1 / 0)\nx = 1 % d".into(), 2, "0"),
        ("code of a string", "limit = 0\nexec('def half(x):\\n    return x / limit')\nvalue = None\nprint(half(3) + value)".into(), 0, ""),
        ("ten million assignments", "for i in range(10 ** 7):\n    a = i\nlimit = 0\nprint(a % limit)".into(), 3, "0"),
        ("the last of many rows", "rows = [{'n': i} for i in range(60000)]\nrows[59999]['n'] = None\ntotal = 0\nfor row in rows:\n    total += row['n']".into(), 2, "None"),
        ("a hundred thousand calls", "def f(x):\n    return x or None\nfor i in range(100000, -1, -1):\n    y = f(i)\nprint(y + 1)".into(), 2, "None"),
        ("deep recursion", "import sys\nsys.setrecursionlimit(20000)\ndef down(n, zero):\n    return down(n - 1, zero) if n else 1 / zero\nz = 0\nprint(down(5000, z))".into(), 4, "0"),
        ("a child that fails", "import os\nif os.fork() == 0:\n    none = None\n    none.go()\nos.wait()\nz = 0\nprint(1 / z)".into(), 6, "0"),
        ("threads", "import threading\nseen = {}\ndef work(k):\n    for i in range(20000):\n        seen[k] = i\nts = [threading.Thread(target=work, args=(k,)) for k in range(4)]\nfor t in ts: t.start()\nfor t in ts: t.join()\nseen[9] = None\nprint(seen[9] + 1)".into(), 9, "None"),
        ("another directory", "import os, tempfile\nos.chdir('/tmp')\nz = 0\nprint(1 / z)".into(), 3, "0"),
        ("syntax of all kinds", "import asyncio\nfrom dataclasses import dataclass\n@dataclass(slots=True)\nclass P:\n    x: int = 0\n    y: 'int' = 0\nasync def agen():\n    for i in range(2):\n        yield i\n    return\nasync def main():\n    async for i in agen(): pass\n    xs = [i async for i in agen()]\n    match xs:\n        case [a, *rest] if (n := a) == 0: pass\n    f'{xs!r:>{10}}'\n    *init, last = xs\n    del init\n    try:\n        raise KeyError\n    except KeyError as e: pass\n    else: pass\n    global G\n    G = lambda q, /, *a, k=1, **kw: q / P().x\n    return G(last)\nasyncio.run(main())".into(), 5, "0"),
    ];
    let mut wrong = Vec::new();
    for (name, text, line, value) in programs {
        let (diagnosis, watched) = diagnosed(text, "");
        let error = diagnosis.main().unwrap();
        let reached = error.chain.iter().any(|step| step.line == *line && step.value.starts_with(value));
        if !reached && *line > 0 || watched.stdout.contains("ran") {
            wrong.push(format!("{name}: {} {}\n{}", watched.status, watched.stderr, explained(error)));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n----\n"));
}

/// A report that the program forged is refused unless it fits the failure, and bounded.
#[test]
fn a_second_run_that_differs_gives_no_chain() {
    for text in [
        // Fails only once, or elsewhere the second time.
        "import sys, os\nwatched = 'causes.py' in open('/proc/self/cmdline').read()\nx = 0\nif watched: None.go()\nprint(1 / x)",
        "watched = 'causes.py' in open('/proc/self/cmdline').read()\nif not watched: print(1 / 0)",
        "watched = 'causes.py' in open('/proc/self/cmdline').read()\nif watched:\n    while True: print('x' * 1000000)\nprint(1 / 0)",
    ] {
        let (diagnosis, _) = diagnosed(text, "");
        assert!(diagnosis.main().unwrap().chain.is_empty(), "{diagnosis:?}");
    }
}
