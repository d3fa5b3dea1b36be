//! Each use-case through each door, held against the library.

use crate::project::Project;
use crate::{cases, cli, http, library, mcp, redaction};
use serde_json::Value;

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
        let known = named.contains(&path.as_str()) || is_other(path, cases::OTHER_ADDRESSES);
        assert!(known || methods.get("post").is_none(), "no case asks {path}");
    }
}
