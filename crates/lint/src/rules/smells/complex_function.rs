//! A function that is hard to follow, with the step that would make it easier.

use crate::file::{File, Report};
use crate::metrics::complexity_of;
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Severity, Step};
use formicary_syntax::{ExprKind, Function, Literal, Operator, StmtId, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "complex-function",
    title: "A function that is hard to follow",
    why: "Every branch multiplies the cases that a reader and a test must have in mind.",
    suggestion: "Move a block into a function of its own, leave early, or look the answer up in a table.",
    category: Category::Complexity,
    severity: Severity::Medium,
    cwe: Some(1121),
    languages: ALL,
    examples: &[(
        Language::Python,
        "def f(a):\n    for b in a:\n        if b == 1:\n            for c in b:\n                if c == 1 or c == 2 and a:\n                    while c:\n                        if c and a or b:\n                            c = 1\n                        elif a:\n                            c = 2\n                        elif b:\n                            c = 3\n                        else:\n                            c = 4\n        elif b == 2:\n            return 1\n        elif b == 3:\n            return 2\n",
        "def f(a):\n    return [b for b in a if b]\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let limits = file.options.limits;
    for (id, metrics) in file.functions {
        if metrics.cyclomatic <= limits.cyclomatic && metrics.cognitive <= limits.cognitive {
            continue;
        }
        // A flat list of checks has many ways through it and nothing to follow.
        let flat = metrics.cognitive <= limits.cognitive / 4;
        if flat && file.is_test() {
            continue;
        }
        let function = file.unit.function(*id);
        let advice = advice(file, function);
        let message = format!(
            "`{}` has a cyclomatic complexity of {} and a cognitive one of {}",
            metrics.name, metrics.cyclomatic, metrics.cognitive
        );
        let finding = report.find(function.name_span, message);
        if metrics.cyclomatic > 2 * limits.cyclomatic && !flat || metrics.cognitive > 2 * limits.cognitive {
            finding.severity = Severity::High;
        }
        finding.related = advice;
    }
}

/// The concrete steps: a block to move out, an `if` to turn round, a chain to turn into a table.
fn advice(file: &File<'_, '_>, function: &Function<'_>) -> Vec<Step> {
    let unit = file.unit;
    let mut steps = Vec::new();
    let step = |span: formicary_syntax::Span, message: String| Step {
        file: file.path.to_owned(),
        span: file.place(span),
        message,
    };
    if let Some((id, complexity)) = heaviest(file, &function.body) {
        let span = unit.stmt(id).span;
        let (first, last) = (unit.lines.line(span.start), unit.lines.line(span.end));
        steps.push(step(span, format!("lines {first}–{last} could be a function of their own: they carry {complexity} of the complexity")));
    }
    if let Some(id) = guard(file, &function.body) {
        steps.push(step(
            unit.stmt(id).span,
            "turn this condition round and leave early: everything inside moves one level out".to_owned(),
        ));
    }
    if let Some((id, count)) = chain(file, &function.body) {
        steps.push(step(
            unit.stmt(id).span,
            format!("these {count} comparisons of one value could be a table that is looked up"),
        ));
    }
    steps
}

/// The statement that carries the most complexity and is not the whole function.
fn heaviest(file: &File<'_, '_>, body: &[StmtId]) -> Option<(StmtId, u32)> {
    let unit = file.unit;
    let mut candidates: Vec<StmtId> = body.to_vec();
    // The only statement of a function is looked into, not moved out.
    while let [only] = candidates.as_slice() {
        candidates = match &unit.stmt(*only).kind {
            StmtKind::Loop { body, .. } | StmtKind::With { body, .. } | StmtKind::Block(body) => body.clone(),
            StmtKind::If { then, .. } => then.clone(),
            StmtKind::Try { body, .. } => body.clone(),
            _ => return None,
        };
    }
    let weight = |id: &StmtId| complexity_of(unit, &[*id]).cognitive;
    let best = candidates.iter().max_by_key(|id| weight(id))?;
    // What returns from inside cannot simply be moved.
    let plain =
        !super::super::questions::any_statement(unit, &[*best], &|kind| matches!(kind, StmtKind::Return(_)));
    let found = weight(best);
    (found >= 5 && plain).then_some((*best, found))
}

/// A last `if` without `else` that holds most of the function.
fn guard(file: &File<'_, '_>, body: &[StmtId]) -> Option<StmtId> {
    let unit = file.unit;
    let last = body.last()?;
    match &unit.stmt(*last).kind {
        StmtKind::If { then, otherwise, .. } if otherwise.is_empty() && then.len() >= 3 => Some(*last),
        StmtKind::Loop { body, .. } => guard(file, body),
        _ => None,
    }
}

/// A chain of `==` comparisons of the same value with constants.
fn chain(file: &File<'_, '_>, body: &[StmtId]) -> Option<(StmtId, u32)> {
    let unit = file.unit;
    let mut best: Option<(StmtId, u32)> = None;
    unit.walk(body, formicary_syntax::walk::Nested::Skip, &mut |step| {
        let formicary_syntax::walk::Step::Stmt(id) = step else { return };
        let StmtKind::If { elif: false, .. } = unit.stmt(id).kind else { return };
        let (mut at, mut count, mut subject) = (id, 0, None);
        while let StmtKind::If { test, otherwise, .. } = &unit.stmt(at).kind {
            let Some(name) = compared(file, *test) else { break };
            if *subject.get_or_insert(name) != name {
                break;
            }
            count += 1;
            match otherwise.as_slice() {
                [only] => at = *only,
                _ => break,
            }
        }
        if count >= 4 && best.is_none_or(|(_, most)| count > most) {
            best = Some((id, count));
        }
    });
    best
}

fn compared<'a>(file: &File<'_, 'a>, test: formicary_syntax::ExprId) -> Option<&'a str> {
    let unit = file.unit;
    let ExprKind::Compare { left, rest } = unit.kind(test) else { return None };
    match rest.as_slice() {
        [(Operator::Equal | Operator::StrictEqual | Operator::Is, right)] => {
            let constant = matches!(
                unit.kind(*right),
                ExprKind::Literal(Literal::Text(_) | Literal::Integer(_) | Literal::Character(_))
                    | ExprKind::Name(_)
                    | ExprKind::Attribute { .. }
            );
            constant.then(|| unit.text(unit.expr(*left).span))
        }
        _ => None,
    }
}
