//! What went from one body into another: methods that were extracted, inlined, split and merged, code that moved.

use super::declarations::{File, Method, Statement, Version};
use super::matching::{Matches, names_shared};
use super::pairs::{Pair, dice};
use super::{Draft, method_place};
use formicary_clones::tokens::number;
use formicary_model::refactorings::RefactoringKind as Kind;
use rustc_hash::{FxHashMap, FxHashSet};

/// Methods that came out of others, and methods that went into others.
pub fn extracted(
    before: &Version<'_>,
    after: &Version<'_>,
    found: &Matches,
    pairs: &[Pair<'_, '_>],
    out: &mut Vec<Draft>,
) {
    let old: FxHashSet<usize> = found.methods.iter().map(|(b, _)| *b).collect();
    let new: FxHashSet<usize> = found.methods.iter().map(|(_, a)| *a).collect();
    let (gone, come) = (by_name(before, &old), by_name(after, &new));
    for pair in pairs.iter().filter(|pair| pair.changed()) {
        let (removed, added) = pair.free();
        if !removed.is_empty() {
            out_of(before, after, found, pair, &come, &removed, out);
        }
        if !added.is_empty() {
            into(before, after, found, pair, &gone, &added, out);
        }
    }
}

type Names<'a> = FxHashMap<&'a str, Vec<usize>>;

fn by_name<'a>(version: &Version<'a>, used: &FxHashSet<usize>) -> Names<'a> {
    let mut names: Names<'a> = FxHashMap::default();
    for (index, method) in version.methods.iter().enumerate().filter(|(index, _)| !used.contains(index)) {
        names.entry(method.name).or_default().push(index);
    }
    names
}

fn out_of(
    before: &Version<'_>,
    after: &Version<'_>,
    found: &Matches,
    pair: &Pair<'_, '_>,
    come: &Names<'_>,
    removed: &[&Statement],
    out: &mut Vec<Draft>,
) {
    // What was extracted may call what was extracted too.
    let mut callers: Vec<&Method<'_>> = vec![pair.is];
    let mut told: FxHashSet<usize> = FxHashSet::default();
    while let Some(caller) = callers.pop() {
        let mut called: Vec<usize> =
            caller.calls.iter().filter_map(|name| come.get(name)).flatten().copied().collect();
        called.sort_unstable();
        for index in called {
            let method = &after.methods[index];
            let Some(share) = share(pair.left, removed, after.file_of(method), &method.body) else {
                continue;
            };
            if !told.insert(index) {
                continue;
            }
            let moved = !same_home(before, pair.was, after, method, found);
            let kind = if moved { Kind::ExtractAndMoveMethod } else { Kind::ExtractMethod };
            let text = format!("{} was extracted from {}", method.shown(), pair.was.shown());
            let (x, y) = (method_place(before, pair.was), method_place(after, method));
            out.push(Draft::new(kind, text, x, y, share));
            callers.push(method);
        }
    }
}

fn into(
    before: &Version<'_>,
    after: &Version<'_>,
    found: &Matches,
    pair: &Pair<'_, '_>,
    gone: &Names<'_>,
    added: &[&Statement],
    out: &mut Vec<Draft>,
) {
    let mut called: Vec<usize> =
        pair.was.calls.iter().filter_map(|name| gone.get(name)).flatten().copied().collect();
    called.sort_unstable();
    for index in called {
        let method = &before.methods[index];
        if let Some(share) = share(pair.right, added, before.file_of(method), &method.body) {
            let moved = !same_home(before, method, after, pair.is, found);
            let kind = if moved { Kind::MoveAndInlineMethod } else { Kind::InlineMethod };
            let text = format!("{} was inlined into {}", method.shown(), pair.is.shown());
            let (x, y) = (method_place(before, method), method_place(after, pair.is));
            out.push(Draft::new(kind, text, x, y, share));
        }
    }
}

fn same_home(
    before: &Version<'_>,
    b: &Method<'_>,
    after: &Version<'_>,
    a: &Method<'_>,
    found: &Matches,
) -> bool {
    match (b.owner, a.owner) {
        (Some(x), Some(y)) => found.type_after(x) == Some(y),
        (None, None) => {
            before.file_of(b).path == after.file_of(a).path || found.files.contains(&(b.file, a.file))
        }
        // Python's and JavaScript's functions beside the class that they came out of.
        _ => before.file_of(b).path == after.file_of(a).path,
    }
}

/// How much of a body comes from these statements; none where it is too little. A `return` may have been an assignment.
pub fn share(from: &File<'_>, statements: &[&Statement], file: &File<'_>, body: &[Statement]) -> Option<f64> {
    let total: usize = body.iter().map(Statement::size).sum();
    if total < 4 {
        return None;
    }
    let mut rest: Vec<&&Statement> = statements.iter().collect();
    let (mut shared, mut count) = (0usize, 0usize);
    for statement in body {
        let fits = |other: &&&Statement| {
            other.shape == statement.shape && names_shared(from, other, file, statement) >= 0.3
                || inner(from, other, file, statement)
        };
        let exact = rest.iter().position(|other| other.exact == statement.exact);
        if let Some(at) =
            exact.or_else(|| rest.iter().position(fits)).or_else(|| nearest(from, &rest, file, statement))
        {
            // A larger statement may have held several.
            if rest[at].size() <= statement.size() * 2 {
                rest.remove(at);
            }
            shared += statement.size();
            count += 1;
        }
    }
    let share = shared as f64 / total as f64;
    (count > 0 && share >= 0.5).then_some(share)
}

// A statement with most of the words, for arguments that became parameters.
fn nearest(from: &File<'_>, rest: &[&&Statement], file: &File<'_>, statement: &Statement) -> Option<usize> {
    let bag = |file: &File<'_>, statement: &Statement| -> Vec<u32> {
        let mut words: Vec<u32> =
            meaning(file, statement).iter().map(|word| number(word.as_bytes())).collect();
        words.sort_unstable();
        words
    };
    let own = bag(file, statement);
    if own.len() < 5 {
        return None;
    }
    let scored = rest.iter().enumerate().map(|(index, other)| (dice(&own, &bag(from, other)), index));
    scored
        .filter(|(score, _)| *score >= 0.72)
        .max_by(|x, y| x.0.total_cmp(&y.0).then(y.1.cmp(&x.1)))
        .map(|(_, at)| at)
}

// `return f(x)` that was `y = f(x)` or stood within a larger statement.
fn inner(from: &File<'_>, other: &Statement, file: &File<'_>, statement: &Statement) -> bool {
    let own: Vec<&str> = meaning(file, statement);
    let around = from.words_of(other);
    let own = match own.as_slice() {
        ["return", rest @ ..] => rest,
        [name, "=", rest @ ..] if name.chars().all(|c| c.is_alphanumeric() || c == '_') => rest,
        all => all,
    };
    own.len() >= 3 && around.windows(own.len()).any(|window| window == own)
}

fn meaning<'a>(file: &File<'a>, statement: &Statement) -> Vec<&'a str> {
    let mut words = file.words_of(statement);
    while words.last().is_some_and(|last| matches!(*last, ";" | "{")) {
        words.pop();
    }
    words
}

/// Java's classes without a name that are classes with one now.
pub fn named_classes(
    before: &Version<'_>,
    after: &Version<'_>,
    found: &Matches,
    pairs: &[Pair<'_, '_>],
    out: &mut Vec<Draft>,
) {
    let fresh = after.types.iter().enumerate().filter(|(index, _)| found.type_before(*index).is_none());
    for (_, named) in fresh.filter(|(_, named)| after.files[named.file].path.ends_with(".java")) {
        for pair in pairs.iter().filter(|pair| pair.changed() && pair.is.calls.contains(named.name)) {
            let unnamed = |file: &File<'_>, method: &Method<'_>| {
                let words = file.words(file.unit.function(method.id).body_span);
                named.bases.iter().map(|base| unnamed(&words, Some(base))).sum::<usize>()
            };
            let (removed, _) = pair.free();
            let came =
                || {
                    named.methods.iter().map(|method| &after.methods[*method]).any(|method| {
                        share(pair.left, &removed, after.file_of(method), &method.body).is_some()
                    })
                };
            if unnamed(pair.left, pair.was) > unnamed(pair.right, pair.is) && came() {
                let text = format!("a class without a name is {} now in {}", named.path, pair.is.shown());
                let (x, y) = (method_place(before, pair.was), super::type_place(after, named));
                out.push(Draft::new(Kind::AnonymousToClass, text, x, y, 0.85));
            }
        }
    }
}

/// How often `new Name(…) {` stands there, of one name or of any.
pub fn unnamed(words: &[&str], wanted: Option<&str>) -> usize {
    let begins = |at: usize| {
        let rest = &words[at..];
        let Some(open) = rest.iter().take(30).position(|word| *word == "(") else { return false };
        let named = rest[..open].iter().take_while(|word| **word != "<").last();
        if wanted.is_some_and(|wanted| named != Some(&wanted)) {
            return false;
        }
        let mut depth = 0;
        for (index, word) in rest[open..].iter().enumerate() {
            depth += i32::from(*word == "(") - i32::from(*word == ")");
            if depth == 0 {
                return rest.get(open + index + 1) == Some(&"{");
            }
        }
        false
    };
    words.iter().enumerate().filter(|(at, word)| **word == "new" && begins(*at)).count()
}

/// One method that became several, or several that became one, without any of them calling another.
pub fn split_and_merged(before: &Version<'_>, after: &Version<'_>, found: &Matches, out: &mut Vec<Draft>) {
    let old: FxHashSet<usize> = found.methods.iter().map(|(b, _)| *b).collect();
    let new: FxHashSet<usize> = found.methods.iter().map(|(_, a)| *a).collect();
    let left = |version: &Version<'_>, used: &FxHashSet<usize>| -> Vec<usize> {
        (0..version.methods.len())
            .filter(|m| !used.contains(m) && version.methods[*m].weight() >= 20)
            .collect()
    };
    let (gone, come) = (left(before, &old), left(after, &new));
    for (one, others, kind) in [(&gone, &come, Kind::SplitMethod), (&come, &gone, Kind::MergeMethod)] {
        let (from, to) = if kind == Kind::SplitMethod { (before, after) } else { (after, before) };
        for b in one {
            let method = &from.methods[*b];
            let own: Vec<&Statement> = method.body.iter().collect();
            let parts: Vec<usize> = others
                .iter()
                .copied()
                .filter(|a| {
                    let part = &to.methods[*a];
                    to.files[part.file].path == from.files[method.file].path
                        && share(from.file_of(method), &own, to.file_of(part), &part.body)
                            .is_some_and(|s| s >= 0.6)
                })
                .collect();
            let covered: usize = parts.iter().map(|a| to.methods[*a].weight()).sum();
            let calls = parts.iter().any(|a| to.methods[*a].calls.contains(method.name));
            if parts.len() < 2 || calls || covered * 10 < method.weight() * 6 || covered > method.weight() * 2
            {
                continue;
            }
            let names: Vec<String> = parts.iter().map(|a| to.methods[*a].shown()).collect();
            let (x, y) = (method_place(from, method), method_place(to, &to.methods[parts[0]]));
            let draft = if kind == Kind::SplitMethod {
                Draft::new(kind, format!("{} is now {}", method.shown(), names.join(", ")), x, y, 0.8)
            } else {
                Draft::new(kind, format!("{} are now {}", names.join(", "), method.shown()), y, x, 0.8)
            };
            out.push(draft);
        }
    }
}

/// Code that went from one method into another, both of which were there before and are there still.
pub fn moved_code(before: &Version<'_>, after: &Version<'_>, pairs: &[Pair<'_, '_>], out: &mut Vec<Draft>) {
    let mut places: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    let changed: Vec<&Pair<'_, '_>> = pairs.iter().filter(|pair| pair.changed()).collect();
    for (index, pair) in changed.iter().enumerate() {
        for statement in pair.free().1.iter().filter(|statement| statement.size() >= 5) {
            places.entry(statement.exact).or_default().push(index);
        }
    }
    for (index, pair) in changed.iter().enumerate() {
        let mut went: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
        for statement in pair.free().0.iter().filter(|statement| statement.size() >= 5) {
            let Some(targets) = places.get(&statement.exact) else { continue };
            // What went to many places came from nowhere in particular.
            if let [target] = targets.as_slice()
                && *target != index
            {
                let entry = went.entry(*target).or_default();
                *entry = (entry.0 + 1, entry.1 + statement.size());
            }
        }
        let mut went: Vec<(usize, (usize, usize))> = went.into_iter().collect();
        went.sort_unstable();
        for (target, (count, size)) in went {
            let other = changed[target];
            if count >= 2 && size >= 24 && other.left.path == pair.left.path {
                let text = format!("code went from {} to {}", pair.was.shown(), other.is.shown());
                let (x, y) = (method_place(before, pair.was), method_place(after, other.is));
                out.push(Draft::new(Kind::MoveCode, text, x, y, 0.75));
            }
        }
    }
}
