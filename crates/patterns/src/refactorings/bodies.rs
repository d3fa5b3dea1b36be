//! What happened within and between bodies: extracted, inlined, renamed, turned round.

use super::declarations::{File, Method, Statement, Version};
use super::matching::{Aligned, Matches, align, names_shared};
use super::{Draft, method_place, place};
use crate::clones::tokens::{Class, Token};
use formicary_model::refactorings::RefactoringKind as Kind;
use formicary_syntax::{ExprKind, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Methods that came out of others, and methods that went into others.
pub fn extracted(before: &Version<'_>, after: &Version<'_>, found: &Matches, out: &mut Vec<Draft>) {
    let old: FxHashSet<usize> = found.methods.iter().map(|(b, _)| *b).collect();
    let new: FxHashSet<usize> = found.methods.iter().map(|(_, a)| *a).collect();
    for (b, a) in &found.methods {
        let (was, is) = (&before.methods[*b], &after.methods[*a]);
        if was.body_hash == is.body_hash {
            continue;
        }
        let (left, right) = (before.file_of(was), after.file_of(is));
        let aligned = align(left, &was.body, right, &is.body);
        let (removed, added) = free(&aligned, &was.body, &is.body);
        for (index, method) in after.methods.iter().enumerate().filter(|(index, _)| !new.contains(index)) {
            if !is.calls.contains(method.name) || was.calls.contains(method.name) {
                continue;
            }
            if let Some(share) = share(left, &removed, after.file_of(method), &method.body) {
                let moved = !same_home(before, was, after, method, found);
                let kind = if moved { Kind::ExtractAndMoveMethod } else { Kind::ExtractMethod };
                let text = format!("{} was extracted from {}", method.shown(), was.shown());
                out.push(Draft::new(
                    kind,
                    text,
                    method_place(before, was),
                    method_place(after, method),
                    share,
                ));
                let _ = index;
            }
        }
        for method in before.methods.iter().enumerate().filter(|(b, _)| !old.contains(b)).map(|(_, m)| m) {
            if !was.calls.contains(method.name) || is.calls.contains(method.name) {
                continue;
            }
            if let Some(share) = share(right, &added, before.file_of(method), &method.body) {
                let moved = !same_home(before, method, after, is, found);
                let kind = if moved { Kind::MoveAndInlineMethod } else { Kind::InlineMethod };
                let text = format!("{} was inlined into {}", method.shown(), is.shown());
                out.push(Draft::new(
                    kind,
                    text,
                    method_place(before, method),
                    method_place(after, is),
                    share,
                ));
            }
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
        (None, None) => before.file_of(b).path == after.file_of(a).path,
        _ => false,
    }
}

/// The statements that have no partner on the other side.
fn free<'s>(
    aligned: &Aligned,
    a: &'s [Statement],
    b: &'s [Statement],
) -> (Vec<&'s Statement>, Vec<&'s Statement>) {
    let pairs = || aligned.equal.iter().chain(&aligned.alike);
    let left: FxHashSet<usize> = pairs().map(|(i, _)| *i).collect();
    let right: FxHashSet<usize> = pairs().map(|(_, j)| *j).collect();
    let rest = |list: &'s [Statement], used: &FxHashSet<usize>| {
        list.iter().enumerate().filter(|(index, _)| !used.contains(index)).map(|(_, s)| s).collect::<Vec<_>>()
    };
    (rest(a, &left), rest(b, &right))
}

// How much of a body comes from these statements; none where it is too little. A `return` may have been an assignment.
fn share(from: &File<'_>, statements: &[&Statement], file: &File<'_>, body: &[Statement]) -> Option<f64> {
    let total: usize = body.iter().map(Statement::size).sum();
    if total < 4 {
        return None;
    }
    let mut rest: Vec<&&Statement> = statements.iter().collect();
    let (mut shared, mut count) = (0usize, 0usize);
    for statement in body {
        let fits = |other: &&&Statement| {
            other.exact == statement.exact
                || other.shape == statement.shape && names_shared(from, other, file, statement) >= 0.3
                || inner(from, other, file, statement)
        };
        let exact = rest.iter().position(|other| other.exact == statement.exact);
        if let Some(at) = exact.or_else(|| rest.iter().position(fits)) {
            rest.remove(at);
            shared += statement.size();
            count += 1;
        }
    }
    let share = shared as f64 / total as f64;
    (count > 0 && share >= 0.5).then_some(share)
}

// `return f(x)` that was `y = f(x)` or stood within a larger statement.
fn inner(from: &File<'_>, other: &Statement, file: &File<'_>, statement: &Statement) -> bool {
    let own: Vec<&str> = meaning(file, statement);
    let around: Vec<&str> = from.tokens[other.tokens.clone()].iter().map(|token| from.word(token)).collect();
    let own = match own.as_slice() {
        ["return", rest @ ..] => rest,
        [name, "=", rest @ ..] if name.chars().all(|c| c.is_alphanumeric() || c == '_') => rest,
        all => all,
    };
    own.len() >= 3 && around.windows(own.len()).any(|window| window == own)
}

fn meaning<'a>(file: &File<'a>, statement: &Statement) -> Vec<&'a str> {
    let mut words: Vec<&str> =
        file.tokens[statement.tokens.clone()].iter().map(|token| file.word(token)).collect();
    while words.last().is_some_and(|last| matches!(*last, ";" | "{")) {
        words.pop();
    }
    words
}

/// What happened to variables and conditions of a method.
pub fn within(
    before: &Version<'_>,
    was: &Method<'_>,
    after: &Version<'_>,
    is: &Method<'_>,
    out: &mut Vec<Draft>,
) {
    if was.body_hash == is.body_hash {
        return;
    }
    let (left, right) = (before.file_of(was), after.file_of(is));
    let aligned = align(left, &was.body, right, &is.body);
    let (old, new) = (locals(left, was), locals(right, is));
    let renamed = renames(left, right, was, is, &aligned, &old, &new);
    for (from, to) in &renamed {
        let (Some(a), Some(b)) = (old.get(from), new.get(to)) else { continue };
        if a.parameter || b.parameter {
            continue;
        }
        let text = format!("{from} is now {to} in {}", is.shown());
        let (x, y) = (place(left, a.line, a.line, from), place(right, b.line, b.line, to));
        out.push(Draft::new(Kind::RenameVariable, text, x, y, 0.9).renaming(from, to));
    }
    let renamed_from: FxHashSet<&str> = renamed.iter().map(|(from, _)| *from).collect();
    let renamed_to: FxHashSet<&str> = renamed.iter().map(|(_, to)| *to).collect();
    let (removed, added) = free(&aligned, &was.body, &is.body);
    let (removed, added) =
        (with_alike(&removed, &aligned, &was.body, true), with_alike(&added, &aligned, &is.body, false));
    for (name, variable) in
        new.iter().filter(|(name, v)| !old.contains_key(*name) && !renamed_to.contains(*name) && !v.parameter)
    {
        if let Some(value) = &variable.value
            && replaced(left, &removed, right, &added, value, name)
        {
            let text = format!("{name} was extracted in {}", is.shown());
            let (x, y) = (method_place(before, was), place(right, variable.line, variable.line, name));
            out.push(Draft::new(Kind::ExtractVariable, text, x, y, 0.85).covering(&[], &[variable.line]));
        }
    }
    for (name, variable) in old
        .iter()
        .filter(|(name, v)| !new.contains_key(*name) && !renamed_from.contains(*name) && !v.parameter)
    {
        if let Some(value) = &variable.value
            && replaced(right, &added, left, &removed, value, name)
        {
            let text = format!("{name} was inlined in {}", is.shown());
            let (x, y) = (place(left, variable.line, variable.line, name), method_place(after, is));
            out.push(Draft::new(Kind::InlineVariable, text, x, y, 0.85).covering(&[variable.line], &[]));
        }
    }
    for (name, variable) in &old {
        if let Some(other) = new.get(name)
            && !variable.parameter
            && !other.parameter
            && let (Some(x), Some(y)) = (variable.kind, other.kind)
            && x != y
        {
            let text = format!("{name} is {y}, was {x}, in {}", is.shown());
            let (x, y) =
                (place(left, variable.line, variable.line, name), place(right, other.line, other.line, name));
            out.push(
                Draft::new(Kind::ChangeVariableType, text, x, y, 0.9)
                    .covering(&[variable.line], &[other.line]),
            );
        }
    }
    conditions(left, was, right, is, out);
}

fn with_alike<'s>(
    rest: &[&'s Statement],
    aligned: &Aligned,
    body: &'s [Statement],
    left: bool,
) -> Vec<&'s Statement> {
    let alike = aligned.alike.iter().map(|(i, j)| &body[if left { *i } else { *j }]);
    rest.iter().copied().chain(alike).collect()
}

/// A variable of a method.
struct Local<'a> {
    line: u32,
    parameter: bool,
    kind: Option<&'a str>,
    /// The words of what it is first given.
    value: Option<Vec<&'a str>>,
}

fn locals<'a>(file: &File<'a>, method: &Method<'a>) -> FxHashMap<&'a str, Local<'a>> {
    let mut found: FxHashMap<&'a str, Local<'a>> = FxHashMap::default();
    for parameter in &method.parameters {
        let line = file.unit.lines.line(parameter.span.start);
        found.insert(parameter.name, Local { line, parameter: true, kind: parameter.kind, value: None });
    }
    for (_, stmt) in file.unit.stmts().filter(|(_, stmt)| stmt.function == Some(method.id)) {
        let line = file.unit.lines.line(stmt.span.start);
        match &stmt.kind {
            StmtKind::Assign { targets, operator: None, value, annotation, .. } => {
                let [target] = targets.as_slice() else { continue };
                let Some(name) = file.unit.name_of(*target) else { continue };
                let value = value.map(|value| {
                    file.within(file.unit.expr(value).span).iter().map(|token| file.word(token)).collect()
                });
                found.entry(name).or_insert(Local { line, parameter: false, kind: *annotation, value });
            }
            StmtKind::Loop { target: Some(target), .. } => {
                if let ExprKind::Name(name) = file.unit.kind(*target) {
                    found.entry(name).or_insert(Local { line, parameter: false, kind: None, value: None });
                }
            }
            _ => {}
        }
    }
    found
}

// Names that changed in statements of one shape, always to the same other name, and are nowhere else.
fn renames<'a, 'b>(
    left: &File<'a>,
    right: &File<'b>,
    was: &Method<'a>,
    is: &Method<'b>,
    aligned: &Aligned,
    old: &FxHashMap<&'a str, Local<'a>>,
    new: &FxHashMap<&'b str, Local<'b>>,
) -> Vec<(&'a str, &'b str)> {
    let mut to: FxHashMap<&'a str, FxHashMap<&'b str, u32>> = FxHashMap::default();
    for (i, j) in &aligned.alike {
        let (x, y) = (&left.tokens[was.body[*i].tokens.clone()], &right.tokens[is.body[*j].tokens.clone()]);
        for (a, b) in x.iter().zip(y).filter(|(a, _)| a.class == Class::Name) {
            let (a, b) = (left.word(a), right.word(b));
            if old.contains_key(a) && a != b {
                *to.entry(a).or_default().entry(b).or_default() += 1;
            }
        }
    }
    let mut found: Vec<(&'a str, &'b str)> = to
        .into_iter()
        .filter_map(|(from, names)| {
            let all: u32 = names.values().sum();
            let (name, count) = names.into_iter().max_by_key(|(name, count)| (*count, *name))?;
            let fresh = new.contains_key(name) && !old.contains_key(name) && !new.contains_key(from);
            (fresh && count * 3 >= all * 2).then_some((from, name))
        })
        .collect();
    found.sort_unstable();
    found
}

// The words of a value stood in a statement that is gone and in whose place the name stands now.
fn replaced(
    left: &File<'_>,
    removed: &[&Statement],
    right: &File<'_>,
    added: &[&Statement],
    value: &[&str],
    name: &str,
) -> bool {
    if value.len() < 2 {
        return false;
    }
    let words = |file: &File<'_>, statement: &Statement| -> Vec<String> {
        let own: &[Token] = &file.tokens[statement.tokens.clone()];
        own.iter().map(|token| file.word(token).to_owned()).collect()
    };
    removed.iter().any(|old| {
        let old = words(left, old);
        let Some(at) =
            old.windows(value.len()).position(|window| window.iter().zip(value).all(|(a, b)| a == b))
        else {
            return false;
        };
        added.iter().any(|new| {
            let new = words(right, new);
            // What stands before and after the value also stands before and after the name.
            let names = new.iter().enumerate().filter(|(_, word)| *word == name).map(|(index, _)| index);
            names.into_iter().any(|place| {
                let before = at == 0 || place > 0 && old[at - 1] == new[place - 1];
                let after = old.get(at + value.len()) == new.get(place + 1);
                before && after && new.len() > 1 && !(place + 1 < new.len() && new[place + 1] == "=")
            })
        })
    })
}

// Questions that were turned round, split or joined; loops that became comprehensions.
fn conditions(left: &File<'_>, was: &Method<'_>, right: &File<'_>, is: &Method<'_>, out: &mut Vec<Draft>) {
    let (old, new) = (tests(left, was), tests(right, is));
    let has = |list: &[(String, u32)], text: &str| list.iter().any(|(other, _)| other == text);
    for (text, line) in old.iter().filter(|(text, _)| !has(&new, text)) {
        let negated = negation(text);
        if let Some((_, now)) = new.iter().find(|(other, _)| *other == negated && !has(&old, other)) {
            let said = format!("the condition {text} was inverted in {}", is.shown());
            let (x, y) = (place(left, *line, *line, text), place(right, *now, *now, &negated));
            out.push(Draft::new(Kind::InvertCondition, said, x, y, 0.8).covering(&[*line], &[*now]));
        }
        for (a, b, kind) in [(text, &new, Kind::SplitConditional)] {
            if let Some(parts) = split(a)
                && parts.iter().all(|part| has(b, part) && !has(&old, part))
            {
                let now = b.iter().find(|(other, _)| *other == parts[0]).map_or(0, |(_, line)| *line);
                let said = format!("the condition {a} was split in {}", is.shown());
                out.push(Draft::new(
                    kind,
                    said,
                    place(left, *line, *line, a),
                    place(right, now, now, parts[0]),
                    0.8,
                ));
            }
        }
    }
    for (text, line) in new.iter().filter(|(text, _)| !has(&old, text)) {
        if let Some(parts) = split(text)
            && parts.iter().all(|part| has(&old, part) && !has(&new, part))
        {
            let was_at = old.iter().find(|(other, _)| *other == parts[0]).map_or(0, |(_, line)| *line);
            let said = format!("conditions were merged into {text} in {}", is.shown());
            let (x, y) = (place(left, was_at, was_at, parts[0]), place(right, *line, *line, text));
            out.push(Draft::new(Kind::MergeConditional, said, x, y, 0.8));
        }
    }
    let ((loops, pipes), (loops_now, pipes_now)) = (rounds(left, was), rounds(right, is));
    let kind = if loops.len() > loops_now.len() && pipes.len() < pipes_now.len() {
        Some(Kind::LoopToComprehension)
    } else if loops.len() < loops_now.len() && pipes.len() > pipes_now.len() {
        Some(Kind::ComprehensionToLoop)
    } else {
        None
    };
    let gone = |a: &[(String, u32)], b: &[(String, u32)]| a.iter().find(|(text, _)| !has(b, text)).cloned();
    if let Some(kind) = kind {
        let (old, new) = if kind == Kind::LoopToComprehension {
            (gone(&loops, &loops_now), gone(&pipes_now, &pipes))
        } else {
            (gone(&pipes, &pipes_now), gone(&loops_now, &loops))
        };
        if let (Some((over, line)), Some((_, now))) = (old, new) {
            let said = format!("going through {over} is written another way in {}", is.shown());
            out.push(Draft::new(
                kind,
                said,
                place(left, line, line, &over),
                place(right, now, now, &over),
                0.7,
            ));
        }
    }
}

fn plain(file: &File<'_>, span: formicary_syntax::Span) -> String {
    let words: Vec<&str> = file.within(span).iter().map(|token| file.word(token)).collect();
    words.join(" ")
}

fn tests(file: &File<'_>, method: &Method<'_>) -> Vec<(String, u32)> {
    let own = file.unit.stmts().filter(|(_, stmt)| stmt.function == Some(method.id));
    own.filter_map(|(_, stmt)| match &stmt.kind {
        StmtKind::If { test, .. } => {
            let text = plain(file, file.unit.expr(*test).span);
            Some((text, file.unit.lines.line(stmt.span.start)))
        }
        _ => None,
    })
    .collect()
}

fn negation(text: &str) -> String {
    for (a, b) in
        [(" == ", " != "), (" is not ", " is "), (" >= ", " < "), (" <= ", " > "), (" === ", " !== ")]
    {
        for (from, to) in [(a, b), (b, a)] {
            if text.matches(from).count() == 1 && !text.contains(" && ") && !text.contains(" and ") {
                return text.replacen(from, to, 1);
            }
        }
    }
    if let Some(rest) = text.strip_prefix("! ").or_else(|| text.strip_prefix("not ")) {
        return rest.trim_start_matches("( ").trim_end_matches(" )").to_owned();
    }
    if text.contains(" is ") || text.contains(" not ") { text.to_owned() } else { format!("! {text}") }
}

fn split(text: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> =
        if text.contains(" && ") { text.split(" && ").collect() } else { text.split(" and ").collect() };
    (parts.len() > 1).then_some(parts)
}

type Rounds = Vec<(String, u32)>;

// What loops and what comprehensions or pipelines go through.
fn rounds(file: &File<'_>, method: &Method<'_>) -> (Rounds, Rounds) {
    let (mut loops, mut pipes) = (Vec::new(), Vec::new());
    for (_, stmt) in file.unit.stmts().filter(|(_, stmt)| stmt.function == Some(method.id)) {
        if let StmtKind::Loop { iterable: Some(iterable), .. } = &stmt.kind {
            loops.push((plain(file, file.unit.expr(*iterable).span), file.unit.lines.line(stmt.span.start)));
        }
    }
    for (_, expr) in file.unit.exprs().filter(|(_, expr)| expr.function == Some(method.id)) {
        let line = file.unit.lines.line(expr.span.start);
        match &expr.kind {
            ExprKind::Comprehension { clauses, .. } => {
                let over = clauses.first().map(|clause| plain(file, file.unit.expr(clause.iterable).span));
                pipes.push((over.unwrap_or_default(), line));
            }
            ExprKind::Attribute { base, name, .. }
                if matches!(*name, "stream" | "forEach" | "map" | "filter") =>
            {
                pipes.push((plain(file, file.unit.expr(*base).span), line));
            }
            _ => {}
        }
    }
    (loops, pipes)
}
