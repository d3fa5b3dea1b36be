//! Operators within bodies.

use super::Label;
use super::state::{Chance, Place, State};
use formicary_clones::tokens::{Class, tokens};
use formicary_model::refactorings::RefactoringKind as Kind;
use formicary_syntax::{Declares, Dialect, ExprKind, StmtKind, parse};
use std::collections::BTreeSet;

/// How often a word stands in a text.
pub fn times(dialect: Dialect, text: &str, name: &str) -> usize {
    tokens(dialect, text)
        .iter()
        .filter(|token| &text[token.start as usize..token.end as usize] == name)
        .count()
}

// Variables of a method that can be renamed by their words alone.
fn variables(dialect: Dialect, place: &Place, text: &str) -> Vec<String> {
    let unit = parse(dialect, text);
    let body = &text[place.body.0..place.body.1];
    let mut found = BTreeSet::new();
    for (_, stmt) in unit.stmts() {
        let inside = stmt.span.start as usize >= place.body.0 && (stmt.span.end as usize) <= place.body.1;
        let StmtKind::Assign { targets, operator: None, declares, .. } = &stmt.kind else { continue };
        let [target] = targets.as_slice() else { continue };
        let owned = stmt.function.is_some_and(|id| unit.function(id).name == place.name);
        if !inside || !owned || dialect != Dialect::Python && *declares == Declares::Nothing {
            continue;
        }
        if let ExprKind::Name(name) = unit.kind(*target) {
            found.insert((*name).to_owned());
        }
    }
    let outside = |name: &str| {
        times(dialect, text, name) - times(dialect, body, name)
            + place.parameters.iter().filter(|p| p.0 == name).count()
    };
    found
        .into_iter()
        .filter(|name| {
            name.len() > 1
                && times(dialect, body, name) >= 2
                && outside(name) == 0
                && !body.contains(&format!("{name}="))
                && !body.contains(&format!("{name}:"))
                && !body.contains(&format!(".{name}"))
                && !body.contains(&format!("global {name}"))
                && !body.contains(&format!("nonlocal {name}"))
        })
        .collect()
}

/// Another name for a variable.
pub fn rename_variable(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    let dialect = state.dialect;
    let place = state.method(chance, |place, text| !variables(dialect, place, text).is_empty())?;
    let all = variables(dialect, &place, &state.files[place.file].1);
    let name = all.get(chance.below(all.len()))?.clone();
    let new = state.fresh("local");
    state.rename(place.file, place.body, &name, &new, false);
    state.used.insert(place.name.clone());
    Some(vec![Label::new(Kind::RenameVariable, &name, &new)])
}

// Runs of lines, each one plain statement, at one depth.
fn runs(dialect: Dialect, place: &Place, text: &str) -> Vec<(usize, usize)> {
    let body = &text[place.body.0..place.body.1];
    let simple: BTreeSet<usize> =
        super::state::simple_lines(dialect, text).into_iter().map(|(line, _)| line).collect();
    let first = text[..place.body.0].matches('\n').count();
    let lines = body.matches('\n').count() + 1;
    let all: Vec<&str> = text.lines().collect();
    let depth = |line: usize| all[line].len() - all[line].trim_start().len();
    let mut found = Vec::new();
    let mut at = first;
    while at < first + lines && at < all.len() {
        let mut end = at;
        while end < first + lines
            && end < all.len()
            && simple.contains(&end)
            && depth(end) == depth(at)
            && end < at + 5
        {
            end += 1;
        }
        let words: usize = (at..end).map(|line| tokens(dialect, all[line]).len()).sum();
        if end >= at + 3
            && words >= 20
            && end - at < lines * 2 / 3
            && !all[at..end].iter().any(|line| line.contains("super"))
        {
            found.push((at, end));
        }
        at = end.max(at + 1);
    }
    found
}

/// Some statements become a method of their own.
pub fn extract_method(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    let dialect = state.dialect;
    let place = state.method(chance, |place, text| !runs(dialect, place, text).is_empty())?;
    let text = state.files[place.file].1.clone();
    let all = runs(dialect, &place, &text);
    let (from, to) = *all.get(chance.below(all.len()))?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let start: usize = lines[..from].iter().map(|line| line.len()).sum();
    let end: usize = start + lines[from..to].iter().map(|line| line.len()).sum::<usize>();
    let own = text[place.lines.0..].len() - text[place.lines.0..].trim_start().len();
    let (outer, inner) = (" ".repeat(own), " ".repeat(own + 4));
    let indent = lines[from].len() - lines[from].trim_start().len();
    let moved: String = lines[from..to].iter().map(|line| format!("{inner}{}", line.trim_start())).collect();
    let wrote: Vec<&str> = lines[from..to]
        .iter()
        .filter_map(|line| line.trim().split_once(" = "))
        .map(|(name, _)| name)
        .filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
        .collect();
    let result = wrote.last().filter(|name| text[end..place.body.1].contains(*name));
    let name = state.fresh("prepare");
    let method = place.owner.is_some();
    let takes: Vec<&str> =
        place.parameters.iter().map(|p| p.0.as_str()).filter(|p| *p != "self" && *p != "cls").collect();
    let (call, head, tail) = match dialect {
        Dialect::Python => {
            let holder = if method { "self." } else { "" };
            let first = if method { vec!["self"] } else { Vec::new() };
            (
                format!("{holder}{name}({})", takes.join(", ")),
                format!(
                    "\n{outer}def {name}({}):\n",
                    first.iter().chain(&takes).copied().collect::<Vec<_>>().join(", ")
                ),
                result.map(|result| format!("{inner}return {result}\n")).unwrap_or_default(),
            )
        }
        Dialect::Java => (
            format!("{name}({});", takes.join(", ")),
            format!(
                "\n{outer}private void {name}({}) {{\n",
                takes.iter().map(|name| format!("Object {name}")).collect::<Vec<_>>().join(", ")
            ),
            format!("{outer}}}\n"),
        ),
        _ => {
            let (word, holder) = if method { ("", "this.") } else { ("function ", "") };
            (
                format!("{holder}{name}({});", takes.join(", ")),
                format!("\n{outer}{word}{name}({}) {{\n", takes.join(", ")),
                format!("{outer}}}\n"),
            )
        }
    };
    let given = match (dialect, result) {
        (Dialect::Python, Some(result)) => format!("{result} = "),
        _ => String::new(),
    };
    let call = format!("{}{given}{call}\n", " ".repeat(indent));
    state.edit(
        place.file,
        vec![(start, end, call), (place.lines.1, place.lines.1, format!("{head}{moved}{tail}"))],
    );
    state.used.extend([place.name.clone(), name.clone()]);
    Some(vec![Label::new(Kind::ExtractMethod, &place.name, &name)])
}

// Arguments of plain statements that are calls or sums: the line's start, the value's place.
fn values(dialect: Dialect, place: &Place, text: &str) -> Vec<(usize, usize, usize)> {
    let unit = parse(dialect, text);
    let mut found = Vec::new();
    for (_, stmt) in unit.stmts() {
        let inside = stmt.span.start as usize >= place.body.0 && (stmt.span.end as usize) <= place.body.1;
        let whole = matches!(
            &stmt.kind,
            StmtKind::Expression(_) | StmtKind::Assign { .. } | StmtKind::Return(Some(_))
        );
        let line = unit.lines.start(unit.lines.line(stmt.span.start)) as usize;
        let alone = text[line..stmt.span.start as usize].trim().is_empty();
        let owned = stmt.function.is_some_and(|id| unit.function(id).name == place.name);
        if !inside
            || !whole
            || !alone
            || !owned
            || text[stmt.span.start as usize..stmt.span.end as usize].contains('\n')
        {
            continue;
        }
        for (_, expr) in unit.exprs() {
            let (from, to) = (expr.span.start as usize, expr.span.end as usize);
            if from <= stmt.span.start as usize || to > stmt.span.end as usize || expr.span == stmt.span {
                continue;
            }
            let argument = text[..from].ends_with(['(', ' '])
                && text[to..].starts_with([')', ','])
                && text[..from].trim_end().ends_with(['(', ',']);
            let large = tokens(dialect, &text[from..to]).len() >= 4;
            if argument
                && large
                && matches!(expr.kind, ExprKind::Call { .. } | ExprKind::Binary { .. })
                && !text[line..from].contains("lambda")
                && !text[line..from].contains(" for ")
                && !text[line..from].contains("=>")
                && !text[line..from].contains("->")
            {
                found.push((line, from, to));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A value gets a name.
pub fn extract_variable(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    let dialect = state.dialect;
    let place = state.method(chance, |place, text| !values(dialect, place, text).is_empty())?;
    let text = state.files[place.file].1.clone();
    let all = values(dialect, &place, &text);
    let (line, from, to) = *all.get(chance.below(all.len()))?;
    let indent = &text[line..line + (text[line..].len() - text[line..].trim_start().len())];
    let name = state.fresh("value");
    let value = &text[from..to];
    let declared = match dialect {
        Dialect::Python => format!("{indent}{name} = {value}\n"),
        Dialect::Java => format!("{indent}String {name} = {value};\n"),
        _ => format!("{indent}const {name} = {value};\n"),
    };
    state.edit(place.file, vec![(line, line, declared), (from, to, name.clone())]);
    state.used.insert(place.name.clone());
    Some(vec![Label::new(Kind::ExtractVariable, &place.name, &name)])
}

// The questions of a method: where they stand, without brackets.
fn questions(dialect: Dialect, place: &Place, text: &str) -> Vec<(usize, usize)> {
    let unit = parse(dialect, text);
    let mut found = Vec::new();
    for (_, stmt) in unit.stmts() {
        let inside = stmt.span.start as usize >= place.body.0 && (stmt.span.end as usize) <= place.body.1;
        if let StmtKind::If { test, elif: false, otherwise, .. } = &stmt.kind
            && inside
            && otherwise.is_empty()
            && stmt.function.is_some_and(|id| unit.function(id).name == place.name)
        {
            let span = unit.expr(*test).span;
            let (mut from, mut to) = (span.start as usize, span.end as usize);
            if text[from..to].starts_with('(') && text[from..to].ends_with(')') && dialect != Dialect::Python
            {
                (from, to) = (from + 1, to - 1);
            }
            let body = &text[place.body.0..place.body.1];
            if body.matches(&text[from..to]).count() == 1 && !text[from..to].contains(['\n', '(']) {
                found.push((from, to));
            }
        }
    }
    found
}

/// A question is asked the other way round.
pub fn invert(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    let dialect = state.dialect;
    let fits = |text: &str, range: &(usize, usize)| {
        text[range.0..range.1].matches(" == ").count() == 1
            && tokens(dialect, &text[range.0..range.1]).iter().all(|t| {
                t.class != Class::Keyword
                    || !matches!(&text[range.0..range.1][t.start as usize..t.end as usize], "and" | "or")
            })
            && !text[range.0..range.1].contains(['&', '|'])
    };
    let all = |place: &Place, text: &str| {
        questions(dialect, place, text).into_iter().filter(|range| fits(text, range)).collect::<Vec<_>>()
    };
    let place = state.method(chance, |place, text| !all(place, text).is_empty())?;
    let text = state.files[place.file].1.clone();
    let (from, to) = *all(&place, &text).first()?;
    state.edit(place.file, vec![(from, to, text[from..to].replacen(" == ", " != ", 1))]);
    state.used.insert(place.name.clone());
    Some(vec![Label::new(Kind::InvertCondition, "", "")])
}
