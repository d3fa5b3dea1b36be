//! The literate cases of `tests/cases`: one file a language, one heading a case, code with the findings marked in it.
//!
//! A line that ends in a comment `finds: rule` must have that finding, and no other line may have one of this family.

use formicary_lint::{Options, SourceFile};
use formicary_taint::{Settings, analyze, read_properties};
use std::collections::BTreeSet;

/// A file name, a line and a rule.
type Mark = (String, u32, String);

struct Case {
    title: String,
    files: Vec<(String, String)>,
}

fn cases(text: &str, default: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        if let Some((name, mut code)) = open.take() {
            if line == "```" {
                if let Some(case) = cases.last_mut() {
                    case.files.push((name, code));
                }
            } else {
                code.push_str(line);
                code.push('\n');
                open = Some((name, code));
            }
        } else if let Some(title) = line.strip_prefix("## ") {
            cases.push(Case { title: title.to_owned(), files: Vec::new() });
        } else if let Some(head) = line.strip_prefix("```") {
            let name = head.split_whitespace().nth(1).unwrap_or(default);
            open = Some((name.to_owned(), String::new()));
        }
    }
    cases
}

fn expected(files: &[(String, String)]) -> BTreeSet<Mark> {
    let mut marks = BTreeSet::new();
    for (name, code) in files {
        for (number, line) in code.lines().enumerate() {
            if let Some((_, rules)) = line.split_once("finds: ") {
                for rule in rules.split(", ") {
                    marks.insert((name.clone(), number as u32 + 1, rule.trim().to_owned()));
                }
            }
        }
    }
    marks
}

fn found(files: &[(String, String)]) -> BTreeSet<Mark> {
    const FAMILY: &[&str] = &[
        "sql-injection",
        "command-injection",
        "code-injection",
        "ldap-injection",
        "xpath-injection",
        "template-injection",
        "header-injection",
        "log-injection",
        "path-traversal",
        "cross-site-scripting",
        "request-forgery",
        "open-redirect",
        "foreign-xml",
        "foreign-deserialisation",
        "trust-boundary",
        "regex-injection",
        "foreign-format",
        "predictable-secret",
        "weak-hash",
        "weak-cipher",
    ];
    let mut known = Settings::new();
    let (settings, code): (Vec<_>, Vec<_>) =
        files.iter().partition(|(name, _)| name.ends_with(".properties"));
    settings.iter().for_each(|(_, text)| read_properties(text, &mut known));
    let sources: Vec<SourceFile> =
        code.iter().map(|(name, code)| SourceFile::new(name.as_str(), code.as_str())).collect();
    let analysis = analyze(&sources, &Options::default(), &known);
    for file in &analysis.files {
        assert!(file.notes.is_empty(), "{:?}", file.notes);
    }
    let all = analysis.files.iter().flat_map(|file| &file.findings).chain(&analysis.followed.findings);
    all.filter(|finding| FAMILY.contains(&finding.rule.as_ref()))
        .map(|finding| (finding.file.clone(), finding.span.start_line, finding.rule.to_string()))
        .collect()
}

/// Every case of a language; at least this many.
fn check(name: &str, default: &str, least: usize) {
    let path = format!("{}/tests/cases/{name}.md", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let cases = cases(&text, default);
    assert!(cases.len() >= least, "{name} has {} cases", cases.len());
    let mut wrong = String::new();
    for case in &cases {
        assert!(!case.files.is_empty(), "{name}: {} has no code", case.title);
        let (expected, found) = (expected(&case.files), found(&case.files));
        if expected != found {
            wrong += &format!("{name}: {}\n  expected {expected:?}\n  found    {found:?}\n", case.title);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn python() {
    check("python", "app.py", 30);
}

#[test]
fn java() {
    check("java", "Servlet.java", 30);
}

#[test]
fn javascript() {
    check("javascript", "app.js", 30);
}

#[test]
fn go() {
    check("go", "main.go", 30);
}

#[test]
fn c() {
    check("c", "main.c", 10);
}

#[test]
fn cpp() {
    check("cpp", "main.cpp", 10);
}

#[test]
fn rust() {
    check("rust", "main.rs", 10);
}

#[test]
fn bash() {
    check("bash", "run.sh", 10);
}
