//! The generated benchmark, small and with a fixed seed, over this repository's own files.

use crate::families;
use crate::generated::{Label, originals, run, table};
use formicary_syntax::Dialect;
use std::path::Path;

#[test]
fn copies_of_our_own_functions_are_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["syntax/src/lower"] {
        let mut names: Vec<_> =
            std::fs::read_dir(root.join(folder)).unwrap().map(|e| e.unwrap().path()).collect();
        names.sort();
        for path in names.iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs")) {
            files.push((Dialect::Rust, std::fs::read_to_string(path).unwrap()));
        }
    }
    let originals = originals::harvest(&files, 12);
    assert!(originals.len() > 8);
    let outcome = run(&originals, 7);
    let shown = table("our own", originals.len(), &outcome);
    assert!(outcome.recall(Label::Type1) == 1.0, "{shown}");
    assert!(outcome.recall(Label::Type2) >= 0.99, "{shown}");
    assert!(outcome.recall(Label::Strong) >= 0.9, "{shown}");
    assert!(outcome.recall(Label::Moderate) >= 0.5, "{shown}");
    assert!(outcome.precision() >= 0.95, "{shown}{:?}", outcome.wrong);
}

#[test]
fn tasks_are_recognised_whoever_wrote_them() {
    let outcome = families::run(&[]);
    let shown = table("tasks", families::read().len(), &outcome);
    assert!(outcome.recall(Label::Moderate) >= 0.5, "{shown}");
    assert!(outcome.recall(Label::Functional) >= 0.2, "{shown}");
    assert!(outcome.precision() >= 0.95, "{shown}{:?}", outcome.wrong);
}
