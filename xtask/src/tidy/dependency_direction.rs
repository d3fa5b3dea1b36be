//! Arrows between rooms go one way, as ARCHITECTURE.md draws them.

use super::Findings;
use crate::tree::{File, Tree};

/// Every room with the rooms that it may use. A room that is not here has no place in the house yet.
const ROOMS: [(&str, &[&str]); 24] = [
    ("formicary-model", &[]),
    ("formicary-typestrip", &[]),
    ("formicary-keeper", &[]),
    ("formicary-warden", &[]),
    ("formicary-jail", &["formicary-model"]),
    ("formicary-sandbox", &["formicary-model", "formicary-jail", "formicary-warden"]),
    ("formicary-execution", &["formicary-sandbox", "formicary-keeper", "formicary-model"]),
    ("formicary-monitoring", &["formicary-model"]),
    ("formicary-syntax", &["formicary-model"]),
    ("formicary-analysis", &["formicary-syntax", "formicary-model"]),
    ("formicary-patterns", &["formicary-syntax", "formicary-model"]),
    (
        "formicary-review",
        &["formicary-analysis", "formicary-patterns", "formicary-syntax", "formicary-model"],
    ),
    (
        "formicary-debugging",
        &[
            "formicary-execution",
            "formicary-sandbox",
            "formicary-patterns",
            "formicary-syntax",
            "formicary-model",
        ],
    ),
    (
        "formicary-testing",
        &["formicary-execution", "formicary-sandbox", "formicary-syntax", "formicary-model"],
    ),
    ("formicary-llm", &["formicary-model"]),
    (
        "formicary-agent",
        &[
            "formicary-llm",
            "formicary-testing",
            "formicary-debugging",
            "formicary-review",
            "formicary-patterns",
            "formicary-execution",
            "formicary-sandbox",
            "formicary-syntax",
            "formicary-model",
        ],
    ),
    (
        "formicary-platform",
        &[
            "formicary-agent",
            "formicary-llm",
            "formicary-testing",
            "formicary-execution",
            "formicary-sandbox",
            "formicary-monitoring",
            "formicary-review",
            "formicary-patterns",
            "formicary-debugging",
            "formicary-model",
        ],
    ),
    ("formicary-server", &["formicary-platform", "formicary-model"]),
    ("formicary-mcp", &["formicary-platform", "formicary-model"]),
    ("formicary-cluster", &["formicary-platform", "formicary-model"]),
    ("formicary-python", &["formicary-platform", "formicary-model"]),
    // One binary: the command line starts the other doors.
    (
        "formicary",
        &["formicary-platform", "formicary-server", "formicary-mcp", "formicary-cluster", "formicary-model"],
    ),
    (
        "formicary-testkit",
        &["formicary-platform", "formicary-execution", "formicary-sandbox", "formicary-model"],
    ),
    (
        "xtask",
        &[
            "formicary-platform",
            "formicary-execution",
            "formicary-sandbox",
            "formicary-syntax",
            "formicary-model",
            "formicary",
        ],
    ),
];

/// Tests look at everything, and nothing uses them.
const TESTS: &str = "tests/";

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.files.iter().filter(|file| file.is_manifest() && !file.is_fixture()) {
        if let Some(manifest) = parse(file, findings) {
            check_manifest(file, &manifest, findings);
        }
    }
}

fn parse(file: &File, findings: &mut Findings) -> Option<toml::Table> {
    match file.text.parse() {
        Ok(manifest) => Some(manifest),
        Err(error) => {
            findings.error(&file.path, 1, format!("not TOML: {error}"));
            None
        }
    }
}

fn check_manifest(file: &File, manifest: &toml::Table, findings: &mut Findings) {
    let Some(name) =
        manifest.get("package").and_then(|package| package.get("name")).and_then(|name| name.as_str())
    else {
        return;
    };
    if file.path.starts_with(TESTS) {
        return;
    }
    let Some((_, allowed)) = ROOMS.iter().find(|(room, _)| *room == name) else {
        findings.error(
            &file.path,
            1,
            format!("room {name} is not in the table of rooms; add it with its arrows"),
        );
        return;
    };
    for used in dependencies(manifest, &["dependencies", "build-dependencies"]) {
        let ours = used == "formicary" || used.starts_with("formicary-") || used == "xtask";
        if ours && !allowed.contains(&used.as_str()) {
            let line = line_of(&file.text, &used);
            findings.error(&file.path, line, format!("{name} may not use {used} (it may use {allowed:?})"));
        }
    }
    for used in dependencies(manifest, &["dev-dependencies"]) {
        if name == "formicary-model" && used.starts_with("formicary-") {
            findings.error(
                &file.path,
                line_of(&file.text, &used),
                "model uses no other room, in tests neither",
            );
        }
    }
}

/// The names in these tables, those under `[target.….…]` too.
fn dependencies(manifest: &toml::Table, tables: &[&str]) -> Vec<String> {
    let targets =
        manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values);
    let scopes = std::iter::once(Some(manifest)).chain(targets.map(toml::Value::as_table)).flatten();
    scopes
        .flat_map(|scope| tables.iter().filter_map(|table| scope.get(*table)?.as_table()))
        .flat_map(|table| table.iter())
        .map(|(key, value)| value.get("package").and_then(toml::Value::as_str).unwrap_or(key).to_owned())
        .collect()
}

fn line_of(text: &str, name: &str) -> usize {
    text.lines().position(|line| line.trim_start().starts_with(name)).map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn arrows_that_point_back_are_found() {
        let manifest = |name: &str, rest: &str| format!("[package]\nname = \"{name}\"\n{rest}");
        let cases = [
            (manifest("formicary-model", "[dependencies]\nformicary-sandbox.workspace = true"), Some(4)),
            (manifest("formicary", "[dependencies]\nformicary-platform.workspace = true"), None),
            (manifest("formicary", "[dependencies]\nformicary-execution.workspace = true"), Some(4)),
            (manifest("formicary", "[dev-dependencies]\nformicary-testkit.workspace = true"), None),
            (
                manifest("formicary-jail", "[target.x.dependencies]\nformicary-sandbox.workspace = true"),
                Some(4),
            ),
            (manifest("formicary-jail", "[dependencies]\ns = { package = \"formicary-sandbox\" }"), Some(1)),
            (manifest("formicary-model", "[dev-dependencies]\nformicary-testkit.workspace = true"), Some(4)),
            (manifest("formicary-new-room", ""), Some(1)),
        ];
        for (text, line) in cases {
            let expected: Vec<String> =
                line.iter().map(|line| format!("crates/x/Cargo.toml:{line}")).collect();
            assert_eq!(places("dependency-direction", &[("crates/x/Cargo.toml", &text)]), expected, "{text}");
        }
    }

    #[test]
    fn tests_may_use_everything() {
        let text =
            "[package]\nname = \"formicary-conformance\"\n[dependencies]\nformicary-sandbox.workspace = true";
        assert!(places("dependency-direction", &[("tests/conformance/Cargo.toml", text)]).is_empty());
    }
}
