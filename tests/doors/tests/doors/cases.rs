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

pub const HELLO: &str = "import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(3)";
pub const BROKEN: &str = "int main( { return 0; }";
pub const ENDLESS: &str = "while True: pass";
pub const FAILING: &str = "def f(x):\n    return 1 / x\nf(0)\n";

fn code(language: &str, code: &str) -> Value {
    json!({"language": language, "source": {"code": {"code": code}}})
}

pub const ALL: &[Case] = &[
    Case {
        name: "execute",
        library: |library| library.execute("python", HELLO, None),
        cli: &["run", "-l", "python", "-c", HELLO],
        mcp: |_| ("execute_code", json!({"language": "python", "code": HELLO})),
        http: |_| ("/v1/execute", code("python", HELLO)),
        view: whole,
    },
    Case {
        name: "compile error",
        library: |library| library.execute("c", BROKEN, None),
        cli: &["run", "-l", "c", "-c", BROKEN],
        mcp: |_| ("execute_code", json!({"language": "c", "code": BROKEN})),
        http: |_| ("/v1/execute", code("c", BROKEN)),
        view: whole,
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
        view: whole,
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
        library: |library| library.review(),
        cli: &["review"],
        mcp: |_| ("review_project", json!({})),
        http: |project| ("/v1/review", json!({"files": project.sent("")})),
        view: whole,
    },
    Case {
        name: "gate",
        library: |library| library.gate(),
        cli: &["gate"],
        mcp: |_| ("check_quality_gates", json!({})),
        http: |project| ("/v1/gate", json!({"files": project.sent("")})),
        view: whole,
    },
    Case {
        name: "search",
        library: |library| library.search(),
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
        library: |library| library.rewrite(),
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
        library: |library| library.clones(),
        cli: &["clones"],
        mcp: |_| ("find_clones", json!({})),
        http: |project| ("/v1/clones", json!({"files": project.sent("")})),
        view: whole,
    },
    Case {
        name: "refactorings",
        library: |library| library.refactorings(),
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
        library: |library| library.refactor(),
        cli: &["refactor", "rename", "gcd.py:1:5", "greatest"],
        mcp: |_| {
            (
                "refactor",
                json!({"operation": "rename", "path": "gcd.py", "line": 1, "column": 5, "name": "greatest"}),
            )
        },
        http: |project| {
            let wanted =
                json!({"kind": "rename", "file": "gcd.py", "line": 1, "column": 5, "to": "greatest"});
            ("/v1/refactor", json!({"files": project.sent(""), "refactoring": wanted}))
        },
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
            ("/v1/fix", json!({"files": project.sent(""), "target": "gcd.py", "test": "python3 test_gcd.py"}))
        },
        // The search runs on all processors: which patches it meets first differs from run to run.
        view: |value| {
            let verified = value["patches"][0]["verification"]["verified"].clone();
            json!({"status": value["status"], "language": value["language"], "command": value["command"], "verified": verified})
        },
    },
];
