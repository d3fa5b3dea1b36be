//! What happened to fields: renamed, retyped, moved, pulled up, pushed down, made private behind a method.

use super::declarations::{File, Type, Version};
use super::heads::{self, Head};
use super::matching::Matches;
use super::members::is_base;
use super::parts;
use super::{Draft, place, squeezed};
use formicary_model::refactorings::{RefactoringKind as Kind, RefactoringPlace};
use formicary_syntax::{ClassId, Dialect, ExprId, ExprKind, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// A field.
#[derive(Debug, Clone)]
pub struct Field<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its type as written.
    pub kind: Option<&'a str>,
    /// Where it is declared.
    pub line: u32,
    /// The words of what it is given there.
    pub value: Vec<&'a str>,
    /// What stands before it.
    pub head: Head,
}

/// The fields of a type: declared ones, and those that Python's and JavaScript's methods give to `self` and `this`.
pub fn of<'a>(file: &File<'a>, id: ClassId) -> Vec<Field<'a>> {
    let class = file.unit.class(id);
    let mut found: Vec<Field<'a>> = Vec::new();
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let mut add = |target: ExprId, name: &'a str, kind, value: Option<ExprId>, found: &mut Vec<Field<'a>>| {
        if !seen.insert(name) {
            return;
        }
        let start = file.unit.expr(target).span.start;
        let value = value.map(|value| file.words(file.unit.expr(value).span)).unwrap_or_default();
        let head = if file.unit.dialect == Dialect::Java {
            heads::before_name(file, start)
        } else {
            Head::default()
        };
        found.push(Field { name, kind, line: file.unit.lines.line(start), value, head });
    };
    for stmt in &class.body {
        if let StmtKind::Assign { targets, operator: None, value, annotation, .. } =
            &file.unit.stmt(*stmt).kind
        {
            for target in targets {
                if let ExprKind::Name(name) = file.unit.kind(*target) {
                    add(*target, name, *annotation, *value, &mut found);
                }
            }
        }
    }
    if matches!(file.unit.dialect, Dialect::Python | Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx)
    {
        for stmt in class.methods.iter().flat_map(|method| file.statements_of(*method)) {
            let StmtKind::Assign { targets, operator: None, value, annotation, .. } =
                &file.unit.stmt(*stmt).kind
            else {
                continue;
            };
            for target in targets {
                if let ExprKind::Attribute { base, name, .. } = file.unit.kind(*target)
                    && matches!(file.unit.text(file.unit.expr(*base).span), "self" | "this")
                {
                    add(*target, name, *annotation, *value, &mut found);
                }
            }
        }
    }
    let line = file.unit.lines.line(class.name_span.start);
    for (name, kind) in &class.fields {
        if seen.insert(name) {
            found.push(Field { name, kind: *kind, line, value: Vec::new(), head: Head::default() });
        }
    }
    found
}

/// The fields that are gone and those that are new, after renames and moves: number of the type, number of the field.
#[derive(Debug, Default)]
pub struct Rest {
    /// Only before.
    pub gone: Vec<(usize, usize)>,
    /// Only after.
    pub come: Vec<(usize, usize)>,
}

/// How often one name stands where another stood, in all methods.
pub type Votes<'a> = FxHashMap<(&'a str, &'a str), u32>;

fn place_of(version: &Version<'_>, owner: &Type<'_>, field: &Field<'_>) -> RefactoringPlace {
    place(&version.files[owner.file], field.line, field.line, &format!("{}.{}", owner.name, field.name))
}

/// Compares the fields of all types.
pub fn changed<'a>(
    before: &Version<'a>,
    after: &Version<'a>,
    found: &Matches,
    votes: &Votes<'_>,
    out: &mut Vec<Draft>,
) -> Rest {
    let mut rest = Rest::default();
    for (b, a) in &found.types {
        let (was, is) = (&before.types[*b], &after.types[*a]);
        let mut taken: FxHashSet<usize> = FxHashSet::default();
        for (x, old) in was.fields.iter().enumerate() {
            match is.fields.iter().position(|new| new.name == old.name) {
                Some(y) => {
                    taken.insert(y);
                    same(before, (was, old), after, (is, &is.fields[y]), out);
                }
                None => rest.gone.push((*b, x)),
            }
        }
        rest.come.extend((0..is.fields.len()).filter(|y| !taken.contains(y)).map(|y| (*a, y)));
    }
    for (index, own) in
        before.types.iter().enumerate().filter(|(index, _)| found.type_after(*index).is_none())
    {
        rest.gone.extend((0..own.fields.len()).map(|x| (index, x)));
    }
    for (index, own) in
        after.types.iter().enumerate().filter(|(index, _)| found.type_before(*index).is_none())
    {
        rest.come.extend((0..own.fields.len()).map(|y| (index, y)));
    }
    parted(before, after, found, votes, &mut rest, out);
    renamed(before, after, found, votes, &mut rest, out);
    moved(before, after, found, &mut rest, out);
    elsewhere(before, after, found, votes, &mut rest, out);
    rest
}

fn same(
    before: &Version<'_>,
    (was, old): (&Type<'_>, &Field<'_>),
    after: &Version<'_>,
    (is, new): (&Type<'_>, &Field<'_>),
    out: &mut Vec<Draft>,
) {
    let about = format!("{}.{}", is.name, new.name);
    let mut add = |kind, text, confidence| {
        let (x, y) = (place_of(before, was, old), place_of(after, is, new));
        let draft = Draft::new(kind, text, x, y, confidence).covering(&[old.line], &[new.line]);
        out.push(match (kind, old.kind, new.kind) {
            (Kind::ChangeFieldType, Some(x), Some(y)) => draft.retyping(x, y),
            _ => draft,
        });
    };
    if let (Some(x), Some(y)) = (old.kind, new.kind)
        && squeezed(x) != squeezed(y)
    {
        add(Kind::ChangeFieldType, format!("{about} is {y}, was {x}"), 0.95);
    }
    for (kind, text) in heads::changes(&heads::FIELD, &old.head, &new.head, &about) {
        add(kind, text, 0.95);
    }
    let private = |field: &Field<'_>| field.head.access == "private";
    if private(new) && !private(old) {
        let has = |version: &Version<'_>, owner: &Type<'_>, name: &str| {
            owner.methods.iter().any(|method| version.methods[*method].name.eq_ignore_ascii_case(name))
        };
        let fresh = ["get", "set", "is"]
            .iter()
            .map(|word| format!("{word}{}", new.name))
            .any(|name| has(after, is, &name) && !has(before, was, &name));
        if fresh {
            add(Kind::EncapsulateField, format!("{about} is behind methods now"), 0.85);
        }
    }
}

// One attribute in whose place several of its type stand, and several in whose place one stands.
fn parted(
    before: &Version<'_>,
    after: &Version<'_>,
    found: &Matches,
    votes: &Votes<'_>,
    rest: &mut Rest,
    out: &mut Vec<Draft>,
) {
    let voted = |from: &str, to: &str| votes.get(&(from, to)).copied().unwrap_or(0);
    let (mut gone, mut come) = (FxHashSet::default(), FxHashSet::default());
    for (b, a) in &found.types {
        let (was, is) = (&before.types[*b], &after.types[*a]);
        let own = |list: &[(usize, usize)], owner: usize| -> Vec<usize> {
            (0..list.len()).filter(|index| list[*index].0 == owner).collect()
        };
        let (lost, got) = (own(&rest.gone, *b), own(&rest.come, *a));
        let olds: Vec<&str> = lost.iter().map(|index| was.fields[rest.gone[*index].1].name).collect();
        let news: Vec<&str> = got.iter().map(|index| is.fields[rest.come[*index].1].name).collect();
        let index = |names: &[&str], list: &[usize], name: &str| {
            names.iter().position(|other| *other == name).map(|at| list[at])
        };
        let split = parts::of(&olds, &news, voted).into_iter().map(|part| (Kind::SplitField, part));
        let merged = parts::of(&news, &olds, |to, from| voted(from, to));
        for (kind, (one, several)) in split.chain(merged.into_iter().map(|part| (Kind::MergeField, part))) {
            let (old, new) = if kind == Kind::SplitField { (one, several[0]) } else { (several[0], one) };
            let (Some(i), Some(j)) = (index(&olds, &lost, old), index(&news, &got, new)) else { continue };
            let (x, y) = (&was.fields[rest.gone[i].1], &is.fields[rest.come[j].1]);
            let text = match kind {
                Kind::SplitField => format!("{}.{one} is now {}", was.name, several.join(", ")),
                _ => format!("{} of {} are now {one}", several.join(", "), was.name),
            };
            let (p, q) = (place_of(before, was, x), place_of(after, is, y));
            out.push(Draft::new(kind, text, p, q, 0.8).covering(&[x.line], &[y.line]));
            for name in several.iter().chain([&one]) {
                gone.extend(index(&olds, &lost, name));
                come.extend(index(&news, &got, name));
            }
        }
    }
    drop_used(&mut rest.gone, &gone);
    drop_used(&mut rest.come, &come);
}

// Another name in another type: an attribute that moved under it, or one that was there already and is read instead.
fn elsewhere(
    before: &Version<'_>,
    after: &Version<'_>,
    found: &Matches,
    votes: &Votes<'_>,
    rest: &mut Rest,
    out: &mut Vec<Draft>,
) {
    let (mut gone, mut come) = (FxHashSet::default(), FxHashSet::default());
    for (i, (b, x)) in rest.gone.iter().enumerate() {
        let was = &before.types[*b];
        let old = &was.fields[*x];
        let fits = |field: &Field<'_>, least: u32| {
            let typed = old.kind.is_some() && old.kind.map(squeezed) == field.kind.map(squeezed);
            typed && votes.get(&(old.name, field.name)).is_some_and(|count| *count >= least)
        };
        let other = |owner: usize| found.type_after(*b) != Some(owner);
        let fresh = (0..rest.come.len()).find(|j| {
            let (a, y) = rest.come[*j];
            !come.contains(j) && other(a) && fits(&after.types[a].fields[y], 1)
        });
        if let Some(j) = fresh {
            let (a, y) = rest.come[j];
            let is = &after.types[a];
            let new = &is.fields[y];
            gone.insert(i);
            come.insert(j);
            let text = format!("{}.{} is now {}.{}", was.name, old.name, is.name, new.name);
            let (p, q) = (place_of(before, was, old), place_of(after, is, new));
            let draft = Draft::new(Kind::MoveAndRenameField, text, p, q, 0.8);
            out.push(draft.renaming(old.name, new.name).covering(&[old.line], &[new.line]));
            continue;
        }
        let there = after.types.iter().enumerate().filter(|(owner, _)| other(*owner));
        let known: Vec<(&Type<'_>, &Field<'_>)> = there
            .flat_map(|(_, own)| own.fields.iter().map(move |field| (own, field)))
            .filter(|(_, field)| fits(field, 2))
            .collect();
        if let [(is, new)] = known.as_slice() {
            gone.insert(i);
            let text = format!("{}.{} is read instead of {}.{}", is.name, new.name, was.name, old.name);
            let (p, q) = (place_of(before, was, old), place_of(after, is, new));
            out.push(Draft::new(Kind::ReplaceField, text, p, q, 0.75).covering(&[old.line], &[]));
        }
    }
    drop_used(&mut rest.gone, &gone);
    drop_used(&mut rest.come, &come);
}

// The same type and place, or a name that stands where the other stood.
fn renamed(
    before: &Version<'_>,
    after: &Version<'_>,
    found: &Matches,
    votes: &Votes<'_>,
    rest: &mut Rest,
    out: &mut Vec<Draft>,
) {
    let mut pairs: Vec<(u32, usize, usize)> = Vec::new();
    for (i, (b, x)) in rest.gone.iter().enumerate() {
        let Some(now) = found.type_after(*b) else { continue };
        let old = &before.types[*b].fields[*x];
        for (j, (_, y)) in rest.come.iter().enumerate().filter(|(_, (a, _))| *a == now) {
            let new = &after.types[now].fields[*y];
            let said = votes.get(&(old.name, new.name)).copied().unwrap_or(0);
            let typed = old.kind.is_some() && old.kind.map(squeezed) == new.kind.map(squeezed);
            let given = !old.value.is_empty() && old.value == new.value;
            let rivals = |list: &[(usize, usize)], version: &Version<'_>, owner: usize| {
                list.iter()
                    .filter(|(t, f)| *t == owner && version.types[*t].fields[*f].kind == old.kind)
                    .count()
            };
            let alone = rivals(&rest.gone, before, *b) == 1 && rivals(&rest.come, after, now) == 1;
            if said > 0 || typed && (alone || given && old.value.len() > 1) || given && old.value.len() > 2 {
                let score = said * 4 + u32::from(typed) * 2 + u32::from(given) * 2 + u32::from(x == y);
                pairs.push((score, i, j));
            }
        }
    }
    pairs.sort_by_key(|(score, i, j)| (std::cmp::Reverse(*score), *i, *j));
    let (mut gone, mut come) = (FxHashSet::default(), FxHashSet::default());
    for (_, i, j) in pairs {
        if gone.contains(&i) || come.contains(&j) {
            continue;
        }
        gone.insert(i);
        come.insert(j);
        let ((b, x), (a, y)) = (rest.gone[i], rest.come[j]);
        let (was, is) = (&before.types[b], &after.types[a]);
        let (old, new) = (&was.fields[x], &is.fields[y]);
        let text = format!("{}.{} is now {}", was.name, old.name, new.name);
        let draft =
            Draft::new(Kind::RenameField, text, place_of(before, was, old), place_of(after, is, new), 0.85);
        out.push(draft.renaming(old.name, new.name).covering(&[old.line], &[new.line]));
        same(before, (was, old), after, (is, new), out);
    }
    drop_used(&mut rest.gone, &gone);
    drop_used(&mut rest.come, &come);
}

fn drop_used(list: &mut Vec<(usize, usize)>, used: &FxHashSet<usize>) {
    let mut index = 0;
    list.retain(|_| {
        index += 1;
        !used.contains(&(index - 1))
    });
}

// The same field in another type.
fn moved(before: &Version<'_>, after: &Version<'_>, found: &Matches, rest: &mut Rest, out: &mut Vec<Draft>) {
    let mut names: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (j, (a, y)) in rest.come.iter().enumerate() {
        names.entry(after.types[*a].fields[*y].name).or_default().push(j);
    }
    let (mut gone, mut come) = (FxHashSet::default(), FxHashSet::default());
    for (i, (b, x)) in rest.gone.iter().enumerate() {
        let was = &before.types[*b];
        let old = &was.fields[*x];
        let source = found.type_after(*b).map_or(was, |now| &after.types[now]);
        for j in names.get(old.name).into_iter().flatten() {
            let (a, y) = rest.come[*j];
            let is = &after.types[a];
            let new = &is.fields[y];
            let typed = old.kind.is_some() && old.kind.map(squeezed) == new.kind.map(squeezed);
            let kind = if is_base(after, is, source, 0) {
                Kind::PullUpField
            } else if is_base(before, was, is, 0) || is_base(after, was, is, 0) {
                Kind::PushDownField
            } else {
                Kind::MoveField
            };
            let related = kind != Kind::MoveField;
            // A field that many types have moves to the one that has just lost or got its methods, or to a new type.
            let alone = found.type_after(*b).is_some() && !gone.contains(&i) && !come.contains(j);
            let same_value = old.value.len() > 2 && old.value == new.value;
            if related || alone && (typed || same_value) {
                gone.insert(i);
                come.insert(*j);
                let text = format!("{}.{} is now in {}", was.name, old.name, is.name);
                let (p, q) = (place_of(before, was, old), place_of(after, is, new));
                out.push(Draft::new(kind, text, p, q, 0.85).covering(&[old.line], &[new.line]));
            }
        }
    }
    drop_used(&mut rest.gone, &gone);
    drop_used(&mut rest.come, &come);
}
