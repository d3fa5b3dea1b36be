//! Cyclomatic complexity against lizard, on code of packages that nobody here wrote.
//!
//! Functions are compared where lizard sees the same ones: the same name, first and last line. The definitions differ in
//! what [`Compared::differs`] looks for, and nowhere else:
//!
//! - lizard counts `#if` lines; references (`T &&x`, `&&x`) as a logical and; `where`, `?` and a whole `match` once in
//!   Rust; default values of parameters in JavaScript;
//! - function literals are functions of their own to lizard, and part of the function around them to us.
#![expect(clippy::unwrap_used, reason = "a test")]

use super::peers::{SKIPS, python};
use formicary_lint::{Options, SourceFile, analyze_file};
use formicary_syntax::Dialect;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
#[expect(clippy::disallowed_types, reason = "the peer is asked by a test")]
use std::process::Command;

/// Prints one line of JSON a file: path; first line, last line, name and complexity of its functions.
const LIZARD: &str = r#"
import json, sys, lizard
for path in sys.argv[1:]:
    found = lizard.analyze_file(path).function_list
    rows = [[f.start_line, f.end_line, f.name.split("::")[-1].split(".")[-1], f.cyclomatic_complexity] for f in found]
    print(json.dumps([path, rows]))
"#;

/// Code of one language, and how lizard's definition differs there.
struct Compared {
    dialect: Dialect,
    /// The folder, below where packages lie, and the ending of its files.
    sources: (PathBuf, &'static str),
    /// The ending that makes lizard take a file for this language.
    ending: &'static str,
    /// At least so many functions are compared.
    functions: usize,
    /// Whether the definitions differ for a function with this text.
    differs: fn(&str) -> bool,
}

/// Functions of jQuery of which lizard loses a condition or two (after `return name`); counted by hand.
const COUNTED_BY_HAND: [(&str, u32); 3] = [("sortOrder", 17), ("queue", 7), ("setOffset", 11)];

/// Whether `&&` stands before a word: no operator then.
fn double_reference(text: &str) -> bool {
    text.match_indices("&&").any(|(at, _)| !text[at + 2..].starts_with([' ', '\n']))
}

fn any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

fn compared(packages: &Path, crates: &Path) -> [Compared; 6] {
    let crate_named = |name: &str| {
        let mut folders: Vec<PathBuf> = std::fs::read_dir(crates)
            .into_iter()
            .flatten()
            .flatten()
            .flat_map(|index| std::fs::read_dir(index.path()).into_iter().flatten().flatten())
            .map(|entry| entry.path())
            .filter(|path| {
                let rest = path.file_name().and_then(|file| file.to_str()?.strip_prefix(name));
                rest.is_some_and(|rest| rest.starts_with("-0") || rest.starts_with("-4"))
            })
            .collect();
        folders.sort();
        folders.pop().unwrap_or_default()
    };
    let c = |text: &str| any(text, &["\n#", "\n  #", "\n    #"]);
    [
        Compared {
            dialect: Dialect::C,
            sources: (crate_named("tree-sitter").join("src"), "c"),
            ending: "c",
            functions: 300,
            differs: c,
        },
        Compared {
            dialect: Dialect::Cpp,
            sources: (packages.join("pybind11/include/pybind11"), "h"),
            ending: "cpp",
            functions: 200,
            differs: |text| {
                double_reference(text) || any(text, &["#", "](", "] (", "]{", ")\n        :", "? "])
            },
        },
        Compared {
            dialect: Dialect::Java,
            sources: (packages.join("pythonforandroid"), "java"),
            ending: "java",
            functions: 200,
            differs: |text| any(text, &["->", "new Runnable", "Listener() {", "{{", "{%"]),
        },
        Compared {
            dialect: Dialect::JavaScript,
            sources: (packages.join("xstatic/pkg/jquery/data"), "js"),
            ending: "js",
            functions: 100,
            differs: |text| text.matches("function").count() > 1 || any(text, &["=>", "?.", "??"]),
        },
        Compared {
            dialect: Dialect::Go,
            sources: (PathBuf::from("/usr/lib/go/src/encoding"), "go"),
            ending: "go",
            functions: 300,
            differs: |text| text.contains("func("),
        },
        Compared {
            dialect: Dialect::Rust,
            sources: (crate_named("clap_builder").join("src"), "rs"),
            ending: "rs",
            functions: 500,
            differs: |text| double_reference(text) || any(text, &["|", "?", "match ", "where", "!(", "!["]),
        },
    ]
}

#[test]
fn complexity_equals_lizards() {
    let Some(python) = python("lizard, pybind11, xstatic.pkg.jquery, pythonforandroid") else {
        SKIPS.note("complexity_equals_lizards", "lizard is not in the test environment");
        return;
    };
    let packages = glob_one(&python.parent().unwrap().with_file_name("lib")).join("site-packages");
    let crates = cargo_home().join("registry/src");
    for compared in compared(&packages, &crates) {
        compare(&python, &compared);
    }
}

/// The one folder in a folder.
pub(super) fn glob_one(folder: &Path) -> PathBuf {
    std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).find(|path| path.is_dir()).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "where cargo keeps sources is known to the environment")]
fn cargo_home() -> PathBuf {
    std::env::var_os("CARGO_HOME").map_or_else(
        || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cargo"),
        PathBuf::from,
    )
}

pub(super) fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|known| known == ending)
            && !path.to_string_lossy().contains(".min.")
        {
            found.push(path);
        }
    }
}

#[expect(clippy::disallowed_types, reason = "the peer is asked by a test")]
fn compare(python: &Path, compared: &Compared) {
    let (folder, ending) = &compared.sources;
    let mut found = Vec::new();
    files(folder, ending, &mut found);
    found.truncate(150);
    let scratch = tempfile::tempdir().unwrap();
    for (number, path) in found.iter_mut().enumerate() {
        let copy = scratch.path().join(format!("{number}.{}", compared.ending));
        std::fs::copy(&path, &copy).unwrap();
        *path = copy;
    }
    let output = Command::new(python).arg("-c").arg(LIZARD).args(&found).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (mut count, mut different) = (0, Vec::new());
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let (path, rows): (String, Vec<(usize, usize, String, u32)>) = serde_json::from_str(line).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let source = SourceFile { path: path.clone(), text: text.clone(), dialect: Some(compared.dialect) };
        let metrics = analyze_file(&source, &Options::default()).unwrap().metrics;
        let ours: BTreeMap<(&str, usize), (usize, u32)> = metrics
            .functions
            .iter()
            .map(|function| {
                let name = function.name.rsplit(['.', ':']).next().unwrap_or_default();
                let span = &function.span;
                ((name, span.end_line as usize), (span.start_line as usize, function.cyclomatic))
            })
            .collect();
        for (first, last, name, complexity) in rows {
            let Some((start, found)) = ours.get(&(name.as_str(), last)) else { continue };
            if start.abs_diff(first) > 2 || (compared.differs)(&lines[first - 1..last].join("\n")) {
                continue;
            }
            count += 1;
            let by_hand = COUNTED_BY_HAND.contains(&(name.as_str(), *found));
            if *found != complexity && !by_hand {
                different.push(format!("{path}:{first} {name}: {complexity}, ours {found}"));
            }
        }
    }
    assert!(count >= compared.functions, "{:?}: {count} functions in {}", compared.dialect, folder.display());
    assert!(different.is_empty(), "{:?}: {} of {count}: {different:#?}", compared.dialect, different.len());
}
