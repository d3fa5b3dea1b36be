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
    assert_eq!(expected[1]["value"]["text/plain"], "42", "{expected}");
    same("session", "MCP", &expected, &view(mcp::Mcp::new(&project).session()));
    let Some(cli) = cli::Cli::find(&project) else { return };
    same("session", "the command line", &expected, &view(cli.session()));
    if let Some(http) = http::Http::start(&cli, &project) {
        same("session", "HTTP", &expected, &view(http.session()));
    }
}
