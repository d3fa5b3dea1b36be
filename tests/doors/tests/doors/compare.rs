//! Each use-case through each door, held against the library.

use crate::project::Project;
use crate::{cases, cli, http, library, mcp, redaction};
use formicary_platform::registry;
use formicary_platform::use_case::Route;
use serde_json::{Value, json};

fn same(case: &str, door: &str, expected: &Value, given: &Value) {
    assert_eq!(
        serde_json::to_string_pretty(given).unwrap(),
        serde_json::to_string_pretty(expected).unwrap(),
        "{case}: {door} and the library differ"
    );
}

#[test]
fn every_door_gives_the_same() {
    let project = Project::new();
    let library = library::Library::new(&project);
    let cli = cli::Cli::find(&project);
    let mcp = mcp::Mcp::new(&project);
    let http = cli.as_ref().and_then(|cli| http::Http::start(cli, &project));
    let mut tried = 0;
    for case in cases::ALL {
        let view = |given: Value| (case.view)(redaction::plain(given, &project));
        let expected = view((case.library)(&library));
        assert!(!expected.is_null(), "{}", case.name);
        let (tool, arguments) = (case.mcp)(&project);
        same(case.name, "MCP", &expected, &view(mcp.call(tool, arguments)));
        if let Some(cli) = &cli {
            same(case.name, "the command line", &expected, &view(cli.run(case.cli)));
            tried += 1;
        }
        if let Some(http) = &http {
            let (path, body) = (case.http)(&project);
            same(case.name, "HTTP", &expected, &view(http.ask(path, body)));
        }
    }
    println!(
        "{} use-cases, {tried} of them through the command line, HTTP: {}",
        cases::ALL.len(),
        http.is_some()
    );
}

/// Use cases that a tenant performs through its key, with the same result as the host's own user.
const OF_TENANTS: [&str; 7] =
    ["review", "gate", "review, cut down", "an unknown metric", "fixes of a review", "rules", "agent"];

#[test]
fn a_tenants_key_gives_the_same() {
    let project = Project::new();
    let library = library::Library::new(&project);
    let Some(cli) = cli::Cli::find(&project) else { return };
    let Some(http) = http::Http::with_key(&cli, &project) else { return };
    for name in OF_TENANTS {
        let case = cases::ALL.iter().find(|case| case.name == name).unwrap();
        let view = |given: Value| (case.view)(redaction::plain(given, &project));
        let (path, body) = (case.http)(&project);
        same(name, "a tenant's key", &view((case.library)(&library)), &view(http.ask(path, body)));
    }
    // What reaches the host, or is its user's, is not a tenant's.
    for (path, body) in [
        ("/v1/agent/runs", json!({"task": library::TASK, "model": "openai:mine"})),
        ("/v1/agent/runs", json!({"task": library::TASK, "mounts": [{"host": "/etc", "guest": "/seen"}]})),
        ("/v1/agent/runs", json!({"task": library::TASK, "out": "/tmp"})),
        ("/v1/agent/runs", Value::Null),
        ("/v1/agent/replay", json!({"id": "last"})),
    ] {
        assert_eq!(http.ask(path, body.clone())["error"]["kind"], "forbidden", "{path} {body}");
    }
}

/// A model pays for the structured answer of a tool: it says what the text says, and little more.
#[test]
fn answers_of_reviews_are_not_much_larger_than_their_text() {
    let project = Project::new();
    let mcp = mcp::Mcp::new(&project);
    for (tool, arguments) in [
        ("review_project", json!({})),
        ("review_project", json!({"types": ["security"]})),
        ("review_file", json!({"path": "use.py"})),
        ("check_quality_gates", json!({})),
        ("fix_findings", json!({"unsafe": true})),
        ("list_rules", json!({})),
        ("list_rules", json!({"rule": "dynamic-code"})),
        ("solve_task", json!({"task": library::TASK})),
    ] {
        let (structured, text) = mcp.sizes(tool, arguments.clone());
        println!("{tool} {arguments}: {structured} bytes, its text {text}");
        assert!(structured <= 600 + text * 3, "{tool} {arguments}: {structured} bytes, its text {text}");
        assert!(structured <= 42_000 && text <= 17_000, "{tool} {arguments}");
    }
}

#[test]
fn sessions_are_the_same_behind_every_door() {
    let project = Project::new();
    let expected = library::Library::new(&project).session();
    let view = |given: Value| redaction::plain(given, &project);
    let expected = view(expected);
    assert_eq!(expected["cells"][1]["value"]["text/plain"], "42", "{expected}");
    assert_eq!((&expected["read"], &expected["left"]), (&"kept".into(), &Value::Array(Vec::new())));
    same("session", "MCP", &expected, &view(mcp::Mcp::new(&project).session()));
    let Some(cli) = cli::Cli::find(&project) else { return };
    same("session", "the command line", &expected, &view(cli.session()));
    if let Some(http) = http::Http::start(&cli, &project) {
        same("session", "HTTP", &expected, &view(http.session()));
    }
}

/// A use case that is added to the registry gets its case here, or a reason to have none.
#[test]
fn every_use_case_is_in_the_table() {
    let project = Project::new();
    let asked: Vec<(&str, bool)> = cases::ALL
        .iter()
        .map(|case| (case.http)(&project))
        .map(|(path, body)| (path, !body.is_null()))
        .collect();
    let other = |name: &str| cases::OTHER_USE_CASES.iter().any(|(other, _)| *other == name);
    for row in registry::ALL {
        let has_case = asked.contains(&(row.path, row.route == Route::Post));
        assert!(has_case != other(row.name), "{}: either a case or a reason to have none", row.name);
    }
    for (name, _) in cases::OTHER_USE_CASES {
        assert!(registry::find(name).is_some(), "{name} is no use case");
    }
}

/// What is offered at one door and missing in the table would never be compared.
#[test]
fn the_table_names_everything_that_is_offered() {
    let project = Project::new();
    let is_other =
        |name: &str, others: &[(&str, &str)]| others.iter().any(|(begin, _)| name.starts_with(begin));
    let named: Vec<&str> = cases::ALL.iter().map(|case| (case.mcp)(&project).0).collect();
    for tool in mcp::Mcp::new(&project).tools() {
        let known = named.contains(&tool.as_str()) || is_other(&tool, cases::OTHER_TOOLS);
        assert!(known, "no case calls the tool {tool}");
    }
    let Some(cli) = cli::Cli::find(&project) else { return };
    let Some(http) = http::Http::start(&cli, &project) else { return };
    let named: Vec<&str> = cases::ALL.iter().map(|case| (case.http)(&project).0).collect();
    let description = http.ask("/openapi.json", Value::Null);
    for (path, methods) in description["paths"].as_object().unwrap() {
        // Use cases without a case have their reason in the test above.
        let known = named.contains(&path.as_str())
            || registry::ALL.iter().any(|row| row.path == path)
            || is_other(path, cases::OTHER_ADDRESSES);
        assert!(known || methods.get("post").is_none(), "no case asks {path}");
    }
}
