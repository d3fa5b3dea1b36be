//! Every tool's data file against what the tool really said.

use super::{DATA, Description};
use crate::engine::Analyzer as _;
use formicary_model::review::{Category, Severity};

const ROOT: &str = "/repository";

macro_rules! recorded {
    ($($name:literal),+ $(,)?) => { &[$(($name, include_str!(concat!("recorded/", $name, ".txt")))),+] };
}

const RECORDED: &[(&str, &str)] = recorded![
    "bandit",
    "black",
    "clang-tidy",
    "clippy",
    "cppcheck",
    "eslint",
    "flake8",
    "go-vet",
    "gofmt",
    "javac",
    "mypy",
    "prettier",
    "pylint",
    "pyscn",
    "ruff",
    "rustfmt",
    "semgrep",
    "shellcheck",
    "tsc",
];

/// Tool, how many findings, and one of them: rule, file, line, column, severity, category, CWE, a part of the message.
type Case = (
    &'static str,
    usize,
    (&'static str, &'static str, u32, u32, Severity, Category, Option<u32>, &'static str),
);

#[test]
fn recorded_output_is_understood() {
    use Category::{DeadCode, Lint, Security};
    use Severity::{High, Info, Low, Medium};
    let cases: [Case; 19] = [
        ("bandit", 2, ("bandit:B602", "a.py", 6, 12, High, Security, Some(78), "shell=True")),
        ("black", 1, ("black:format", "a.py", 1, 1, Info, Lint, None, "black would")),
        (
            "clang-tidy",
            2,
            (
                "clang-tidy:clang-analyzer-security.ArrayBound",
                "e.c",
                5,
                5,
                Medium,
                Security,
                None,
                "Out of bound",
            ),
        ),
        (
            "clippy",
            4,
            ("clippy:unused_variables", "src/lib.rs", 2, 9, Medium, DeadCode, None, "unused variable"),
        ),
        ("cppcheck", 5, ("cppcheck:memleak", "e.c", 9, 5, High, Lint, Some(401), "Memory leak: p")),
        ("eslint", 2, ("eslint:no-unreachable", "b.js", 2, 25, Medium, DeadCode, None, "Unreachable code")),
        ("flake8", 6, ("flake8:F401", "a.py", 1, 1, Low, DeadCode, None, "'os' imported but unused")),
        ("go-vet", 1, ("go-vet:vet", "m.go", 6, 15, Medium, Lint, None, "fmt.Printf format %d has arg")),
        ("gofmt", 1, ("gofmt:format", "m.go", 1, 1, Info, Lint, None, "gofmt would")),
        ("javac", 4, ("javac:unchecked", "J.java", 7, 1, Medium, Lint, None, "unchecked call to add(E)")),
        (
            "mypy",
            2,
            ("mypy:name-defined", "a.py", 10, 7, Medium, Lint, None, "\"undefined_name\" is not defined"),
        ),
        ("prettier", 2, ("prettier:format", "b.js", 1, 1, Info, Lint, None, "prettier would")),
        ("pylint", 7, ("pylint:undefined-variable", "a.py", 10, 7, High, Lint, None, "undefined_name")),
        (
            "pyscn",
            1,
            ("pyscn:unreachable_after_return", "m.py", 8, 1, Medium, DeadCode, None, "after a return"),
        ),
        ("ruff", 4, ("ruff:F841", "a.py", 5, 5, Low, DeadCode, None, "unused")),
        ("rustfmt", 1, ("rustfmt:format", "src/lib.rs", 1, 1, Info, Lint, None, "rustfmt would")),
        ("semgrep", 1, ("semgrep:shell-true", "a.py", 6, 12, High, Security, Some(78), "through the shell")),
        ("shellcheck", 7, ("shellcheck:2086", "d.sh", 2, 8, Low, Lint, None, "Double quote")),
        ("tsc", 2, ("tsc:TS2551", "c.ts", 2, 41, High, Lint, None, "Did you mean 'length'?")),
    ];
    let (mut counts, mut expected) = (Vec::new(), Vec::new());
    for (name, count, (rule, file, line, column, severity, category, cwe, message)) in cases {
        let (_, text) = DATA.iter().find(|(known, _)| *known == name).unwrap();
        let tool = Description::parse(name, text).unwrap();
        let (_, said) = RECORDED.iter().find(|(known, _)| *known == name).unwrap();
        let found = tool.read(said, ROOT);
        let shown: Vec<String> = found
            .iter()
            .map(|f| format!("{} {}:{} {}", f.rule, f.file, f.span.start_line, f.message))
            .collect();
        let one =
            found.iter().find(|finding| finding.rule == rule).unwrap_or_else(|| panic!("{name}: {shown:#?}"));
        let place = (one.file.as_str(), one.span.start_line, one.span.start_column);
        assert_eq!(place, (file, line, column), "{name}");
        assert_eq!((one.severity, one.category, one.cwe), (severity, category, cwe), "{name}");
        assert!(one.message.contains(message), "{name}: {}", one.message);
        counts.push((name, found.len()));
        expected.push((name, count));
    }
    assert_eq!(counts, expected);
}

#[test]
fn every_data_file_is_read_and_recorded() {
    for (name, text) in DATA {
        let tool = Description::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
        assert!(tool.json.is_some() == tool.lines.is_empty(), "{name} is read in one way");
        assert!(!tool.languages.is_empty() && !tool.codes.is_empty(), "{name}");
        assert!(RECORDED.iter().any(|(known, _)| *known == name), "{name}");
    }
}

#[test]
fn what_is_said_to_be_the_same_is_a_rule_of_ours() {
    let rules = crate::native::NativeAnalyzer::default().rules();
    for (name, text) in DATA {
        for own in Description::parse(name, text).unwrap().same.values() {
            assert!(rules.iter().any(|rule| rule.name == own.as_str()), "{name}: {own}");
        }
    }
}

#[test]
fn files_outside_the_project_are_none_of_ours() {
    let (name, text) = DATA.iter().find(|(name, _)| *name == "clang-tidy").unwrap();
    let tool = Description::parse(name, text).unwrap();
    assert!(
        tool.read("/usr/include/stdio.h:1:1: warning: x [y]\n../a.c:1:1: warning: x [y]\n", ROOT).is_empty()
    );
}
