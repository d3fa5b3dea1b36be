//! `cargo bench -p formicary-refactor --bench refactorings -- [FOLDER …]`: precision and recall on refactored real files.
//!
//! Each folder is a source of real files; without any, those of the Python and JavaScript that this host has.
//! `--errors` prints what was missed and invented; `--rounds N` says how often each operator runs.
#![allow(clippy::print_stdout, reason = "it prints a table")]
#![allow(clippy::disallowed_methods, reason = "it reads the command line")]

#[path = "../tests/suite/refactored/mod.rs"]
mod refactored;

use formicary_syntax::{Dialect, parse};
use std::path::{Path, PathBuf};

const USUAL: [&str; 2] = ["/usr/lib/python3.11", "/usr/lib/node_modules"];
const FILES: usize = 120;

fn main() {
    // Who asks for a list of tests finds none here.
    if std::env::args().any(|word| word == "--list") {
        return;
    }
    let mut folders: Vec<PathBuf> = Vec::new();
    let (mut errors, mut rounds) = (false, 12);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--errors" => errors = true,
            "--rounds" => rounds = words.next().and_then(|count| count.parse().ok()).unwrap_or(rounds),
            _ if word.starts_with('-') => {}
            _ => folders.push(word.into()),
        }
    }
    if folders.is_empty() {
        folders = USUAL.map(PathBuf::from).to_vec();
    }
    for folder in folders {
        for dialect in [Dialect::Python, Dialect::Java, Dialect::JavaScript] {
            let files = files(&folder, dialect);
            if files.len() < 10 {
                continue;
            }
            let outcome = refactored::run(dialect, &files, 5, rounds);
            let name = format!("{dialect:?}: {} files of {}", files.len(), folder.display());
            println!("{}", refactored::table(&name, &outcome));
            if errors {
                outcome.errors.iter().for_each(|error| println!("  {error}"));
            }
        }
    }
}

// Files that hold enough and can be parsed, evenly from the folder.
fn files(folder: &Path, dialect: Dialect) -> Vec<(String, String)> {
    let ending = refactored::extension(dialect);
    let mut paths = Vec::new();
    walk(folder, ending, &mut paths);
    paths.sort();
    let step = (paths.len() / (FILES * 3)).max(1);
    let mut found = Vec::new();
    for path in paths.into_iter().step_by(step) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let unit = parse(dialect, &text);
        if unit.notes.is_empty() && unit.functions.len() >= 6 && (2_000..60_000).contains(&text.len()) {
            let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
            found.push((name, text));
        }
        if found.len() == FILES {
            break;
        }
    }
    found
}

fn walk(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            walk(&path, ending, found);
        } else if path.extension().is_some_and(|own| own == ending) {
            found.push(path);
        }
    }
}
