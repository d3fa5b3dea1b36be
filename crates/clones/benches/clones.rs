//! `cargo bench -p formicary-clones --bench clones -- [FOLDER …]`: recall and precision on generated copies.
//!
//! Each folder is a source of real functions; without any, those of the Python, Go and C that this host has.
#![allow(clippy::print_stdout, reason = "it prints a table")]
#![allow(clippy::disallowed_methods, reason = "it reads the command line")]

#[path = "../tests/suite/generated/mod.rs"]
mod generated;

#[path = "../tests/suite/families.rs"]
mod families;

use formicary_syntax::Dialect;
use std::path::{Path, PathBuf};

const USUAL: [&str; 3] = ["/usr/lib/python3.11", "/usr/lib/go-1.19/src", "/usr/lib/node_modules"];
const FUNCTIONS: usize = 80;

fn main() {
    // Who asks for a list of tests finds none here.
    if std::env::args().any(|word| word == "--list") {
        return;
    }
    let named: Vec<PathBuf> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).map(PathBuf::from).collect();
    let folders = if named.is_empty() { USUAL.map(PathBuf::from).to_vec() } else { named };
    let tasks = families::run(&[]);
    println!("{}", generated::table("Tasks in Java by several hands", families::read().len(), &tasks));
    for (a, b) in &tasks.wrong {
        println!("  wrong: {a} {b}");
    }
    for folder in folders {
        let mut files = Vec::new();
        walk(&folder, &mut files);
        files.sort();
        for dialect in [Dialect::Python, Dialect::Java, Dialect::JavaScript, Dialect::Go, Dialect::C] {
            let own: Vec<(Dialect, String)> = files
                .iter()
                .filter_map(|path| {
                    let text = std::fs::read_to_string(path).ok()?;
                    (Dialect::of_file(&path.to_string_lossy(), &text) == Some(dialect))
                        .then_some((dialect, text))
                })
                .take(200)
                .collect();
            let originals = generated::originals::harvest(&own, FUNCTIONS);
            if originals.len() >= 20 {
                let outcome = generated::run(&originals, 1);
                let name = format!("{dialect:?} of {}", folder.display());
                println!("{}", generated::table(&name, originals.len(), &outcome));
                for (a, b) in outcome.wrong.iter().take(5) {
                    println!("  wrong: {a} {b}");
                }
            }
        }
    }
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            walk(&path, found);
        } else {
            found.push(path);
        }
    }
}
