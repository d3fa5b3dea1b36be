//! What a change consists of: two versions in, refactorings and the lines that they do not explain out.
//!
//! | module | what it holds |
//! |---|---|
//! | [`declarations`] | one version as types, methods and statements |
//! | [`matching`] | which declaration of the one version is which of the other |
//! | [`pairs`] | a method before and after, with what its bodies share |
//! | [`members`] | types and methods that moved or are called otherwise |
//! | [`places`] | files, packages and folders that did |
//! | [`fields`] | fields of types |
//! | [`heads`] | what stands before a declared name: annotations, modifiers, the type |
//! | [`signatures`] | parameters, results, exceptions |
//! | [`locals`] | variables of a method |
//! | [`parts`] | what became several, and several that became one |
//! | [`bodies`] | what went from one body into another |
//! | [`forms`] | conditions and loops that are written another way |
//! | [`damage`] | files that cannot be parsed, of which nothing is claimed |
//! | [`explain`] | the lines that are left for a reviewer |

pub mod bodies;
#[cfg(test)]
mod commits;
pub mod damage;
pub mod declarations;
pub mod explain;
pub mod fields;
pub mod forms;
pub mod heads;
pub mod locals;
pub mod matching;
pub mod members;
pub mod pairs;
pub mod parts;
pub mod places;
pub mod signatures;
#[cfg(test)]
mod tests;

use declarations::{File, Method, Type, Version, VersionFile};
use formicary_model::refactorings::{Refactoring, RefactoringKind, RefactoringPlace, RefactoringReport};
use matching::Matches;
use pairs::Pair;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
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
    types: Option<(String, String)>,
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
            types: None,
            removed: Vec::new(),
            added: Vec::new(),
        }
    }

    fn renaming(mut self, from: &str, to: &str) -> Self {
        self.names = Some((from.to_owned(), to.to_owned()));
        self
    }

    fn retyping(mut self, from: &str, to: &str) -> Self {
        self.types = Some((from.to_owned(), to.to_owned()));
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
    let (left, right) = rayon::join(|| Version::read(&old), || Version::read(&new));
    let found = matching::matches(&left, &right);
    let pairs: Vec<Pair<'_, '_>> =
        found.methods.iter().map(|(b, a)| Pair::new(&left, *b, &right, *a)).collect();
    let mut drafts = drafts(&left, &right, &found, &pairs);
    let (broken, notes) = damage::of(&left, &right);
    drafts.retain(|draft| damage::is_sound(draft, &broken));
    report.notes = notes;
    explain::lines(&left, &right, &found, &drafts, &mut report);
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

fn drafts(left: &Version<'_>, right: &Version<'_>, found: &Matches, pairs: &[Pair<'_, '_>]) -> Vec<Draft> {
    let mut drafts = Vec::new();
    places::changed(left, right, found, &mut drafts);
    members::types(left, right, found, &mut drafts);
    members::methods(left, right, found, &mut drafts);
    members::extracted(left, right, found, &mut drafts);
    members::collapsed(left, right, found, &mut drafts);
    parts::split_types(left, right, found, &mut drafts);
    let mut votes: fields::Votes<'_> = FxHashMap::default();
    for (from, names) in pairs.iter().flat_map(|pair| &pair.renamed) {
        for (to, count) in names {
            *votes.entry((from, to)).or_default() += count;
        }
    }
    let rest = fields::changed(left, right, found, &votes, &mut drafts);
    let (gone_of, come_of) = (by_owner(&rest.gone), by_owner(&rest.come));
    for pair in pairs {
        signatures::changed(pair, &mut drafts);
        if !pair.changed() {
            continue;
        }
        let gone = fields_of(left, pair.was.owner, &gone_of);
        let come = fields_of(right, pair.is.owner, &come_of);
        locals::Change::new(pair).tell(&gone, &come, &mut drafts);
        forms::changed(pair, &mut drafts);
    }
    bodies::extracted(left, right, found, pairs, &mut drafts);
    bodies::named_classes(left, right, found, pairs, &mut drafts);
    bodies::split_and_merged(left, right, found, &mut drafts);
    bodies::moved_code(left, right, pairs, &mut drafts);
    once(&mut drafts);
    without_consequences(&mut drafts);
    drafts
}

// A type that is only called otherwise is no other type.
fn without_consequences(drafts: &mut Vec<Draft>) {
    use RefactoringKind::{MoveAndRenameClass, RenameClass};
    let renamed: FxHashMap<String, String> = drafts
        .iter()
        .filter(|draft| matches!(draft.kind, RenameClass | MoveAndRenameClass))
        .filter_map(|draft| draft.names.clone())
        .collect();
    if renamed.is_empty() {
        return;
    }
    let words = |text: &str| -> Vec<String> {
        let mut words: Vec<String> = vec![String::new()];
        for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
            let word = letter.is_alphanumeric() || letter == '_';
            let goes_on = words.last().is_some_and(|last| {
                word && last
                    .chars()
                    .next_back()
                    .is_none_or(|before| before.is_alphanumeric() || before == '_')
            });
            if !goes_on {
                words.push(String::new());
            }
            if let Some(last) = words.last_mut() {
                last.push(letter);
            }
        }
        words
    };
    drafts.retain(|draft| {
        let Some((old, new)) = &draft.types else { return true };
        let now: String =
            words(old).iter().map(|word| renamed.get(word).unwrap_or(word).as_str()).collect::<String>();
        now != squeezed(new)
    });
}

type ByOwner = FxHashMap<usize, Vec<usize>>;

fn by_owner(list: &[(usize, usize)]) -> ByOwner {
    let mut owners = ByOwner::default();
    for (owner, field) in list {
        owners.entry(*owner).or_default().push(*field);
    }
    owners
}

fn fields_of<'v, 'a>(
    version: &'v Version<'a>,
    owner: Option<usize>,
    rest: &ByOwner,
) -> Vec<&'v fields::Field<'a>> {
    let Some(owner) = owner else { return Vec::new() };
    rest.get(&owner).into_iter().flatten().map(|field| &version.types[owner].fields[*field]).collect()
}

// A field is extracted once, however many methods its value stood in.
fn once(drafts: &mut Vec<Draft>) {
    let mut told: FxHashSet<(RefactoringKind, String, u32)> = FxHashSet::default();
    drafts.retain(|draft| {
        let at = match draft.kind {
            RefactoringKind::ExtractField => &draft.after,
            RefactoringKind::InlineField => &draft.before,
            _ => return true,
        };
        told.insert((draft.kind, at.file.clone(), at.first_line))
    });
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
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
    place_of_method(version.file_of(method), method)
}

fn place_of_method(file: &File<'_>, method: &Method<'_>) -> RefactoringPlace {
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
