//! What happened to types and to what belongs to them: moved, renamed, pulled up, extracted.

use super::declarations::{Method, Type, Version};
use super::matching::Matches;
use super::{Draft, method_place, type_place};
use formicary_model::refactorings::RefactoringKind as Kind;
use formicary_syntax::ClassKind;
use rustc_hash::{FxHashMap, FxHashSet};

/// Types with another name or another place.
pub fn types(before: &Version<'_>, after: &Version<'_>, found: &Matches, out: &mut Vec<Draft>) {
    for (b, a) in &found.types {
        let (was, is) = (&before.types[*b], &after.types[*a]);
        let renamed = was.name != is.name;
        let home = |path: &str| path.rsplit_once('.').map(|(home, _)| home.to_owned()).unwrap_or_default();
        let (old, new) = (home(&was.path), home(&is.path));
        // Where nothing names a package, the file is the place.
        let (x, y) = (before.files[was.file].path, after.files[is.file].path);
        let by_file = before.files[was.file].unit.package.is_none();
        let file_moved = found.files.contains(&(was.file, is.file));
        let moved = if by_file { x != y && !file_moved } else { old != new };
        // What moves along with the type around it did not move itself.
        if !renamed && moved && follows(before, was, found, after, is) {
            continue;
        }
        let kind = match (renamed, moved) {
            (false, false) => continue,
            (true, false) => Kind::RenameClass,
            (false, true) => Kind::MoveClass,
            (true, true) => Kind::MoveAndRenameClass,
        };
        let text = format!("{} is now {}", was.path, is.path);
        let draft = Draft::new(kind, text, type_place(before, was), type_place(after, is), 0.9);
        out.push(if renamed { draft.renaming(was.name, is.name) } else { draft });
    }
}

fn follows(
    before: &Version<'_>,
    was: &Type<'_>,
    found: &Matches,
    after: &Version<'_>,
    is: &Type<'_>,
) -> bool {
    let outer = |version: &Version<'_>, own: &Type<'_>| {
        let (home, _) = own.path.rsplit_once('.')?;
        version.types.iter().position(|other| other.path == home && other.file == own.file)
    };
    match (outer(before, was), outer(after, is)) {
        (Some(x), Some(y)) => found.type_after(x) == Some(y),
        _ => false,
    }
}

/// Files with another name or another place.
pub fn files(before: &Version<'_>, after: &Version<'_>, found: &Matches, out: &mut Vec<Draft>) {
    let mut folders: FxHashMap<(String, String), u32> = FxHashMap::default();
    for (b, a) in &found.files {
        let (old, new) = (before.files[*b].path, after.files[*a].path);
        let split = |path: &str| {
            path.rsplit_once('/')
                .map_or((String::new(), path.to_owned()), |(f, n)| (f.to_owned(), n.to_owned()))
        };
        let ((folder, name), (now, named)) = (split(old), split(new));
        let kind = if folder == now { Kind::RenameFile } else { Kind::MoveFile };
        if name == named {
            *folders.entry((folder, now)).or_default() += 1;
        }
        let place = |version: &Version<'_>, file: usize| {
            let file = &version.files[file];
            let last = file.unit.lines.count(file.unit.source) as u32;
            super::place(file, 1, last.max(1), file.path)
        };
        out.push(Draft::new(kind, format!("{old} is now {new}"), place(before, *b), place(after, *a), 0.95));
    }
    for ((old, new), count) in folders {
        let still = after.files.iter().any(|file| file.path.rsplit_once('/').map_or("", |(f, _)| f) == old);
        if count >= 3 && !still {
            let place = |name: &str| formicary_model::refactorings::RefactoringPlace {
                file: name.to_owned(),
                first_line: 1,
                last_line: 1,
                name: name.to_owned(),
            };
            out.push(Draft::new(
                Kind::MovePackage,
                format!("{old} is now {new}"),
                place(&old),
                place(&new),
                0.9,
            ));
        }
    }
}

/// Methods with another name or another type.
pub fn methods(before: &Version<'_>, after: &Version<'_>, found: &Matches, out: &mut Vec<Draft>) {
    for (b, a) in &found.methods {
        let (was, is) = (&before.methods[*b], &after.methods[*a]);
        let constructor = is.owner.is_some_and(|owner| after.types[owner].name == is.name);
        let renamed = was.name != is.name && !constructor;
        let moved = match (was.owner, is.owner) {
            (Some(x), Some(y)) => found.type_after(x) != Some(y),
            (None, None) => {
                before.file_of(was).path != after.file_of(is).path
                    && !found.files.contains(&(was.file, is.file))
            }
            _ => true,
        };
        let kind = match (renamed, moved) {
            (false, false) => continue,
            (true, false) => Kind::RenameMethod,
            (true, true) => Kind::MoveAndRenameMethod,
            (false, true) => direction(before, was, after, is, found),
        };
        let text = format!("{} is now {}", was.shown(), is.shown());
        let confidence = if was.body_hash == is.body_hash { 0.98 } else { 0.85 };
        let draft = Draft::new(kind, text, method_place(before, was), method_place(after, is), confidence);
        out.push(if renamed { draft.renaming(was.name, is.name) } else { draft });
    }
    pulled_from_several(before, after, found, out);
}

// Up to a base, down to a subtype, or elsewhere.
fn direction(
    before: &Version<'_>,
    was: &Method<'_>,
    after: &Version<'_>,
    is: &Method<'_>,
    found: &Matches,
) -> Kind {
    let (Some(x), Some(y)) = (was.owner, is.owner) else { return Kind::MoveMethod };
    let source = found.type_after(x).map(|index| &after.types[index]);
    if is_base(after, &after.types[y], source.unwrap_or(&before.types[x]), 0) {
        Kind::PullUpMethod
    } else if is_base(before, &before.types[x], &after.types[y], 0)
        || is_base(after, &before.types[x], &after.types[y], 0)
    {
        Kind::PushDownMethod
    } else {
        Kind::MoveMethod
    }
}

/// Whether a type extends or implements another, by name, over some generations.
fn is_base(version: &Version<'_>, base: &Type<'_>, own: &Type<'_>, depth: u32) -> bool {
    own.bases.contains(&base.name)
        || depth < 4
            && own.bases.iter().any(|name| {
                version
                    .types
                    .iter()
                    .any(|other| other.name == *name && is_base(version, base, other, depth + 1))
            })
}

// The same method in several subtypes became one in the base: the first is a pair, the others are gone.
fn pulled_from_several(before: &Version<'_>, after: &Version<'_>, found: &Matches, out: &mut Vec<Draft>) {
    let old: FxHashSet<usize> = found.methods.iter().map(|(b, _)| *b).collect();
    let pulled: Vec<(usize, usize)> = found
        .methods
        .iter()
        .copied()
        .filter(|(b, a)| {
            let (was, is) = (&before.methods[*b], &after.methods[*a]);
            was.name == is.name && direction(before, was, after, is, found) == Kind::PullUpMethod
        })
        .collect();
    for (_, a) in pulled {
        let is = &after.methods[a];
        let Some(base) = is.owner.map(|owner| &after.types[owner]) else { continue };
        for (index, other) in before.methods.iter().enumerate() {
            let Some(owner) = other.owner else { continue };
            if old.contains(&index) || other.name != is.name || other.parameters.len() != is.parameters.len()
            {
                continue;
            }
            let Some(now) = found.type_after(owner) else { continue };
            if is_base(after, base, &after.types[now], 0) {
                let text = format!("{} is now {}", other.shown(), is.shown());
                out.push(Draft::new(
                    Kind::PullUpMethod,
                    text,
                    method_place(before, other),
                    method_place(after, is),
                    0.85,
                ));
            }
        }
    }
}

/// New types that were made of parts of others.
pub fn extracted(before: &Version<'_>, after: &Version<'_>, found: &Matches, out: &mut Vec<Draft>) {
    for (index, new) in after.types.iter().enumerate() {
        if found.type_before(index).is_some() {
            continue;
        }
        // Where its members come from.
        let mut origins: FxHashMap<usize, u32> = FxHashMap::default();
        for (b, a) in &found.methods {
            if after.methods[*a].owner == Some(index)
                && let Some(owner) = before.methods[*b].owner
            {
                *origins.entry(owner).or_default() += 1;
            }
        }
        for (owner, old) in before.types.iter().enumerate() {
            let moved = new.fields.iter().filter(|field| old.fields.contains(field)).count();
            let Some(now) = found.type_after(owner) else { continue };
            let gone = new
                .fields
                .iter()
                .filter(|f| old.fields.contains(f) && !after.types[now].fields.contains(f))
                .count();
            if moved > 0 && gone > 0 {
                *origins.entry(owner).or_default() += gone as u32;
            }
        }
        let mut children: Vec<usize> = Vec::new();
        for (owner, old) in before.types.iter().enumerate() {
            let Some(now) = found.type_after(owner) else { continue };
            let is = &after.types[now];
            if is.bases.contains(&new.name) && !old.bases.contains(&new.name) {
                children.push(owner);
            }
        }
        let mut children_told = false;
        for owner in &children {
            let old = &before.types[*owner];
            let own: FxHashSet<&str> = old.methods.iter().map(|m| before.methods[*m].name).collect();
            let shared = new.methods.iter().filter(|m| own.contains(after.methods[**m].name)).count();
            let brought = origins.contains_key(owner) || shared > 0;
            if !brought && children.len() < 2 {
                continue;
            }
            let kind = if new.kind == ClassKind::Interface {
                Kind::ExtractInterface
            } else {
                Kind::ExtractSuperclass
            };
            let text = format!("{} was extracted from {}", new.path, old.path);
            out.push(Draft::new(kind, text, type_place(before, old), type_place(after, new), 0.85));
            children_told = true;
        }
        if children_told {
            continue;
        }
        for (owner, count) in origins {
            let old = &before.types[owner];
            if found.type_after(owner).is_some() && count >= 1 && !new.bases.contains(&old.name) {
                let text = format!("{} was extracted from {}", new.path, old.path);
                out.push(Draft::new(
                    Kind::ExtractClass,
                    text,
                    type_place(before, old),
                    type_place(after, new),
                    0.8,
                ));
            }
        }
    }
}

/// Fields with another name, another type, or in another type.
pub fn fields(before: &Version<'_>, after: &Version<'_>, found: &Matches, out: &mut Vec<Draft>) {
    let mut gone: Vec<(usize, (&str, Option<&str>))> = Vec::new();
    let mut come: Vec<(usize, (&str, Option<&str>))> = Vec::new();
    for (index, own) in before.types.iter().enumerate() {
        let now = found.type_after(index).map(|now| &after.types[now]);
        let is_there = |name: &str| now.is_some_and(|now| now.fields.iter().any(|(other, _)| *other == name));
        gone.extend(own.fields.iter().filter(|(name, _)| !is_there(name)).map(|field| (index, *field)));
        for (name, kind) in own.fields.iter().filter(|(name, _)| is_there(name)) {
            let other =
                now.and_then(|now| now.fields.iter().find(|(other, _)| other == name)).and_then(|f| f.1);
            if let (Some(x), Some(y), Some(now)) = (kind, other, now)
                && x.split_whitespace().ne(y.split_whitespace())
            {
                let text = format!("{}.{name} is {y}, was {x}", now.name);
                out.push(Draft::new(
                    Kind::ChangeFieldType,
                    text,
                    type_place(before, own),
                    type_place(after, now),
                    0.9,
                ));
            }
        }
    }
    for (index, own) in after.types.iter().enumerate() {
        let was = found.type_before(index).map(|was| &before.types[was]);
        let was_there =
            |name: &str| was.is_some_and(|was| was.fields.iter().any(|(other, _)| *other == name));
        come.extend(own.fields.iter().filter(|(name, _)| !was_there(name)).map(|field| (index, *field)));
    }
    let mut used: FxHashSet<usize> = FxHashSet::default();
    for (owner, field) in &gone {
        let old = &before.types[*owner];
        let now = found.type_after(*owner);
        // The same field elsewhere.
        let moved =
            come.iter().position(|(other, new)| new == field && Some(*other) != now && field.1.is_some());
        if let Some(at) = moved
            && used.insert(at)
        {
            let new = &after.types[come[at].0];
            let source = now.map_or(old, |now| &after.types[now]);
            let kind = if is_base(after, new, source, 0) {
                Kind::PullUpField
            } else if is_base(after, old, new, 0) {
                Kind::PushDownField
            } else {
                Kind::MoveField
            };
            if now.is_some() {
                let text = format!("{}.{} is now in {}", old.name, field.0, new.name);
                out.push(Draft::new(kind, text, type_place(before, old), type_place(after, new), 0.8));
            }
            continue;
        }
        // One of the same type in the same place, when it is the only one.
        let same: Vec<usize> = come
            .iter()
            .enumerate()
            .filter(|(at, (other, new))| {
                Some(*other) == now && new.1 == field.1 && field.1.is_some() && !used.contains(at)
            })
            .map(|(at, _)| at)
            .collect();
        let rivals = gone.iter().filter(|(other, rival)| other == owner && rival.1 == field.1).count();
        if let ([at], 1) = (same.as_slice(), rivals) {
            used.insert(*at);
            let (name, new) = (come[*at].1.0, &after.types[come[*at].0]);
            let text = format!("{}.{} is now {name}", new.name, field.0);
            let draft =
                Draft::new(Kind::RenameField, text, type_place(before, old), type_place(after, new), 0.8);
            out.push(draft.renaming(field.0, name));
        }
    }
}
