//! The table.

use crate::library::{self, Library};
use crate::project::Project;
use serde_json::{Value, json};

/// One use-case, as each door is asked for it.
pub struct Case {
    pub name: &'static str,
    pub library: fn(&Library) -> Value,
    pub cli: &'static [&'static str],
    pub mcp: fn(&Project) -> (&'static str, Value),
    pub http: fn(&Project) -> (&'static str, Value),
    /// What of the result is compared.
    pub view: fn(Value) -> Value,
}

const fn whole(value: Value) -> Value {
    value
}

/// A run: MCP leaves out what is empty or usual, and counts of bytes.
fn run(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(name, _)| name != "output");
            let fields = fields.map(|(name, field)| (name, run(field)));
            Value::Object(fields.filter(|(_, field)| !is_empty(field)).collect())
        }
        other => other,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

pub const HELLO: &str = "import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(3)";
pub const BROKEN: &str = "int main( { return 0; }";
pub const ENDLESS: &str = "while True: pass";
pub const FAILING: &str = "def f(x):\n    return 1 / x\nf(0)\n";

fn code(language: &str, code: &str) -> Value {
    json!({"language": language, "source": {"code": {"code": code}}})
}

fn rename() -> Value {
    json!({"kind": "rename", "file": "gcd.py", "line": 1, "column": 5, "to": "greatest"})
}

pub const ALL: &[Case] = &[
    Case {
        name: "execute",
        library: |library| library.execute("python", HELLO, None),
        cli: &["run", "-l", "python", "-c", HELLO],
        mcp: |_| ("execute_code", json!({"language": "python", "code": HELLO})),
        http: |_| ("/v1/execute", code("python", HELLO)),
        view: run,
    },
    Case {
        name: "compile error",
        library: |library| library.execute("c", BROKEN, None),
        cli: &["run", "-l", "c", "-c", BROKEN],
        mcp: |_| ("execute_code", json!({"language": "c", "code": BROKEN})),
        http: |_| ("/v1/execute", code("c", BROKEN)),
        view: run,
    },
    Case {
        name: "timeout",
        library: |library| library.execute("python", ENDLESS, Some(0.5)),
        cli: &["run", "-l", "python", "-t", "0.5s", "-c", ENDLESS],
        mcp: |_| ("execute_code", json!({"language": "python", "code": ENDLESS, "timeout_seconds": 0.5})),
        http: |_| {
            let mut body = code("python", ENDLESS);
            body["limits"] = json!({"wall_seconds": 0.5});
            ("/v1/execute", body)
        },
        view: run,
    },
    Case {
        name: "a language that there is not",
        library: |library| library.execute("klingon", "1", None),
        cli: &["run", "-l", "klingon", "-c", "1"],
        mcp: |_| ("execute_code", json!({"language": "klingon", "code": "1"})),
        http: |_| ("/v1/execute", code("klingon", "1")),
        view: |value| value["error"].clone(),
    },
    Case {
        name: "languages",
        library: |library| library.languages(),
        cli: &["languages"],
        mcp: |_| ("list_languages", json!({})),
        http: |_| ("/v1/languages", Value::Null),
        view: |value| value.get("languages").cloned().unwrap_or(value),
    },
    Case {
        name: "judge",
        library: |library| library.judge(),
        cli: &["judge", "items.jsonl"],
        mcp: |_| ("judge", json!({"items": Project::items()})),
        http: |_| ("/v1/judge", json!({"items": Project::items()})),
        view: whole,
    },
    Case {
        name: "review",
        library: |library| library.perform("review", json!({})),
        cli: &["review"],
        mcp: |_| ("review_project", json!({})),
        http: |project| ("/v1/review", json!({"files": project.sent("")})),
        view: whole,
    },
    Case {
        name: "gate",
        library: |library| library.perform("gate", json!({})),
        cli: &["gate"],
        mcp: |_| ("check_quality_gates", json!({})),
        http: |project| ("/v1/gate", json!({"files": project.sent("")})),
        view: whole,
    },
    Case {
        name: "review, cut down",
        library: |library| library.perform("review", json!({"types": ["security"], "severity": "medium"})),
        cli: &["review", "--types", "security", "--severity", "medium"],
        mcp: |_| ("review_project", json!({"types": ["security"], "severity": "medium"})),
        http: |project| {
            ("/v1/review", json!({"files": project.sent(""), "types": ["security"], "severity": "medium"}))
        },
        view: |value| value["findings"].clone(),
    },
    Case {
        name: "an unknown metric",
        library: |library| library.perform("gate", json!({"gates": {"scor": 1}})),
        cli: &["gate", "--gate", "scor=1"],
        mcp: |_| ("check_quality_gates", json!({"gates": {"scor": 1}})),
        http: |project| ("/v1/gate", json!({"files": project.sent(""), "gates": {"scor": 1}})),
        view: |value| value["error"].clone(),
    },
    Case {
        name: "fixes of a review",
        library: |library| library.perform("review.fix", json!({"unsafe": true})),
        cli: &["review", "--fix", "--unsafe", "--dry-run"],
        mcp: |_| ("fix_findings", json!({"unsafe": true})),
        http: |project| ("/v1/review/fix", json!({"files": project.sent(""), "unsafe": true})),
        // Files that were sent go back changed.
        view: |value| json!({"applied": value["applied"], "left": value["left"], "changes": value["changes"]}),
    },
    Case {
        name: "rules",
        library: |library| library.perform("review.rules", json!({})),
        cli: &["rules"],
        mcp: |_| ("list_rules", json!({})),
        http: |_| ("/v1/rules", Value::Null),
        view: |value| list(value, "items"),
    },
    Case {
        name: "search",
        library: |library| {
            library.perform("search", json!({"pattern": library::PATTERN, "language": "python"}))
        },
        cli: &["search", "print($X)", "-l", "python"],
        mcp: |_| ("search_pattern", json!({"pattern": library::PATTERN, "language": "python"})),
        http: |project| {
            (
                "/v1/search",
                json!({"pattern": library::PATTERN, "language": "python", "files": project.sent("")}),
            )
        },
        view: whole,
    },
    Case {
        name: "rewrite",
        library: |library| {
            library.perform(
                "rewrite",
                json!({"pattern": library::PATTERN, "to": "show($X)", "language": "python"}),
            )
        },
        cli: &["rewrite", "print($X)", "--to", "show($X)", "-l", "python"],
        mcp: |_| {
            (
                "rewrite_pattern",
                json!({"pattern": library::PATTERN, "replacement": "show($X)", "language": "python"}),
            )
        },
        http: |project| {
            (
                "/v1/rewrite",
                json!({"pattern": library::PATTERN, "to": "show($X)", "language": "python", "files": project.sent("")}),
            )
        },
        // A door that is sent files gives them back and has no tree to write to.
        view: |value| json!({"changes": value["changes"], "left": value["left"]}),
    },
    Case {
        name: "clones",
        library: |library| library.perform("clones", json!({})),
        cli: &["clones"],
        mcp: |_| ("find_clones", json!({})),
        http: |project| ("/v1/clones", json!({"files": project.sent("")})),
        view: whole,
    },
    Case {
        name: "refactorings",
        library: |library| library.perform("refactorings", json!({"before": "before", "after": "after"})),
        cli: &["refactorings", "before", "after"],
        mcp: |project| {
            (
                "detect_refactorings",
                json!({"files_before": project.sent("before/"), "files_after": project.sent("after/")}),
            )
        },
        http: |project| {
            ("/v1/refactorings", json!({"before": project.sent("before/"), "after": project.sent("after/")}))
        },
        view: whole,
    },
    Case {
        name: "refactor",
        library: |library| library.perform("refactor", json!({"refactoring": rename()})),
        cli: &["refactor", "rename", "gcd.py:1:5", "greatest"],
        mcp: |_| ("refactor", json!({"refactoring": rename()})),
        http: |project| ("/v1/refactor", json!({"files": project.sent(""), "refactoring": rename()})),
        view: |value| json!({"what": value["what"], "changes": value["changes"]}),
    },
    Case {
        name: "diagnose",
        library: |library| library.diagnose(),
        cli: &["diagnose", "-l", "python", "-c", FAILING],
        mcp: |_| ("debug", json!({"language": "python", "code": FAILING})),
        http: |_| ("/v1/diagnose", json!({"language": "python", "code": FAILING})),
        view: |value| value.get("diagnosis").cloned().unwrap_or(value),
    },
    Case {
        name: "fix",
        library: |library| library.fix(),
        cli: &["fix", "gcd.py", "--test", "python3 test_gcd.py", "--quiet"],
        mcp: |_| ("fix", json!({"target": "gcd.py", "test": "python3 test_gcd.py"})),
        http: |project| {
            (
                "/v1/fix",
                json!({"files": project.sent(""), "paths": ["gcd.py"], "test": "python3 test_gcd.py"}),
            )
        },
        // The search runs on all processors: which patches it meets first differs from run to run.
        view: |value| {
            let verified = value["patches"][0]["verification"]["verified"].clone();
            json!({"status": value["status"], "language": value["language"], "command": value["command"], "verified": verified})
        },
    },
    Case {
        name: "doctor",
        library: |library| library.doctor(),
        cli: &["doctor"],
        mcp: |_| ("doctor", json!({})),
        http: |_| ("/v1/doctor", Value::Null),
        // What is served has no provider that isolates nothing, and what is free on the host moves.
        view: |value| {
            let native =
                value["providers"].as_array().into_iter().flatten().find(|one| one["name"] == "native");
            json!({"level": value["level"], "isolated": value["isolated"], "native": native, "languages": value["languages"]})
        },
    },
    Case {
        name: "tests run",
        library: |library| library.perform("tests.run", json!({"paths": ["suite"]})),
        cli: &["tests", "run", "suite"],
        mcp: |_| ("run_tests", json!({"path": "suite"})),
        http: |project| ("/v1/tests/run", json!({"files": project.sent("suite/")})),
        view: |mut value| {
            // The framework's own words tell times.
            value["output"] = Value::Null;
            value
        },
    },
    Case {
        name: "tests generate",
        library: |library| {
            library.perform("tests.generate", json!({"paths": ["judged"], "style": "unittest", "seconds": 3}))
        },
        cli: &["tests", "generate", "judged", "--style", "unittest", "--time", "3"],
        mcp: |_| ("generate_tests", json!({"path": "judged", "style": "unittest", "seconds": 3})),
        http: |project| {
            (
                "/v1/tests/generate",
                json!({"files": project.sent("judged/"), "style": "unittest", "seconds": 3}),
            )
        },
        // How many tests are found hangs on how much is tried in the time.
        view: |value| {
            let file = |file: &Value| {
                json!({"module": file["module"], "file": file["file"], "tests": file["tests"].as_u64() > Some(0),
                    "lines": file["lines"], "covered": file["covered"]})
            };
            value["files"].as_array().into_iter().flatten().map(file).collect()
        },
    },
    Case {
        name: "tests mutate",
        library: |library| {
            library.perform("tests.mutate", json!({"paths": ["judged"], "seconds": 60, "most": 12}))
        },
        cli: &["tests", "mutate", "judged", "--time", "60", "--most", "12"],
        mcp: |_| ("mutate_tests", json!({"path": "judged", "seconds": 60, "most": 12})),
        http: |project| {
            ("/v1/tests/mutate", json!({"files": project.sent("judged/"), "seconds": 60, "most": 12}))
        },
        view: whole,
    },
    Case {
        name: "inspect",
        library: |library| library.inspect(),
        cli: &["inspect", "-l", "python", "-c", FAILING, "--break", "2 if x == 0", "--print", "x + 1"],
        mcp: |_| {
            (
                "inspect",
                json!({"language": "python", "code": FAILING, "breakpoints": ["2 if x == 0"], "print": ["x + 1"]}),
            )
        },
        http: |_| {
            let points = json!([{"line": 2, "condition": "x == 0"}]);
            (
                "/v1/inspect",
                json!({"language": "python", "code": FAILING, "breakpoints": points, "print": ["x + 1"]}),
            )
        },
        // MCP says once what the program wrote.
        view: |mut value| {
            value["run"] = json!({"status": value["run"]["status"], "language": value["run"]["language"]});
            value
        },
    },
    Case {
        name: "agent",
        library: |library| library.perform("agent.solve", json!({"task": library::TASK})),
        cli: &["agent", library::TASK, "--quiet"],
        mcp: |_| ("solve_task", json!({"task": library::TASK})),
        http: |_| ("/v1/agent/runs", json!({"task": library::TASK})),
        view: |mut value| {
            for moving in ["id", "spent"] {
                value[moving] = Value::Null;
            }
            value
        },
    },
    Case {
        name: "symbols",
        library: |library| library.perform("symbols", json!({"name": "gcd", "references": true})),
        cli: &["symbols", "gcd", "--references"],
        mcp: |_| ("find_symbols", json!({"name": "gcd", "references": true})),
        http: |project| {
            ("/v1/symbols", json!({"files": project.sent(""), "name": "gcd", "references": true}))
        },
        view: |value| list(value, "symbols"),
    },
    Case {
        name: "callers",
        library: |library| library.perform("calls", json!({"name": "gcd", "side": "callers", "depth": 2})),
        cli: &["callers", "gcd", "--depth", "2"],
        mcp: |_| ("find_calls", json!({"name": "gcd", "side": "callers", "depth": 2})),
        http: |project| {
            ("/v1/calls", json!({"files": project.sent(""), "name": "gcd", "side": "callers", "depth": 2}))
        },
        view: |value| list(value, "calls"),
    },
    Case {
        name: "callees",
        library: |library| library.perform("calls", json!({"name": "run", "side": "callees"})),
        cli: &["callees", "run"],
        mcp: |_| ("find_calls", json!({"name": "run", "side": "callees"})),
        http: |project| ("/v1/calls", json!({"files": project.sent(""), "name": "run", "side": "callees"})),
        view: |value| list(value, "calls"),
    },
    Case {
        name: "dependencies",
        library: |library| library.perform("dependencies", json!({"file": "test_gcd.py", "external": true})),
        cli: &["deps", "test_gcd.py", "--external"],
        mcp: |_| ("list_dependencies", json!({"file": "test_gcd.py", "external": true})),
        http: |project| {
            ("/v1/dependencies", json!({"files": project.sent(""), "file": "test_gcd.py", "external": true}))
        },
        view: |value| list(value, "dependencies"),
    },
    Case {
        name: "nothing of that name",
        library: |library| library.perform("calls", json!({"name": "gdc", "side": "callers"})),
        cli: &["callers", "gdc"],
        mcp: |_| ("find_calls", json!({"name": "gdc", "side": "callers"})),
        http: |project| ("/v1/calls", json!({"files": project.sent(""), "name": "gdc", "side": "callers"})),
        view: |value| value["error"].clone(),
    },
];

/// A list by itself: doors that answer with objects give it a name.
fn list(value: Value, name: &str) -> Value {
    value.get("items").or(value.get(name)).cloned().unwrap_or(value)
}

/// Tools that no case names, and why.
pub const OTHER_TOOLS: &[(&str, &str)] = &[
    ("session_", "sessions have a test of their own"),
    ("undo_change", "writes, which no front end is granted in the table"),
    ("review_file", "the review of one file, cut down"),
    ("read_output", "the way to what an answer left out, which only this door has"),
];

/// Addresses that take work and are no use case of their own, and why.
pub const OTHER_ADDRESSES: &[(&str, &str)] = &[("/v1/jobs", "an execution that nobody waits for")];

/// Use cases that no case performs, and why.
pub const OTHER_USE_CASES: &[(&str, &str)] = &[
    ("undo", "files that were sent have no past"),
    ("detect", "what every run without a language does by itself"),
    ("review.baseline", "writes, which no front end is granted in the table"),
    ("review.pyscn", "a part of what the review measures"),
    ("projects.list", "projects that a server reviewed by name"),
    ("projects.show", "projects that a server reviewed by name"),
    ("session.create", "sessions have a test of their own"),
    ("session.run", "sessions have a test of their own"),
    ("session.list", "sessions have a test of their own"),
    ("session.show", "sessions have a test of their own"),
    ("session.interrupt", "sessions have a test of their own"),
    ("session.reset", "sessions have a test of their own"),
    ("session.close", "sessions have a test of their own"),
    ("session.files", "sessions have a test of their own"),
    ("session.put", "sessions have a test of their own"),
    ("session.get", "sessions have a test of their own"),
    ("session.remove", "sessions have a test of their own"),
    ("runs", "the runs of one process are no other's"),
    ("runs.timeline", "the runs of one process are no other's"),
    ("metrics", "the runs of one process are no other's"),
    ("audit.read", "runs of tests are in nobody's log"),
    ("audit.verify", "runs of tests are in nobody's log"),
    ("images.list", "for the user of the host alone"),
    ("images.pull", "for the user of the host alone"),
    ("images.build", "for the user of the host alone"),
    ("images.prune", "for the user of the host alone"),
    ("cache.list", "for the user of the host alone"),
    ("cache.prune", "for the user of the host alone"),
    ("config", "for the user of the host alone"),
    ("agent.resume", "goes on with a run that was cut, which has tests of its own"),
    ("agent.replay", "computes a run anew, which has tests of its own"),
    ("agent.runs", "kept runs have tests of their own"),
    ("agent.show", "kept runs have tests of their own"),
];
