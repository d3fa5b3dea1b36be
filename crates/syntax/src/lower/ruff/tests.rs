//! Both ways say the same: over code that is written for it, and over the code of this host.

use crate::lower::{by_grammar, empty};
use crate::{Bounds, Dialect, NoteKind, Unit, parse};
use std::path::{Path, PathBuf};

/// The file by the grammar.
fn by_tree(source: &str) -> Unit<'_> {
    by_grammar(empty(Dialect::Python, source), Bounds::default())
}

/// The file by ruff's parser, where it goes that way.
fn by_ruff(source: &str) -> Option<Unit<'_>> {
    super::read(source, Bounds::default())
}

/// The first thing that the two do not say alike.
fn difference(tree: &Unit<'_>, ruff: &Unit<'_>) -> Option<String> {
    fn first<T: std::fmt::Debug>(what: &str, tree: &[T], ruff: &[T]) -> Option<String> {
        let show = |one: Option<&T>| one.map(|one| format!("{one:?}"));
        (0..tree.len().max(ruff.len())).find_map(|index| {
            let (tree, ruff) = (show(tree.get(index)), show(ruff.get(index)));
            (tree != ruff).then(|| format!("{what} {index}:\n  tree {tree:?}\n  ruff {ruff:?}"))
        })
    }
    first("note", &tree.notes, &ruff.notes)
        .or_else(|| first("expression", &tree.expressions, &ruff.expressions))
        .or_else(|| first("statement", &tree.statements, &ruff.statements))
        .or_else(|| first("function", &tree.functions, &ruff.functions))
        .or_else(|| first("class", &tree.classes, &ruff.classes))
        .or_else(|| first("import", &tree.imports, &ruff.imports))
        .or_else(|| first("comment", &tree.comments, &ruff.comments))
        .or_else(|| first("line of code", &tree.code_lines, &ruff.code_lines))
        .or_else(|| (format!("{tree:?}") != format!("{ruff:?}")).then(|| "something else".to_owned()))
}

#[expect(clippy::disallowed_methods, reason = "a test asks whether it may take long, and over what")]
fn told(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|value| value != "0" && !value.is_empty())
}

/// Python's own modules, where this host keeps them.
fn modules() -> Vec<PathBuf> {
    let long = told("FORMICARY_LONG").is_some();
    let entries =
        |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = match told("FORMICARY_PYTHON_FILES") {
        Some(named) => vec![named.into()],
        None => {
            let is_python = |path: &PathBuf| path.to_string_lossy().contains("/python3");
            ["/usr/lib", "/usr/local/lib"]
                .iter()
                .flat_map(|at| entries(Path::new(at)))
                .filter(is_python)
                .collect()
        }
    };
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "py") {
                found.push(path);
            }
        }
    }
    found.sort();
    let step = if long { 1 } else { found.len() / 60 + 1 };
    found.into_iter().step_by(step).collect()
}

/// Where the two differ and the grammar is wrong.
const KNOWN: [(&str, &str); 2] = [
    ("test/libregrtest/main.py", "the grammar reads `print(a, *b.c())` as a call of `*b.c`"),
    ("unittest/mock.py", "the grammar reads `type(a).b = c` as a type alias"),
];

#[test]
fn both_ways_say_the_same_of_real_code() {
    let (mut same, mut by_grammar, mut broken, mut different) = (0, 0, 0, Vec::new());
    let modules = modules();
    for path in &modules {
        let Ok(source) = std::fs::read_to_string(path) else { continue };
        let tree = by_tree(&source);
        match by_ruff(&source) {
            Some(ruff) => match difference(&tree, &ruff) {
                Some(_) if KNOWN.iter().any(|(name, _)| path.ends_with(name)) => {}
                Some(difference) => different.push(format!("{}: {difference}", path.display())),
                None => same += 1,
            },
            None if tree.notes.is_empty() => by_grammar += 1,
            None => broken += 1,
        }
    }
    let all = different.len();
    different.truncate(40);
    let listed = different.join("\n");
    assert!(
        all == 0,
        "{all} differ, {same} do not, {by_grammar} sound and {broken} broken go by the grammar:\n{listed}"
    );
    assert!(
        modules.is_empty() || by_grammar * 5 < same,
        "{by_grammar} of {same} sound files go by the grammar"
    );
}
