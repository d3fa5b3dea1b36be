//! Files that cannot be parsed: what is known of them is noted, and nothing is claimed that their broken parts may only
//! pretend.
//!
//! A function behind a broken line is not seen, and would seem to be gone, inlined or moved. Where the same parts are broken in
//! both versions, both are seen alike and can be compared.

use super::Draft;
use super::declarations::{File, Version};
use formicary_model::review::{Note, NoteKind};
use formicary_syntax::NoteKind as Syntax;
use rustc_hash::{FxHashMap, FxHashSet};

/// The files of either version of which nothing can be claimed, and a note for each file that is not understood as a whole.
pub fn of<'a>(before: &Version<'a>, after: &Version<'a>) -> (FxHashSet<&'a str>, Vec<Note>) {
    let by_path = |version: &Version<'a>| -> FxHashMap<&'a str, usize> {
        version.files.iter().enumerate().map(|(at, file)| (file.path, at)).collect()
    };
    let (old, new) = (by_path(before), by_path(after));
    let damage = |version: &Version<'a>, at: Option<&usize>| {
        at.map(|at| damage_of(&version.files[*at])).unwrap_or_default()
    };
    let (mut broken, mut notes) = (FxHashSet::default(), Vec::new());
    let sides = [(before, "before"), (after, "after")];
    for (file, side) in
        sides.into_iter().flat_map(|(version, side)| version.files.iter().map(move |file| (file, side)))
    {
        let Some(first) = file.unit.notes.first() else { continue };
        let same = damage(before, old.get(file.path)) == damage(after, new.get(file.path));
        let what = first.kind.message();
        let message = match (same, side) {
            // One note tells of both versions.
            (true, "before") => continue,
            (true, _) => format!("{what}, in both versions alike; the rest was compared"),
            (false, side) => {
                format!("{what}, in the version {side}; no refactoring is reported of this file")
            }
        };
        if !same {
            broken.insert(file.path);
        }
        notes.push(Note {
            kind: match first.kind {
                Syntax::Syntax | Syntax::Missing => NoteKind::Unparsable,
                Syntax::TooLarge | Syntax::Minified => NoteKind::TooLarge,
                Syntax::TooDeep | Syntax::TooSlow => NoteKind::Bounded,
            },
            file: Some(file.path.to_owned()),
            line: Some(file.unit.lines.line(first.span.start)),
            message,
        });
    }
    notes.sort();
    (broken, notes)
}

fn damage_of<'a>(file: &File<'a>) -> Vec<(Syntax, &'a str)> {
    file.unit.notes.iter().map(|note| (note.kind, note.span.text(file.unit.source))).collect()
}

/// Whether a refactoring touches none of these files.
pub fn is_sound(draft: &Draft, broken: &FxHashSet<&str>) -> bool {
    !broken.contains(draft.before.file.as_str()) && !broken.contains(draft.after.file.as_str())
}
