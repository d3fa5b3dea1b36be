//! What a change consists of: two versions in, refactorings and the lines that they do not explain out.
//!
//! | module | what it holds |
//! |---|---|
//! | [`declarations`] | one version as types, methods and statements |
//! | [`matching`] | which declaration of the one version is which of the other |
//! | [`members`] | types, files, methods and fields that moved or are called otherwise |
//! | [`signatures`] | parameters, results, annotations, modifiers |
//! | [`bodies`] | what was extracted, inlined, renamed or turned round within methods |
//! | [`explain`] | the lines that are left for a reviewer |

pub mod bodies;
pub mod declarations;
pub mod explain;
pub mod matching;
pub mod members;
pub mod signatures;
#[cfg(test)]
mod tests;

use declarations::{File, Method, Type, Version, VersionFile};
use formicary_model::refactorings::{Refactoring, RefactoringKind, RefactoringPlace, RefactoringReport};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash as _, Hasher as _};

/// A refactoring with what is needed to explain lines.
#[derive(Debug)]
pub struct Draft {
    kind: RefactoringKind,
    description: String,
    before: RefactoringPlace,
    after: RefactoringPlace,
    confidence: f64,
    names: Option<(String, String)>,
    removed: Vec<u32>,
    added: Vec<u32>,
}

impl Draft {
    fn new(
        kind: RefactoringKind,
        description: String,
        before: RefactoringPlace,
        after: RefactoringPlace,
        confidence: f64,
    ) -> Self {
        Self {
            kind,
            description,
            before,
            after,
            confidence,
            names: None,
            removed: Vec::new(),
            added: Vec::new(),
        }
    }

    fn renaming(mut self, from: &str, to: &str) -> Self {
        self.names = Some((from.to_owned(), to.to_owned()));
        self
    }

    fn covering(mut self, removed: &[u32], added: &[u32]) -> Self {
        self.removed = removed.to_vec();
        self.added = added.to_vec();
        self
    }
}

/// Says which refactorings lead from the one version to the other. Files that are equal in both need not be given.
pub fn detect(before: &[VersionFile<'_>], after: &[VersionFile<'_>]) -> RefactoringReport {
    let texts: FxHashMap<&str, &str> = after.iter().map(|file| (file.path, file.text)).collect();
    let same = |file: &VersionFile<'_>| texts.get(file.path) == Some(&file.text);
    let old: Vec<VersionFile<'_>> = before.iter().filter(|file| !same(file)).copied().collect();
    let unchanged: FxHashMap<&str, &str> =
        before.iter().filter(|file| same(file)).map(|file| (file.path, file.text)).collect();
    let new: Vec<VersionFile<'_>> =
        after.iter().filter(|file| !unchanged.contains_key(file.path)).copied().collect();
    let mut report = RefactoringReport {
        changed_files: {
            let mut paths: Vec<&str> = old.iter().chain(&new).map(|file| file.path).collect();
            paths.sort_unstable();
            paths.dedup();
            paths.len() as u32
        },
        ..RefactoringReport::default()
    };
    let (left, right) = (Version::read(&old), Version::read(&new));
    let found = matching::matches(&left, &right);
    let mut drafts = Vec::new();
    members::files(&left, &right, &found, &mut drafts);
    members::types(&left, &right, &found, &mut drafts);
    members::methods(&left, &right, &found, &mut drafts);
    members::extracted(&left, &right, &found, &mut drafts);
    members::fields(&left, &right, &found, &mut drafts);
    for (b, a) in &found.methods {
        let (was, is) = (&left.methods[*b], &right.methods[*a]);
        signatures::changed(&left, was, &right, is, &mut drafts);
        bodies::within(&left, was, &right, is, &mut drafts);
    }
    bodies::extracted(&left, &right, &found, &mut drafts);
    explain::lines(&left, &right, &drafts, &mut report);
    report.refactorings = drafts
        .into_iter()
        .map(|draft| Refactoring {
            kind: draft.kind,
            description: draft.description,
            before: draft.before,
            after: draft.after,
            confidence: (draft.confidence * 100.0).round() / 100.0,
        })
        .collect();
    let key = |r: &Refactoring| (r.kind, r.before.clone(), r.after.clone(), r.description.clone());
    report.refactorings.sort_by_cached_key(key);
    report.refactorings.dedup_by_key(|refactoring| key(refactoring));
    report
}

fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

fn place(file: &File<'_>, first_line: u32, last_line: u32, name: &str) -> RefactoringPlace {
    RefactoringPlace { file: file.path.to_owned(), first_line, last_line, name: name.to_owned() }
}

fn method_place(version: &Version<'_>, method: &Method<'_>) -> RefactoringPlace {
    let file = version.file_of(method);
    let function = file.unit.function(method.id);
    let lines = &file.unit.lines;
    place(
        file,
        lines.line(function.name_span.start),
        lines.line(function.span.end.saturating_sub(1)),
        &method.shown(),
    )
}

fn type_place(version: &Version<'_>, own: &Type<'_>) -> RefactoringPlace {
    let file = &version.files[own.file];
    let class = file.unit.class(own.id);
    let lines = &file.unit.lines;
    place(file, lines.line(class.name_span.start), lines.line(class.span.end.saturating_sub(1)), &own.path)
}
