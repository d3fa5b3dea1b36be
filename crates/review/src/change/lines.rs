//! Which lines a change touched, and where the others came from.

use crate::engine::SourceText;
use similar::{Algorithm, DiffTag, TextDiff};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

/// A diff may take this long for one file before it becomes coarser.
const PATIENCE: Duration = Duration::from_secs(2);
/// A deleted and an added file are one that moved if this share of their lines is the same.
const ALIKE: f64 = 0.6;
/// Files with more lines than this are matched by their whole text only.
const MOST_LINES_OF_A_MOVE: usize = 20_000;

/// One file's change.
#[derive(Debug, Clone, Default)]
pub struct FileChange {
    /// Its path before, where it was there.
    pub before: Option<String>,
    /// Lines, as they are now, that were added or rewritten.
    pub touched: BTreeSet<u32>,
    /// For each line as it is now, the line it was before.
    origins: BTreeMap<u32, u32>,
    same: bool,
}

impl FileChange {
    /// The line before the change that this line is; none where it was touched.
    pub fn origin(&self, line: u32) -> Option<u32> {
        if self.same { Some(line) } else { self.origins.get(&line).copied() }
    }

    fn unchanged(path: &str) -> Self {
        Self { before: Some(path.to_owned()), same: true, ..Self::default() }
    }

    fn new_file(text: &str) -> Self {
        Self { touched: (1..=text.lines().count() as u32).collect(), ..Self::default() }
    }

    fn between(path: &str, before: &str, after: &str) -> Self {
        let mut change = Self { before: Some(path.to_owned()), ..Self::default() };
        let diff =
            TextDiff::configure().algorithm(Algorithm::Myers).timeout(PATIENCE).diff_lines(before, after);
        for op in diff.ops() {
            let (old, new) = (op.old_range(), op.new_range());
            match op.tag() {
                DiffTag::Equal => {
                    change.origins.extend(new.zip(old).map(|(new, old)| (new as u32 + 1, old as u32 + 1)));
                }
                DiffTag::Insert | DiffTag::Replace => {
                    change.touched.extend(new.map(|line| line as u32 + 1));
                }
                DiffTag::Delete => {}
            }
        }
        change
    }
}

/// How every file of the state after came about.
pub fn changes(before: &[SourceText], after: &[SourceText]) -> HashMap<String, FileChange> {
    let old: HashMap<&str, &SourceText> =
        before.iter().map(|source| (source.path.as_str(), source)).collect();
    let new: BTreeSet<&str> = after.iter().map(|source| source.path.as_str()).collect();
    let gone: Vec<&SourceText> = before.iter().filter(|source| !new.contains(source.path.as_str())).collect();
    let mut found = HashMap::new();
    let mut added = Vec::new();
    for source in after {
        let change = match old.get(source.path.as_str()) {
            Some(same) if same.text == source.text => FileChange::unchanged(&source.path),
            Some(other) => FileChange::between(&source.path, &other.text, &source.text),
            None => {
                added.push(source);
                continue;
            }
        };
        found.insert(source.path.clone(), change);
    }
    for (source, origin) in moves(&gone, &added) {
        let change = match origin {
            Some(origin) => FileChange::between(&origin.path, &origin.text, &source.text),
            None => FileChange::new_file(&source.text),
        };
        found.insert(source.path.clone(), change);
    }
    found
}

type Move<'a> = (&'a SourceText, Option<&'a SourceText>);

fn moves<'a>(gone: &[&'a SourceText], added: &[&'a SourceText]) -> Vec<Move<'a>> {
    let mut left: Vec<Option<&SourceText>> = gone.iter().copied().map(Some).collect();
    let mut moves: Vec<Move<'a>> = Vec::new();
    for source in added {
        let alike =
            |candidate: &&SourceText| (likeness(&candidate.text, &source.text), candidate.path.clone());
        let best = left
            .iter()
            .enumerate()
            .filter_map(|(index, candidate)| Some((index, alike(&(*candidate)?))))
            .filter(|(_, (share, _))| *share >= ALIKE)
            .max_by(|a, b| a.1.0.total_cmp(&b.1.0).then_with(|| b.1.1.cmp(&a.1.1)));
        let origin = best.and_then(|(index, _)| left[index].take());
        moves.push((source, origin));
    }
    moves
}

fn likeness(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    let mut counts: HashMap<&str, i32> = HashMap::new();
    let (mut lines, mut same) = (0, 0);
    for line in a.lines().map(str::trim).filter(|line| !line.is_empty()).take(MOST_LINES_OF_A_MOVE) {
        *counts.entry(line).or_default() += 1;
        lines += 1;
    }
    for line in b.lines().map(str::trim).filter(|line| !line.is_empty()).take(MOST_LINES_OF_A_MOVE) {
        lines += 1;
        if let Some(count) = counts.get_mut(line).filter(|count| **count > 0) {
            *count -= 1;
            same += 2;
        }
    }
    if lines == 0 { 0.0 } else { f64::from(same) / f64::from(lines) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::source;

    #[test]
    fn lines_know_where_they_came_from() {
        let before = [source("a.py", "one\ntwo\nthree\n")];
        let after = [source("a.py", "zero\none\nTWO\nthree\n")];
        let change = &changes(&before, &after)["a.py"];
        assert_eq!(change.touched, BTreeSet::from([1, 3]));
        assert_eq!([1, 2, 3, 4].map(|line| change.origin(line)), [None, Some(1), None, Some(3)]);
    }

    #[test]
    fn a_file_that_moved_is_not_new() {
        let text = "one\ntwo\nthree\nfour\nfive\n";
        let before = [source("old.py", text), source("same.py", "x\n")];
        let after = [source("new.py", &text.replace("five", "FIVE")), source("same.py", "x\n")];
        let found = changes(&before, &after);
        assert_eq!(found["new.py"].before.as_deref(), Some("old.py"));
        assert_eq!(found["new.py"].touched, BTreeSet::from([5]));
        assert_eq!(found["same.py"].origin(7), Some(7));
    }

    #[test]
    fn a_new_file_is_touched_all_over() {
        let found = changes(&[], &[source("a.py", "x\ny\n")]);
        assert_eq!(found["a.py"].touched, BTreeSet::from([1, 2]));
    }
}
