//! Copies of which a change edited some and not the others: the usual way in which a mended bug stays.

use super::differences::kept;
use super::{CloneOptions, CloneSource, detect};
use formicary_model::clones::{ClonePlace, CloneType, InconsistentEdit};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash as _, Hasher as _};

/// Finds copies that a change left behind.
pub fn inconsistent(
    before: &[CloneSource<'_>],
    after: &[CloneSource<'_>],
    options: &CloneOptions,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Vec<InconsistentEdit> {
    let mut options = options.clone();
    options.types.retain(|kind| *kind != CloneType::Functional);
    let now: FxHashMap<&str, &str> = after.iter().map(|source| (source.path, source.text)).collect();
    let edits: FxHashMap<&str, Edit> = before
        .iter()
        .filter_map(|source| {
            let text = now.get(source.path)?;
            (*text != source.text).then(|| (source.path, Edit::between(source.text, text)))
        })
        .collect();
    if edits.is_empty() {
        return Vec::new();
    }
    let was = detect(before, &options, cancelled);
    let mut found = Vec::new();
    let mut told: FxHashSet<(String, u32)> = FxHashSet::default();
    for group in &was.groups {
        let state = |place: &ClonePlace| match edits.get(place.file.as_str()) {
            Some(edit) => edit.of(place),
            None if now.contains_key(place.file.as_str()) => State::Untouched,
            None => State::Gone,
        };
        let untouched: Vec<ClonePlace> =
            group.places.iter().filter(|place| matches!(state(place), State::Untouched)).cloned().collect();
        if untouched.is_empty() {
            continue;
        }
        for place in &group.places {
            let State::Edited { first_line, last_line, lines } = state(place) else { continue };
            if told.insert((place.file.clone(), first_line)) {
                found.push(InconsistentEdit {
                    edited: ClonePlace {
                        first_line,
                        last_line,
                        differing_lines: Vec::new(),
                        ..place.clone()
                    },
                    changed_lines: lines,
                    untouched: untouched.clone(),
                    similarity: group.similarity,
                });
            }
        }
    }
    found
}

/// What became of a place.
enum State {
    Untouched,
    Gone,
    Edited { first_line: u32, last_line: u32, lines: Vec<u32> },
}

/// How the lines of a file moved.
struct Edit {
    /// For each old line, from zero, where it is now.
    now: Vec<Option<usize>>,
    /// Lines that are new, from zero.
    new: FxHashSet<usize>,
}

impl Edit {
    fn between(before: &str, after: &str) -> Self {
        let hashes = |text: &str| -> Vec<u64> {
            let hash = |line: &str| {
                let mut hasher = FxHasher::default();
                line.trim().hash(&mut hasher);
                hasher.finish()
            };
            text.lines().map(hash).collect()
        };
        let (old, new) = (hashes(before), hashes(after));
        let mut now = vec![None; old.len()];
        let mut fresh: FxHashSet<usize> = (0..new.len()).collect();
        for (was, is) in kept(&old, &new) {
            now[was] = Some(is);
            fresh.remove(&is);
        }
        Self { now, new: fresh }
    }

    fn of(&self, place: &ClonePlace) -> State {
        let from = place.first_line.saturating_sub(1) as usize;
        let to = (place.last_line as usize).min(self.now.len());
        let own = self.now.get(from..to).unwrap_or_default();
        let (Some(first), Some(last)) = (own.iter().flatten().min(), own.iter().flatten().max()) else {
            return State::Gone;
        };
        let lines: Vec<u32> =
            (*first..=*last).filter(|line| self.new.contains(line)).map(|line| line as u32 + 1).collect();
        let kept = own.iter().flatten().count();
        if lines.is_empty() && kept == own.len() {
            State::Untouched
        } else if kept * 2 < own.len() {
            State::Gone
        } else {
            State::Edited { first_line: *first as u32 + 1, last_line: *last as u32 + 1, lines }
        }
    }
}
