//! The same said in another form: conditions that were turned round, split or joined, loops that became pipelines, classes
//! without a name that became lambdas.

use super::bodies::unnamed;
use super::declarations::{File, Method};
use super::pairs::Pair;
use super::{Draft, place, place_of_method};
use formicary_model::refactorings::RefactoringKind as Kind;
use formicary_syntax::{Dialect, ExprKind, Span, StmtKind};

/// Looks at one method.
pub fn changed(pair: &Pair<'_, '_>, out: &mut Vec<Draft>) {
    conditions(pair, out);
    rounds_changed(pair, out);
    if pair.right.unit.dialect == Dialect::Java {
        java(pair, out);
    }
}

struct Test {
    text: String,
    line: u32,
    ternary: bool,
}

fn conditions(pair: &Pair<'_, '_>, out: &mut Vec<Draft>) {
    let (old, new) = (tests(pair.left, pair.was), tests(pair.right, pair.is));
    let count = |list: &[Test], text: &str| list.iter().filter(|test| test.text == text).count();
    let gone: Vec<&Test> =
        old.iter().filter(|test| count(&new, &test.text) < count(&old, &test.text)).collect();
    let come: Vec<&Test> =
        new.iter().filter(|test| count(&old, &test.text) < count(&new, &test.text)).collect();
    let shown = pair.is.shown();
    let mut add = |kind, text: String, x: &Test, y: &Test, confidence| {
        let (p, q) = (place(pair.left, x.line, x.line, &x.text), place(pair.right, y.line, y.line, &y.text));
        out.push(Draft::new(kind, text, p, q, confidence).covering(&[x.line], &[y.line]));
    };
    for was in &gone {
        if let Some(is) = come.iter().find(|is| is.ternary == was.ternary && inverted(&was.text, &is.text)) {
            add(
                Kind::InvertCondition,
                format!("the condition {} was inverted in {shown}", was.text),
                was,
                is,
                0.85,
            );
        }
        let all = parts(&was.text);
        if all.len() > 1
            && let Some(first) = come.iter().find(|is| is.text == all[0])
            && all.iter().all(|part| come.iter().any(|is| is.text == *part))
        {
            add(
                Kind::SplitConditional,
                format!("the condition {} was split in {shown}", was.text),
                was,
                first,
                0.85,
            );
        }
    }
    for is in &come {
        let all = parts(&is.text);
        if all.len() > 1
            && let Some(first) = gone.iter().find(|was| was.text == all[0])
            && all.iter().all(|part| gone.iter().any(|was| was.text == *part))
        {
            add(
                Kind::MergeConditional,
                format!("conditions were merged into {} in {shown}", is.text),
                first,
                is,
                0.85,
            );
        }
    }
    for was in old.iter().filter(|test| !test.ternary) {
        let ifs = |list: &[Test]| list.iter().filter(|test| !test.ternary && test.text == was.text).count();
        let fresh =
            new.iter().find(|is| is.ternary && (is.text == was.text || inverted(&was.text, &is.text)));
        let had = old.iter().any(|test| test.ternary && test.text == was.text);
        if let Some(is) = fresh
            && ifs(&new) < ifs(&old)
            && !had
        {
            add(
                Kind::ConditionalToTernary,
                format!("{} chooses a value now in {shown}", is.text),
                was,
                is,
                0.85,
            );
        }
    }
}

fn plain(file: &File<'_>, span: Span) -> String {
    let mut words = file.words(span);
    while words.first() == Some(&"(") && words.last() == Some(&")") && closes_last(&words) {
        words = words[1..words.len() - 1].to_vec();
    }
    words.join(" ")
}

// Whether the first bracket is closed by the last.
fn closes_last(words: &[&str]) -> bool {
    let mut depth = 0;
    let inner = words.iter().take(words.len() - 1).map(|word| {
        depth += i32::from(*word == "(") - i32::from(*word == ")");
        depth
    });
    inner.into_iter().all(|depth| depth > 0)
}

fn tests(file: &File<'_>, method: &Method<'_>) -> Vec<Test> {
    let mut found = Vec::new();
    for id in file.statements_of(method.id) {
        let stmt = file.unit.stmt(*id);
        if let StmtKind::If { test, .. } = &stmt.kind {
            let text = plain(file, file.unit.expr(*test).span);
            found.push(Test { text, line: file.unit.lines.line(stmt.span.start), ternary: false });
        }
    }
    for (_, expr) in file.unit.exprs().filter(|(_, expr)| expr.function == Some(method.id)) {
        if let ExprKind::Conditional { test, .. } = &expr.kind {
            let text = plain(file, file.unit.expr(*test).span);
            found.push(Test { text, line: file.unit.lines.line(expr.span.start), ternary: true });
        }
    }
    found
}

const OPPOSITES: [(&str, &str); 6] = [
    (" == ", " != "),
    (" === ", " !== "),
    (" is not ", " is "),
    (" not in ", " in "),
    (" >= ", " < "),
    (" <= ", " > "),
];

fn inverted(a: &str, b: &str) -> bool {
    let compound = |text: &str| [" && ", " || ", " and ", " or "].iter().any(|word| text.contains(word));
    let negates = |long: &str, short: &str| {
        let rest = long.strip_prefix("! ").or_else(|| long.strip_prefix("not "));
        rest.is_some_and(|rest| {
            rest == short && !compound(rest)
                || rest.strip_prefix("( ").and_then(|rest| rest.strip_suffix(" )")) == Some(short)
        })
    };
    let flips = |x: &str, y: &str| {
        !compound(x)
            && OPPOSITES.iter().any(|(one, other)| {
                x.matches(one).count() == 1 && x.replacen(one, other, 1) == y
                    || x.matches(other).count() == 1 && x.replacen(other, one, 1) == y
            })
    };
    negates(a, b) || negates(b, a) || flips(a, b)
}

// What stands between `and`s or `or`s that no bracket holds.
fn parts(text: &str) -> Vec<String> {
    for words in [["&&", "and"], ["||", "or"]] {
        let (mut depth, mut found, mut last) = (0, Vec::new(), Vec::new());
        for word in text.split(' ') {
            depth += i32::from(matches!(word, "(" | "[")) - i32::from(matches!(word, ")" | "]"));
            if depth == 0 && words.contains(&word) {
                found.push(std::mem::take(&mut last));
            } else {
                last.push(word);
            }
        }
        found.push(last);
        if found.len() > 1 {
            return found.into_iter().map(unwrapped).collect();
        }
    }
    Vec::new()
}

fn unwrapped(words: Vec<&str>) -> String {
    if words.len() > 2 && words[0] == "(" && words.last() == Some(&")") && closes_last(&words) {
        words[1..words.len() - 1].join(" ")
    } else {
        words.join(" ")
    }
}

type Rounds = Vec<(String, u32)>;

fn rounds_changed(pair: &Pair<'_, '_>, out: &mut Vec<Draft>) {
    let (loops, pipes) = rounds(pair.left, pair.was);
    let (loops_now, pipes_now) = rounds(pair.right, pair.is);
    let gone = |a: &Rounds, b: &Rounds| -> Rounds {
        a.iter().filter(|(text, _)| !b.iter().any(|(other, _)| other == text)).cloned().collect()
    };
    let shown = pair.is.shown();
    for (kind, from, to) in [
        (Kind::LoopToComprehension, gone(&loops, &loops_now), gone(&pipes_now, &pipes)),
        (Kind::ComprehensionToLoop, gone(&pipes, &pipes_now), gone(&loops_now, &loops)),
    ] {
        for (over, line) in &from {
            // What is gone through is the same, under whatever it is wrapped in.
            let inner = |text: &str| text.split(" . ").next().unwrap_or(text).to_owned();
            let same = to.iter().find(|(other, _)| {
                other == over || inner(other) == inner(over) || from.len() == 1 && to.len() == 1
            });
            if let Some((_, now)) = same {
                let said = format!("going through {over} is written another way in {shown}");
                let (p, q) = (place(pair.left, *line, *line, over), place(pair.right, *now, *now, over));
                out.push(Draft::new(kind, said, p, q, 0.75).covering(&[*line], &[*now]));
                break;
            }
        }
    }
}

// What loops and what comprehensions or pipelines go through.
fn rounds(file: &File<'_>, method: &Method<'_>) -> (Rounds, Rounds) {
    let (mut loops, mut pipes) = (Vec::new(), Vec::new());
    for id in file.statements_of(method.id) {
        let stmt = file.unit.stmt(*id);
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
                if matches!(*name, "stream" | "forEach" | "map" | "filter" | "reduce" | "some" | "every") =>
            {
                pipes.push((plain(file, file.unit.expr(*base).span), line));
            }
            _ => {}
        }
    }
    (loops, pipes)
}

// Forms that only Java has, told from the words.
fn java(pair: &Pair<'_, '_>, out: &mut Vec<Draft>) {
    let (old, new) = (
        pair.left.words(pair.left.unit.function(pair.was.id).body_span),
        pair.right.words(pair.right.unit.function(pair.is.id).body_span),
    );
    let shown = pair.is.shown();
    let mut add = |kind, text: String, confidence| {
        let (p, q) = (place_of_method(pair.left, pair.was), place_of_method(pair.right, pair.is));
        out.push(Draft::new(kind, text, p, q, confidence));
    };
    let times =
        |words: &[&str], run: &[&str]| words.windows(run.len()).filter(|window| *window == run).count();
    if times(&new, &["try", "("]) > times(&old, &["try", "("])
        && times(&new, &["try", "{"]) < times(&old, &["try", "{"])
    {
        add(Kind::TryWithResources, format!("{shown} holds its resources in the try now"), 0.85);
    }
    if times(&new, &["assertThrows", "("]) > times(&old, &["assertThrows", "("])
        && (times(&new, &["fail", "("]) < times(&old, &["fail", "("]) || expects(pair))
    {
        add(Kind::AssertThrows, format!("{shown} asserts what is thrown"), 0.85);
    }
    let lambdas = |words: &[&str]| times(words, &["->"]) + times(words, &["::"]);
    if unnamed(&new, None) < unnamed(&old, None) && lambdas(&new) > lambdas(&old) {
        add(Kind::AnonymousToLambda, format!("a class without a name is a lambda now in {shown}"), 0.8);
    }
    diamonds(pair, &mut add);
    catches(&old, &new, &shown, &mut add);
}

fn expects(pair: &Pair<'_, '_>) -> bool {
    let said = |file: &File<'_>, method: &Method<'_>| {
        let list = super::heads::annotations(file, &file.unit.function(method.id).decorators);
        list.iter().any(|annotation| annotation.contains("expected="))
    };
    said(pair.left, pair.was) && !said(pair.right, pair.is)
}

fn diamonds(pair: &Pair<'_, '_>, add: &mut impl FnMut(Kind, String, f64)) {
    let has = |words: &[&str]| words.windows(2).any(|two| two == ["<", ">"]);
    for (i, j) in &pair.edited {
        let (x, y) = (pair.left.words_of(&pair.was.body[*i]), pair.right.words_of(&pair.is.body[*j]));
        if has(&y) && !has(&x) && y.contains(&"new") && x.contains(&"new") && x.len() > y.len() {
            let text = format!("{} leaves its type to the compiler in {}", y.join(" "), pair.is.shown());
            add(Kind::GenericToDiamond, text, 0.85);
        }
    }
}

fn catches(old: &[&str], new: &[&str], shown: &str, add: &mut impl FnMut(Kind, String, f64)) {
    let read = |words: &[&str]| -> Vec<Vec<String>> {
        let heads = words.windows(2).enumerate().filter(|(_, two)| two[0] == "catch" && two[1] == "(");
        heads
            .map(|(at, _)| {
                let inside = words[at + 2..].iter().take_while(|word| **word != ")");
                inside.filter(|word| **word != "final").map(|word| (*word).to_owned()).collect::<Vec<_>>()
            })
            .map(|inside| inside[..inside.len().saturating_sub(1)].to_vec())
            .collect()
    };
    let (was, is) = (read(old), read(new));
    for types in is.iter().filter(|types| types.contains(&"|".to_owned()) && !was.contains(types)) {
        let all: Vec<&[String]> = types.split(|word| word == "|").collect();
        if all.iter().all(|one| was.iter().any(|other| other == one)) {
            add(Kind::MergeCatch, format!("{} are caught together in {shown}", types.concat()), 0.85);
        }
    }
}
