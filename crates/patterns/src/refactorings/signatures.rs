//! What happened to signatures: names, parameters, results, words before a declaration.

use super::declarations::{Method, Parameter, Version};
use super::{Draft, method_place, place};
use formicary_model::refactorings::RefactoringKind as Kind;
use formicary_syntax::{ExprId, Unit};
use rustc_hash::FxHashSet;

/// Looks at one pair of methods.
pub fn changed(
    before: &Version<'_>,
    was: &Method<'_>,
    after: &Version<'_>,
    is: &Method<'_>,
    out: &mut Vec<Draft>,
) {
    parameters(before, was, after, is, out);
    let (left, right) = (before.file_of(was), after.file_of(is));
    let (old, new) = (left.unit.function(was.id), right.unit.function(is.id));
    let mut add = |kind: Kind, text: String, confidence: f64| {
        let (x, y) = (method_place(before, was), method_place(after, is));
        let (a, b) = (left.unit.lines.line(old.name_span.start), right.unit.lines.line(new.name_span.start));
        out.push(Draft::new(kind, text, x, y, confidence).covering(&[a], &[b]));
    };
    if was.returns.map(squeezed) != is.returns.map(squeezed)
        && (was.returns.is_some() && is.returns.is_some())
    {
        let (x, y) = (was.returns.unwrap_or("nothing"), is.returns.unwrap_or("nothing"));
        add(Kind::ChangeReturnType, format!("{} gives {y}, gave {x}", is.shown()), 0.95);
    }
    let (x, y) = (annotations(&left.unit, &old.decorators), annotations(&right.unit, &new.decorators));
    for name in y.iter().filter(|name| !x.contains(*name)) {
        add(Kind::AddAnnotation, format!("{name} was added to {}", is.shown()), 0.95);
    }
    for name in x.iter().filter(|name| !y.contains(*name)) {
        add(Kind::RemoveAnnotation, format!("{name} was removed from {}", is.shown()), 0.95);
    }
    let words = |m: &formicary_syntax::Modifiers| {
        [m.public, m.private, m.is_static, m.constant, m.is_abstract, m.is_async]
    };
    // Python's underscore and Go's capital belong to the name.
    let spelled = was.name != is.name;
    if words(&old.modifiers) != words(&new.modifiers) && !spelled {
        add(Kind::ChangeModifier, format!("the modifiers of {} changed", is.shown()), 0.9);
    }
    let (x, y) = (thrown(before, was), thrown(after, is));
    if x != y {
        add(Kind::ChangeThrownException, format!("what {} throws changed", is.shown()), 0.9);
    }
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn annotations(unit: &Unit<'_>, list: &[ExprId]) -> Vec<String> {
    list.iter()
        .map(|id| format!("@{}", squeezed(unit.text(unit.expr(*id).span).trim_start_matches('@'))))
        .collect()
}

// Java's `throws`, between the parameters and the body.
fn thrown(version: &Version<'_>, method: &Method<'_>) -> Vec<String> {
    let file = version.file_of(method);
    let function = file.unit.function(method.id);
    let head = formicary_syntax::Span {
        start: function.name_span.start,
        end: function.body_span.start.max(function.name_span.end),
    };
    let words: Vec<&str> = file.within(head).iter().map(|token| file.word(token)).collect();
    let Some(at) = words.iter().position(|word| *word == "throws") else { return Vec::new() };
    let mut names: Vec<String> = words[at + 1..]
        .iter()
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic()))
        .map(|word| (*word).to_owned())
        .collect();
    names.sort();
    names
}

fn parameters(
    before: &Version<'_>,
    was: &Method<'_>,
    after: &Version<'_>,
    is: &Method<'_>,
    out: &mut Vec<Draft>,
) {
    let (left, right) = (before.file_of(was), after.file_of(is));
    let line = |file: &super::declarations::File<'_>, parameter: &Parameter<'_>| {
        file.unit.lines.line(parameter.span.start)
    };
    let mut draft =
        |kind: Kind, text: String, x: Option<&Parameter<'_>>, y: Option<&Parameter<'_>>, confidence: f64| {
            let of = |file, parameter: Option<&Parameter<'_>>, whole| match parameter {
                Some(parameter) => place(file, line(file, parameter), line(file, parameter), parameter.name),
                None => whole,
            };
            let a = of(left, x, method_place(before, was));
            let b = of(right, y, method_place(after, is));
            let (old, new) =
                (left.unit.function(was.id).name_span.start, right.unit.function(is.id).name_span.start);
            let gone: Vec<u32> =
                [Some(left.unit.lines.line(old)), x.map(|x| line(left, x))].into_iter().flatten().collect();
            let come: Vec<u32> =
                [Some(right.unit.lines.line(new)), y.map(|y| line(right, y))].into_iter().flatten().collect();
            let mut made = Draft::new(kind, text, a, b, confidence).covering(&gone, &come);
            if let (Kind::RenameParameter, Some(x), Some(y)) = (kind, x, y) {
                made = made.renaming(x.name, y.name);
            }
            out.push(made);
        };
    let has = |list: &[Parameter<'_>], name: &str| list.iter().any(|parameter| parameter.name == name);
    let mut gone: Vec<&Parameter<'_>> =
        was.parameters.iter().filter(|p| !has(&is.parameters, p.name)).collect();
    let mut come: Vec<&Parameter<'_>> =
        is.parameters.iter().filter(|p| !has(&was.parameters, p.name)).collect();
    let renamed = renamed(was, is, &gone, &come, before, after);
    for (x, y) in &renamed {
        let text = format!("{} is now {} in {}", x.name, y.name, is.shown());
        draft(Kind::RenameParameter, text, Some(x), Some(y), 0.9);
        if let (Some(a), Some(b)) = (x.kind, y.kind)
            && squeezed(a) != squeezed(b)
        {
            let text = format!("{} is {b}, was {a}, in {}", y.name, is.shown());
            draft(Kind::ChangeParameterType, text, Some(x), Some(y), 0.9);
        }
    }
    gone.retain(|p| !renamed.iter().any(|(x, _)| x.name == p.name));
    come.retain(|p| !renamed.iter().any(|(_, y)| y.name == p.name));
    for parameter in &come {
        let text = format!("{} was added to {}", parameter.name, is.shown());
        draft(Kind::AddParameter, text, None, Some(parameter), 0.95);
    }
    for parameter in &gone {
        let text = format!("{} was removed from {}", parameter.name, is.shown());
        draft(Kind::RemoveParameter, text, Some(parameter), None, 0.95);
    }
    let kept: Vec<(&Parameter<'_>, &Parameter<'_>)> = was
        .parameters
        .iter()
        .filter_map(|x| is.parameters.iter().find(|y| y.name == x.name).map(|y| (x, y)))
        .collect();
    for (x, y) in &kept {
        if let (Some(a), Some(b)) = (x.kind, y.kind)
            && squeezed(a) != squeezed(b)
        {
            let text = format!("{} is {b}, was {a}, in {}", y.name, is.shown());
            draft(Kind::ChangeParameterType, text, Some(x), Some(y), 0.95);
        }
    }
    let order = |list: &[Parameter<'_>]| -> Vec<String> {
        let names = list.iter().filter(|p| kept.iter().any(|(x, _)| x.name == p.name));
        names.map(|p| p.name.to_owned()).collect()
    };
    if order(&was.parameters) != order(&is.parameters) {
        draft(
            Kind::ReorderParameters,
            format!("the parameters of {} changed places", is.shown()),
            None,
            None,
            0.95,
        );
    }
}

// A new name at the place of an old one, with its type, that is read where the old one was read.
fn renamed<'p, 'a, 'b>(
    was: &Method<'a>,
    is: &Method<'b>,
    gone: &[&'p Parameter<'a>],
    come: &[&'p Parameter<'b>],
    before: &Version<'_>,
    after: &Version<'_>,
) -> Vec<(&'p Parameter<'a>, &'p Parameter<'b>)> {
    let mut found = Vec::new();
    let mut used: FxHashSet<&str> = FxHashSet::default();
    let uses = |version: &Version<'_>, method: &Method<'_>, name: &str| {
        let file = version.file_of(method);
        file.within(file.unit.function(method.id).body_span).iter().filter(|t| file.word(t) == name).count()
    };
    for x in gone {
        let place = |list: &[Parameter<'_>], name: &str| list.iter().position(|p| p.name == name);
        let best = come.iter().filter(|y| !used.contains(y.name)).find(|y| {
            let same_place = place(&was.parameters, x.name) == place(&is.parameters, y.name);
            let same_type = x.kind.map(squeezed) == y.kind.map(squeezed);
            let (reads, now) = (uses(before, was, x.name), uses(after, is, y.name));
            let alike = reads.min(now) * 2 >= reads.max(now);
            (same_place && (same_type || x.kind.is_some())
                || same_type && x.kind.is_some() && gone.len() == 1 && come.len() == 1)
                && alike
                && (same_type || reads > 0)
        });
        if let Some(y) = best {
            used.insert(y.name);
            found.push((*x, *y));
        }
    }
    found
}
