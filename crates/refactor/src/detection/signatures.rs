//! What happened to signatures: names, parameters, results, words before a declaration.

use super::declarations::{File, Method, Parameter};
use super::heads::{self, Head};
use super::pairs::Pair;
use super::{Draft, place, place_of_method, squeezed};
use formicary_model::refactorings::RefactoringKind as Kind;
use formicary_syntax::{ClassKind, Dialect, Owner, Span};
use rustc_hash::FxHashSet;

/// Looks at one method.
pub fn changed(pair: &Pair<'_, '_>, out: &mut Vec<Draft>) {
    parameters(pair, out);
    result(pair, out);
    let (was, is) = (pair.was, pair.is);
    let (old, new) = (pair.left.unit.function(was.id), pair.right.unit.function(is.id));
    let mut add = |kind: Kind, text: String, confidence: f64| {
        let (x, y) = (place_of_method(pair.left, was), place_of_method(pair.right, is));
        let (a, b) =
            (pair.left.unit.lines.line(old.name_span.start), pair.right.unit.lines.line(new.name_span.start));
        out.push(Draft::new(kind, text, x, y, confidence).covering(&[a], &[b]));
    };
    for (kind, text) in
        heads::changes(&heads::METHOD, &head(pair.left, was), &head(pair.right, is), &is.shown())
    {
        add(kind, text, 0.95);
    }
    let (x, y) = (thrown(pair.left, was), thrown(pair.right, is));
    let gone: Vec<&String> = x.iter().filter(|name| !y.contains(name)).collect();
    let come: Vec<&String> = y.iter().filter(|name| !x.contains(name)).collect();
    if !gone.is_empty() && !come.is_empty() {
        add(Kind::ChangeThrownException, format!("what {} throws changed", is.shown()), 0.95);
    } else {
        for name in come {
            add(Kind::AddThrownException, format!("{} throws {name} too", is.shown()), 0.95);
        }
        for name in gone {
            add(Kind::RemoveThrownException, format!("{} throws {name} no more", is.shown()), 0.95);
        }
    }
}

fn result(pair: &Pair<'_, '_>, out: &mut Vec<Draft>) {
    if let (Some(x), Some(y)) = (pair.was.returns, pair.is.returns)
        && squeezed(x) != squeezed(y)
    {
        let line = |file: &File<'_>, method: &Method<'_>| {
            file.unit.lines.line(file.unit.function(method.id).name_span.start)
        };
        let text = format!("{} gives {y}, gave {x}", pair.is.shown());
        let (p, q) = (place_of_method(pair.left, pair.was), place_of_method(pair.right, pair.is));
        out.push(
            Draft::new(Kind::ChangeReturnType, text, p, q, 0.95)
                .retyping(x, y)
                .covering(&[line(pair.left, pair.was)], &[line(pair.right, pair.is)]),
        );
    }
}

fn head(file: &File<'_>, method: &Method<'_>) -> Head {
    let function = file.unit.function(method.id);
    let span = Span { start: function.span.start, end: function.name_span.start.max(function.span.start) };
    let mut head = heads::within(file, span);
    head.annotations = heads::annotations(file, &function.decorators);
    // What an interface promises is public without the word.
    if let Owner::Class(owner) = function.owner
        && file.unit.dialect == Dialect::Java
        && file.unit.class(owner).kind == ClassKind::Interface
        && head.access.is_empty()
    {
        "public".clone_into(&mut head.access);
    }
    // `const f = () => …` is a declaration, no constant method.
    head.modifiers.retain(|word| word != "const" || file.unit.dialect == Dialect::Rust);
    head
}

// Java's `throws`, between the parameters and the body.
fn thrown(file: &File<'_>, method: &Method<'_>) -> Vec<String> {
    if file.unit.dialect != Dialect::Java {
        return Vec::new();
    }
    let function = file.unit.function(method.id);
    let end = if function.has_body { function.body_span.start } else { function.span.end };
    let words = file.words(Span { start: function.name_span.start, end: end.max(function.name_span.end) });
    let Some(at) = words.iter().position(|word| *word == "throws") else { return Vec::new() };
    let list = words[at + 1..].split(|word| *word == ",").map(|name| {
        let name: Vec<&str> = name.iter().copied().filter(|word| !matches!(*word, ";" | "{")).collect();
        name.concat()
    });
    let mut names: Vec<String> = list.filter(|name| !name.is_empty()).collect();
    names.sort();
    names
}

fn parameters(pair: &Pair<'_, '_>, out: &mut Vec<Draft>) {
    let (was, is) = (pair.was, pair.is);
    let has = |list: &[Parameter<'_>], name: &str| list.iter().any(|parameter| parameter.name == name);
    let mut gone: Vec<&Parameter<'_>> =
        was.parameters.iter().filter(|p| !has(&is.parameters, p.name)).collect();
    let mut come: Vec<&Parameter<'_>> =
        is.parameters.iter().filter(|p| !has(&was.parameters, p.name)).collect();
    let renamed = renamed(pair, &gone, &come);
    let mut teller = Teller { pair, out };
    let shown = is.shown();
    for (x, y) in &renamed {
        teller.tell(
            Kind::RenameParameter,
            format!("{} is now {} in {shown}", x.name, y.name),
            Some(x),
            Some(y),
        );
        teller.same(x, y);
    }
    gone.retain(|p| !renamed.iter().any(|(x, _)| x.name == p.name));
    come.retain(|p| !renamed.iter().any(|(_, y)| y.name == p.name));
    // `x, y` that became `point`, read as `point.x` and `point.getY()`.
    if gone.len() >= 2 && come.len() == 1 && gone.iter().all(|p| reads(pair.right, is, come[0].name, p.name))
    {
        let names: Vec<&str> = gone.iter().map(|p| p.name).collect();
        let text = format!("{} are now {} in {shown}", names.join(", "), come[0].name);
        teller.tell(Kind::MergeParameter, text, Some(gone[0]), Some(come[0]));
        (gone, come) = (Vec::new(), Vec::new());
    } else if come.len() >= 2
        && gone.len() == 1
        && come.iter().all(|p| reads(pair.left, was, gone[0].name, p.name))
    {
        let names: Vec<&str> = come.iter().map(|p| p.name).collect();
        let text = format!("{} is now {} in {shown}", gone[0].name, names.join(", "));
        teller.tell(Kind::SplitParameter, text, Some(gone[0]), Some(come[0]));
        (gone, come) = (Vec::new(), Vec::new());
    }
    for parameter in &come {
        teller.tell(
            Kind::AddParameter,
            format!("{} was added to {shown}", parameter.name),
            None,
            Some(parameter),
        );
    }
    for parameter in &gone {
        teller.tell(
            Kind::RemoveParameter,
            format!("{} was removed from {shown}", parameter.name),
            Some(parameter),
            None,
        );
    }
    let mut kept: Vec<(usize, usize)> = Vec::new();
    for (i, x) in was.parameters.iter().enumerate() {
        if let Some(j) = is.parameters.iter().position(|y| y.name == x.name) {
            teller.same(x, &is.parameters[j]);
            kept.push((i, j));
        } else if let Some((_, y)) = renamed.iter().find(|(old, _)| old.name == x.name) {
            kept.extend(is.parameters.iter().position(|other| other.name == y.name).map(|j| (i, j)));
        }
    }
    if kept.windows(2).any(|two| two[0].1 > two[1].1) {
        teller.tell(Kind::ReorderParameters, format!("the parameters of {shown} changed places"), None, None);
    }
}

struct Teller<'t, 'p, 'v, 'a> {
    pair: &'p Pair<'v, 'a>,
    out: &'t mut Vec<Draft>,
}

impl Teller<'_, '_, '_, '_> {
    fn tell(&mut self, kind: Kind, text: String, x: Option<&Parameter<'_>>, y: Option<&Parameter<'_>>) {
        let line = |file: &File<'_>, parameter: &Parameter<'_>| file.unit.lines.line(parameter.span.start);
        let of = |file, parameter: Option<&Parameter<'_>>, method| match parameter {
            Some(parameter) => place(file, line(file, parameter), line(file, parameter), parameter.name),
            None => place_of_method(file, method),
        };
        let lines = |file: &File<'_>, method: &Method<'_>, parameter: Option<&Parameter<'_>>| -> Vec<u32> {
            let name = file.unit.lines.line(file.unit.function(method.id).name_span.start);
            parameter.map(|parameter| line(file, parameter)).into_iter().chain([name]).collect()
        };
        let (left, right) = (self.pair.left, self.pair.right);
        let (old, new) = (of(left, x, self.pair.was), of(right, y, self.pair.is));
        let made = Draft::new(kind, text, old, new, 0.95)
            .covering(&lines(left, self.pair.was, x), &lines(right, self.pair.is, y));
        self.out.push(match (kind, x, y) {
            (Kind::RenameParameter, Some(x), Some(y)) => made.renaming(x.name, y.name),
            (Kind::ChangeParameterType, Some(x), Some(y)) => {
                made.retyping(x.kind.unwrap_or_default(), y.kind.unwrap_or_default())
            }
            _ => made,
        });
    }

    // What else changed at a parameter that is still there.
    fn same(&mut self, x: &Parameter<'_>, y: &Parameter<'_>) {
        let shown = self.pair.is.shown();
        if let (Some(a), Some(b)) = (x.kind, y.kind)
            && squeezed(a) != squeezed(b)
        {
            let text = format!("{} is {b}, was {a}, in {shown}", y.name);
            self.tell(Kind::ChangeParameterType, text, Some(x), Some(y));
        }
        let (old, new) =
            (self.head(self.pair.left, self.pair.was, x), self.head(self.pair.right, self.pair.is, y));
        for (kind, text) in heads::changes(&heads::PARAMETER, &old, &new, &format!("{} of {shown}", y.name)) {
            self.tell(kind, text, Some(x), Some(y));
        }
    }

    fn head(&self, file: &File<'_>, method: &Method<'_>, parameter: &Parameter<'_>) -> Head {
        if file.unit.dialect == Dialect::Java {
            return heads::before_name(file, parameter.span.start);
        }
        let own = file.unit.function(method.id).parameters.get(parameter.index);
        let annotations = own.map(|own| heads::annotations(file, &own.decorators)).unwrap_or_default();
        Head { annotations, ..Head::default() }
    }
}

// Whether a method reads `holder.part` or `holder.getPart()`.
fn reads(file: &File<'_>, method: &Method<'_>, holder: &str, part: &str) -> bool {
    let words = file.words(file.unit.function(method.id).body_span);
    words.windows(3).any(|three| {
        three[0] == holder
            && three[1] == "."
            && (three[2] == part
                || three[2].strip_prefix("get").is_some_and(|rest| rest.eq_ignore_ascii_case(part)))
    })
}

// A new name that stands where the old one stood in the body; where the body tells nothing, at the place of the old one
// and with its type.
fn renamed<'p, 'a>(
    pair: &Pair<'_, 'a>,
    gone: &[&'p Parameter<'a>],
    come: &[&'p Parameter<'a>],
) -> Vec<(&'p Parameter<'a>, &'p Parameter<'a>)> {
    let (was, is) = (pair.was, pair.is);
    let mut found: Vec<(&'p Parameter<'a>, &'p Parameter<'a>)> = Vec::new();
    let mut used: FxHashSet<&str> = FxHashSet::default();
    let mut left: Vec<&'p Parameter<'a>> = Vec::new();
    for x in gone {
        let to = pair
            .called_now(x.name)
            .and_then(|(to, _)| come.iter().find(|y| y.name == to && !used.contains(to)));
        match to {
            Some(y) => {
                used.insert(y.name);
                found.push((*x, *y));
            }
            None => left.push(*x),
        }
    }
    let uses = |file: &File<'_>, method: &Method<'_>, name: &str| {
        let span = file.unit.function(method.id).body_span;
        file.within(span).iter().filter(|token| file.word(token) == name).count()
    };
    let place = |list: &[Parameter<'_>], name: &str| list.iter().position(|p| p.name == name);
    for x in left {
        let mentioned = pair.renamed.contains_key(x.name);
        let best = come.iter().filter(|y| !used.contains(y.name)).find(|y| {
            let same_place = place(&was.parameters, x.name) == place(&is.parameters, y.name);
            let arity = was.parameters.len() == is.parameters.len();
            let same_type = x.kind.map(squeezed) == y.kind.map(squeezed);
            let typed = x.kind.is_some() && same_type;
            let (reads, now) = (uses(pair.left, was, x.name), uses(pair.right, is, y.name));
            let alike = reads.min(now) * 2 >= reads.max(now);
            // With its type alone among those that are gone and those that are new.
            let alone = gone.iter().filter(|p| p.kind == x.kind).count() == 1
                && come.iter().filter(|p| p.kind == y.kind).count() == 1;
            !mentioned
                && alike
                && (typed && (same_place || alone)
                    || same_place && arity && (same_type || reads > 0 || x.kind.is_some()))
        });
        if let Some(y) = best {
            used.insert(y.name);
            found.push((x, *y));
        }
    }
    found
}
