//! Files, packages and source folders with another name or another place.

use super::declarations::Version;
use super::matching::Matches;
use super::{Draft, place};
use formicary_model::refactorings::{RefactoringKind as Kind, RefactoringPlace};
use rustc_hash::{FxHashMap, FxHashSet};

/// Tells which files moved, and which packages with them.
pub fn changed(before: &Version<'_>, after: &Version<'_>, found: &Matches, out: &mut Vec<Draft>) {
    let mut folders: FxHashMap<(String, String), u32> = FxHashMap::default();
    for (b, a) in &found.files {
        let (old, new) = (&before.files[*b], &after.files[*a]);
        let ((folder, name), (now, named)) = (split(old.path), split(new.path));
        if name == named {
            *folders.entry((folder.to_owned(), now.to_owned())).or_default() += 1;
        }
        let kind = match (old.unit.package, new.unit.package) {
            // Where a package names the place, the file follows its types, which tell it themselves.
            (Some(x), Some(y)) if x == y && name == named => Kind::MoveSourceFolder,
            (Some(_), Some(_)) if old.path.ends_with(".java") => continue,
            _ if folder == now => Kind::RenameFile,
            _ => Kind::MoveFile,
        };
        let whole = |version: &Version<'_>, file: usize| {
            let file = &version.files[file];
            place(file, 1, (file.unit.lines.count(file.unit.source) as u32).max(1), file.path)
        };
        let text = format!("{} is now {}", old.path, new.path);
        out.push(Draft::new(kind, text, whole(before, *b), whole(after, *a), 0.95));
    }
    packages(before, after, found, out);
    let there: FxHashSet<&str> = after.files.iter().map(|file| split(file.path).0).collect();
    let mut folders: Vec<((String, String), u32)> = folders.into_iter().collect();
    folders.sort();
    for ((old, new), count) in folders {
        let named = before.files.iter().any(|file| split(file.path).0 == old && file.path.ends_with(".java"));
        if count >= 3 && !there.contains(old.as_str()) && !named {
            out.push(package_draft(&old, &new, '/'));
        }
    }
}

fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

// A package whose files all went to another one.
fn packages(before: &Version<'_>, after: &Version<'_>, found: &Matches, out: &mut Vec<Draft>) {
    let mut went: FxHashMap<(&str, &str), u32> = FxHashMap::default();
    for (b, a) in &found.files {
        let (old, new) = (&before.files[*b], &after.files[*a]);
        if let (Some(x), Some(y)) = (old.unit.package, new.unit.package)
            && x != y
            && old.path.ends_with(".java")
        {
            *went.entry((x, y)).or_default() += 1;
        }
    }
    let there: FxHashSet<&str> = after.files.iter().filter_map(|file| file.unit.package).collect();
    let mut went: Vec<((&str, &str), u32)> = went.into_iter().collect();
    went.sort_unstable();
    for ((old, new), count) in went {
        if count >= 2 && !there.contains(old) {
            out.push(package_draft(old, new, '.'));
        }
    }
}

fn package_draft(old: &str, new: &str, mark: char) -> Draft {
    let parent = |name: &str| name.rsplit_once(mark).map(|(parent, _)| parent.to_owned()).unwrap_or_default();
    let kind = if parent(old) == parent(new) { Kind::RenamePackage } else { Kind::MovePackage };
    let place = |name: &str| RefactoringPlace {
        file: name.to_owned(),
        first_line: 1,
        last_line: 1,
        name: name.to_owned(),
    };
    Draft::new(kind, format!("{old} is now {new}"), place(old), place(new), 0.9)
}
