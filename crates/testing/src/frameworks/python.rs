//! pytest and unittest, both by our runner inside the sandbox: it uses the framework's own hooks.

use super::{Before, Framework, Plan, Start};
use crate::events::{self, Told};
use crate::project::{LEFT_OUT, OURS, Project, SHOWN_AT, our_file};
use crate::run::Wanted;
use formicary_model::ExecutionResult;
use serde_json::json;

const RUNNER: &str = include_str!("../python/runner.py");
/// Which lines were reached.
pub const LINES: &str = include_str!("../python/line_coverage.py");

/// pytest.
pub const PYTEST: Framework = Framework {
    name: "pytest",
    language: "python",
    recognise: recognise_pytest,
    plan: plan_pytest,
    read,
    goes_on: true,
};

/// unittest.
pub const UNITTEST: Framework = Framework {
    name: "unittest",
    language: "python",
    recognise: recognise_unittest,
    plan: plan_unittest,
    read,
    goes_on: true,
};

fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py") || name == "tests.py")
}

/// The files of tests.
pub(super) fn files(project: &Project) -> Vec<String> {
    project.paths.iter().filter(|path| is_test(path)).cloned().collect()
}

fn recognise_pytest(project: &Project) -> Option<String> {
    for name in ["pytest.ini", ".pytest.ini"] {
        if project.has(name) {
            return Some(format!("{name} is there"));
        }
    }
    if let Some(path) = project.paths.iter().find(|path| path.ends_with("conftest.py")) {
        return Some(format!("{path} is there"));
    }
    for (name, word) in [
        ("pyproject.toml", "[tool.pytest"),
        ("tox.ini", "[pytest]"),
        ("setup.cfg", "[tool:pytest]"),
        ("pyproject.toml", "pytest"),
    ] {
        if project.text(name).contains(word) {
            return Some(format!("{name} speaks of pytest"));
        }
    }
    let own = |path: &&String| {
        let text = project.text(path);
        is_test(path)
            && (text.contains("import pytest")
                || text.contains("\ndef test_")
                || text.starts_with("def test_")
                || text.contains("\nasync def test_"))
    };
    project.paths.iter().find(own).map(|path| format!("{path} holds test functions"))
}

fn recognise_unittest(project: &Project) -> Option<String> {
    let own = |path: &&String| is_test(path) && project.text(path).contains("unittest");
    let found = project.paths.iter().find(own);
    found.map(|path| format!("{path} uses unittest")).or_else(|| {
        let any = project.paths.iter().find(|path| is_test(path));
        any.map(|path| format!("{path} is a file of Python tests"))
    })
}

fn plan_pytest(project: &Project, wanted: &Wanted, before: &Before<'_>) -> Plan {
    plan("pytest", project, wanted, before, wanted.select.clone())
}

fn plan_unittest(project: &Project, wanted: &Wanted, before: &Before<'_>) -> Plan {
    let select = if wanted.select.is_empty() { files(project) } else { wanted.select.clone() };
    plan("unittest", project, wanted, before, select)
}

fn plan(
    framework: &str,
    project: &Project,
    wanted: &Wanted,
    before: &Before<'_>,
    select: Vec<String>,
) -> Plan {
    let plan = json!({
        "framework": framework,
        "select": select,
        "filter": wanted.filter,
        "arguments": wanted.arguments,
        "coverage": wanted.coverage,
        "done": before.done,
        "test_seconds": before.test_seconds.unwrap_or(0.0),
        "shown_at": project.shown.as_ref().map(|_| SHOWN_AT),
        "left_out": LEFT_OUT,
    });
    Plan {
        start: Start::Python(format!("{OURS}/runner.py")),
        files: vec![
            our_file("runner.py", RUNNER),
            our_file("line_coverage.py", LINES),
            our_file("plan.json", plan.to_string()),
        ],
        env: vec![("PYTHONDONTWRITEBYTECODE", "1".into())],
        collect: vec![format!("{OURS}/events.jsonl")],
    }
}

fn read(_: &Project, result: &ExecutionResult) -> Told {
    events::read(result, split)
}

/// `tests/test_a.py::TestB::test_c[1]`, or `test_a.TestB.test_c`.
fn split(id: &str) -> (String, String) {
    if let Some((suite, name)) = id.split_once("::") {
        return (suite.to_owned(), name.replace("::", "."));
    }
    match id.rsplit_once('.') {
        Some((suite, name)) if !id.ends_with(".py") && !id.contains('/') => {
            (suite.to_owned(), name.to_owned())
        }
        _ => (id.to_owned(), id.rsplit('/').next().unwrap_or(id).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split() {
        for (id, suite, name) in [
            ("tests/test_a.py::TestB::test_c[1-x]", "tests/test_a.py", "TestB.test_c[1-x]"),
            ("test_a.TestB.test_c", "test_a.TestB", "test_c"),
            ("tests/test_broken.py", "tests/test_broken.py", "test_broken.py"),
        ] {
            assert_eq!(split(id), (suite.to_owned(), name.to_owned()), "{id}");
        }
    }
}
