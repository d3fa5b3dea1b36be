//! Small tasks in Java as several people would write them: which of their functions are found to be copies.
//!
//! Each file of `families/` is one task; its functions are parted by `// ---` and lie in a file each.

use crate::generated::{Label, Outcome, measured};
use formicary_clones::{CloneOptions, CloneSource, detect};
use formicary_model::clones::CloneLevel;
use formicary_syntax::Dialect;
use std::collections::BTreeSet;
use std::path::Path;

/// Every function of every task, as a file of its own: its task, its path, its text.
pub fn read() -> Vec<(usize, String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/families");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    files.sort();
    let mut all = Vec::new();
    for (task, file) in files.iter().enumerate() {
        let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = std::fs::read_to_string(file).unwrap_or_default();
        for (index, function) in text.split("// ---\n").enumerate() {
            let path = format!("{name}/F{index}.java");
            all.push((task, path, format!("class Holder{task}x{index} {{\n{function}}}\n")));
        }
    }
    all
}

/// The label of two functions of one task, by the share that is equal.
pub fn label(a: &str, b: &str) -> Label {
    match measured(Dialect::Java, a, b) {
        share if share >= 0.9 => Label::VeryStrong,
        share if share >= 0.7 => Label::Strong,
        share if share >= 0.5 => Label::Moderate,
        _ => Label::Functional,
    }
}

/// Looks for copies among all of them, with other sources around.
pub fn run(around: &[(String, String)]) -> Outcome {
    let all = read();
    let own = all.iter().map(|(_, path, text)| (path, text));
    let sources: Vec<CloneSource<'_>> = own
        .chain(around.iter().map(|(path, text)| (path, text)))
        .map(|(path, text)| CloneSource { path, language: Dialect::Java.language(), text })
        .collect();
    let report = detect(&sources, &CloneOptions::default(), &|| false);
    let mut pairs: BTreeSet<(&str, &str)> = BTreeSet::new();
    // A block that two functions share says nothing about the whole of them.
    for group in report.groups.iter().filter(|group| group.level != CloneLevel::Block) {
        for a in &group.places {
            pairs.extend(group.places.iter().map(|b| (a.file.as_str(), b.file.as_str())));
        }
    }
    let mut outcome = Outcome::default();
    for (at, (task, path, text)) in all.iter().enumerate() {
        for (other, second, copy) in &all[at + 1..] {
            let told = pairs.contains(&(path.as_str(), second.as_str()));
            outcome.reported += u32::from(told);
            if task != other {
                outcome.wrong.extend(told.then(|| (path.clone(), second.clone())));
                continue;
            }
            outcome.right += u32::from(told);
            let row = outcome.rows.entry(label(text, copy)).or_default();
            row.made += 1;
            row.found += u32::from(told);
        }
    }
    outcome
}
