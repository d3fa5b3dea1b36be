//! What happened to types and to what belongs to them: moved, renamed, pulled up, extracted.

use super::declarations::{File, Method, Type, Version};
use super::fields::Field;
use super::heads::{self, Head};
use super::matching::Matches;
use super::{Draft, method_place, type_place};
use formicary_model::refactorings::RefactoringKind as Kind;
use formicary_syntax::{ClassKind, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Types with another name or another place.
pub fn types(before: &Version<'_>, after: &Version<'_>, found: &Matches, out: &mut Vec<Draft>) {
    for (b, a) in &found.types {
        let (was, is) = (&before.types[*b], &after.types[*a]);
        let renamed = was.name != is.name;
        let home = |path: &str| path.rsplit_once('.').map(|(home, _)| home.to_owned()).unwrap_or_default();
        let (old, new) = (home(&was.path), home(&is.path));
        told_of(before, was, after, is, out);
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

// What stands before the name of a type, and what it is.
fn told_of(before: &Version<'_>, was: &Type<'_>, after: &Version<'_>, is: &Type<'_>, out: &mut Vec<Draft>) {
    let (left, right) = (&before.files[was.file], &after.files[is.file]);
    let line =
        |file: &File<'_>, own: &Type<'_>| file.unit.lines.line(file.unit.class(own.id).name_span.start);
    let lines = ([line(left, was)], [line(right, is)]);
    let mut add = |kind, text| {
        let (x, y) = (type_place(before, was), type_place(after, is));
        out.push(Draft::new(kind, text, x, y, 0.95).covering(&lines.0, &lines.1));
    };
    for (kind, text) in heads::changes(&heads::CLASS, &head(left, was), &head(right, is), &is.path) {
        add(kind, text);
    }
    if was.kind != is.kind && left.unit.dialect == right.unit.dialect {
        let text = format!("{} is {:?}, was {:?}", is.path, is.kind, was.kind);
        add(Kind::ChangeTypeDeclarationKind, text.to_lowercase());
    }
}

fn head(file: &File<'_>, own: &Type<'_>) -> Head {
    let class = file.unit.class(own.id);
    let span = Span { start: class.span.start, end: class.name_span.start.max(class.span.start) };
    let mut head = heads::within(file, span);
    head.annotations = heads::annotations(file, &class.decorators);
    head
}

fn follows(
    before: &Version<'_>,
    was: &Type<'_>,
    found: &Matches,
    after: &Version<'_>,
    is: &Type<'_>,
) -> bool {
    let outer = |version: &Version<'_>, own: &Type<'_>| {
        // A type within a method stands in the type around that.
        let mut homes = std::iter::successors(own.path.rsplit_once('.'), |(home, _)| home.rsplit_once('.'));
        homes.find_map(|(home, _)| {
            version.types.iter().position(|other| other.path == home && other.file == own.file)
        })
    };
    match (outer(before, was), outer(after, is)) {
        (Some(x), Some(y)) => found.type_after(x) == Some(y),
        _ => false,
    }
}

/// Methods with another name or another type.
pub fn methods(before: &Version<'_>, after: &Version<'_>, found: &Matches, out: &mut Vec<Draft>) {
    let pairs: FxHashSet<_> =
        found.methods.iter().map(|(b, a)| (before.key_of(*b), after.key_of(*a))).collect();
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
        // What stands in a function that moved has moved with it.
        let along = || match (before.outer_of(was), after.outer_of(is)) {
            (Some(outer), Some(now)) => pairs.contains(&(outer, now)),
            _ => false,
        };
        let moved = moved && !along();
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
pub(super) fn is_base(version: &Version<'_>, base: &Type<'_>, own: &Type<'_>, depth: u32) -> bool {
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
            let Some(now) = found.type_after(owner) else { continue };
            let holds = |own: &Type<'_>, field: &Field<'_>| {
                own.fields.iter().any(|other| other.name == field.name && other.kind == field.kind)
            };
            let gone = new.fields.iter().filter(|f| holds(old, f) && !holds(&after.types[now], f)).count();
            if gone > 0 {
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
        let mut origins: Vec<(usize, u32)> = origins.into_iter().collect();
        origins.sort_unstable();
        for (owner, count) in origins {
            let old = &before.types[owner];
            if found.type_after(owner).is_some() && count >= 1 {
                let kind =
                    if new.bases.contains(&old.name) { Kind::ExtractSubclass } else { Kind::ExtractClass };
                let text = format!("{} was extracted from {}", new.path, old.path);
                out.push(Draft::new(kind, text, type_place(before, old), type_place(after, new), 0.8));
            }
        }
    }
}

/// Types that went into the one that they extended, or into their only subtype.
pub fn collapsed(before: &Version<'_>, after: &Version<'_>, found: &Matches, out: &mut Vec<Draft>) {
    let mut went: FxHashMap<(usize, usize), u32> = FxHashMap::default();
    for (b, a) in &found.methods {
        if let (Some(x), Some(y)) = (before.methods[*b].owner, after.methods[*a].owner)
            && found.type_after(x).is_none()
        {
            *went.entry((x, y)).or_default() += 1;
        }
    }
    let mut went: Vec<((usize, usize), u32)> = went.into_iter().collect();
    went.sort_unstable();
    for ((x, y), count) in went {
        let (was, is) = (&before.types[x], &after.types[y]);
        let Some(target) = found.type_before(y).map(|index| &before.types[index]) else { continue };
        let related = was.bases.contains(&target.name) || target.bases.contains(&was.name);
        if count as usize * 2 < was.methods.len() {
            continue;
        }
        let kind = if related { Kind::CollapseHierarchy } else { Kind::MergeClass };
        let text = format!("{} went into {}", was.path, is.path);
        out.push(Draft::new(kind, text, type_place(before, was), type_place(after, is), 0.8));
    }
}
