//! The generated benchmark of refactorings, small and with a fixed seed.

use crate::refactored::{FAMILIES, run, table};
use formicary_syntax::{Dialect, parse};
use std::path::Path;

#[test]
fn refactorings_of_real_files_are_told() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (dialect, ending, folders) in [
        (Dialect::Python, "py", ["crates/python/python/formicary", "crates/python/tests"]),
        (Dialect::Java, "java", ["crates/repair/src/judges/java", "crates/diagnose/src/inspect/drivers"]),
        (Dialect::JavaScript, "js", ["tests/dashboard", "crates/diagnose/src/inspect/drivers"]),
    ] {
        let mut files: Vec<(String, String)> = Vec::new();
        for folder in folders {
            let mut paths: Vec<_> = std::fs::read_dir(root.join(folder))
                .into_iter()
                .flatten()
                .map(|entry| entry.unwrap().path())
                .collect();
            paths.sort();
            for path in paths.iter().filter(|path| path.extension().is_some_and(|own| own == ending)) {
                let text = std::fs::read_to_string(path).unwrap();
                let unit = parse(dialect, &text);
                if unit.notes.is_empty() && unit.functions.len() >= 6 && text.len() < 60_000 {
                    files.push((path.file_name().unwrap().to_string_lossy().into_owned(), text));
                }
            }
        }
        assert!(files.len() >= 2, "{dialect:?} of {folders:?}");
        let outcome = run(dialect, &files, 3, 2);
        for (family, kinds) in FAMILIES {
            let row = outcome.family(kinds);
            assert!(
                row.precision() >= 0.9 && row.recall() >= 0.9,
                "{family}\n{}{:#?}",
                table("our own", &outcome),
                outcome.errors
            );
        }
    }
}
