//! Every language through every front end, with a real program that reads its input and has an argument: in a sandbox of its own,
//! in one that stands ready, judged, and in a session.

use crate::library::{Library, Stays};
use crate::project::Project;
use crate::{cli, http, mcp};
use formicary_testkit::programs::{
    ALL, Programs, READING, READING_ARGUMENT, READING_PRINTS, READING_STDIN, Reading,
};
use serde_json::{Value, json};

/// What stands ready is used from the second run on, at the latest from the third.
const ROUNDS: usize = 3;

#[test]
fn every_language_reads_its_input_behind_every_door() {
    let project = Project::new();
    let library = Library::new(&project);
    let staying = Library::that(&project, Stays::Yes);
    let mcp = mcp::Mcp::that(&project, Stays::Yes);
    let cli = cli::Cli::find(&project);
    let http = cli.as_ref().and_then(|cli| http::Http::start(cli, &project));
    let mut wrong = Vec::new();
    for Reading { language, code } in READING {
        let mut check = |door: &str, given: Value| {
            if given["stdout"] != READING_PRINTS || given["status"] != "success" {
                wrong.push(format!("{language} by {door}: {given}"));
            }
        };
        check("the library", library.read(language, code));
        if let Some(cli) = &cli {
            let arguments = ["run", "-l", language, "-c", code, "--", READING_ARGUMENT];
            check("the command line", cli.run_with(&arguments, READING_STDIN));
        }
        for _ in 0..ROUNDS {
            check("the library that stays", staying.read(language, code));
            let arguments = json!({"language": language, "code": code, "stdin": READING_STDIN, "args": [READING_ARGUMENT]});
            check("MCP", mcp.call("execute_code", arguments));
            if let Some(http) = &http {
                let body = json!({"language": language, "source": {"code": {"code": code}},
                    "stdin": READING_STDIN, "args": [READING_ARGUMENT]});
                check("HTTP", http.ask("/v1/execute", body));
            }
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_language_is_judged_behind_every_door() {
    let project = Project::new();
    let cases = json!([{"stdin": "one\n", "expected": "one\n"}, {"stdin": "two\n", "expected": "two\n"}]);
    let item = |one: &Programs| json!({"id": one.language, "language": one.language, "code": one.echo, "cases": cases});
    let items: Vec<Value> = ALL.iter().map(item).collect();
    let accepted = |door: &str, given: &Value| {
        let results = given["results"].as_array().cloned().unwrap_or_default();
        assert_eq!(results.len(), ALL.len(), "{door}: {given}");
        for result in results {
            assert_eq!(result["verdict"], "accepted", "{door}: {result}");
        }
    };
    let mcp = mcp::Mcp::that(&project, Stays::Yes);
    accepted("MCP", &mcp.call("judge", json!({"items": items})));
    let Some(cli) = cli::Cli::find(&project) else { return };
    let lines: String = items.iter().map(|item| format!("{item}\n")).collect();
    std::fs::write(project.folder().join("reading.jsonl"), lines).unwrap();
    accepted("the command line", &cli.run(&["judge", "reading.jsonl"]));
    if let Some(http) = http::Http::start(&cli, &project) {
        accepted("HTTP", &http.ask("/v1/judge", json!({"items": items})));
    }
}

/// Languages that have sessions, and two cells of which the second knows what the first did.
const CELLS: &[(&str, [&str; 2])] = &[
    ("python", ["x = 40", "print(x + 2)"]),
    ("javascript", ["var x = 40", "console.log(x + 2)"]),
    ("bash", ["x=40", "echo $((x + 2))"]),
];

#[test]
fn every_language_with_sessions_goes_on_behind_every_door() {
    let project = Project::new();
    let library = Library::that(&project, Stays::Yes);
    let mcp = mcp::Mcp::that(&project, Stays::Yes);
    let cli = cli::Cli::find(&project);
    let http = cli.as_ref().and_then(|cli| http::Http::start(cli, &project));
    for (language, cells) in CELLS {
        let check =
            |door: &str, given: Value| assert_eq!(given["stdout"], "42\n", "{language} by {door}: {given}");
        check("the library", library.cells(language, *cells));
        check("MCP", mcp.cells(language, *cells));
        if let Some(cli) = &cli {
            check("the command line", cli.cells(language, *cells));
        }
        if let Some(http) = &http {
            check("HTTP", http.cells(language, *cells));
        }
    }
}
