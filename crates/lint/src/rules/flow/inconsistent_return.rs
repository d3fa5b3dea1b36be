//! A function that sometimes returns a value and sometimes runs off its end.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ExprKind, Graph, Literal, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "inconsistent-return",
    title: "Some paths return a value, others run off the end",
    why: "The caller gets `None` or `undefined` on the path that was forgotten.",
    suggestion: "Return a value on every path, `None` by name where that is meant.",
    severity: Severity::Low,
    confidence: Confidence::Medium,
    cwe: Some(394),
    languages: &[Language::Python, Language::JavaScript],
    examples: &[
        (
            Language::Python,
            "def f(a):\n    if a:\n        return 1\n    elif g():\n        return 2\n",
            "def f(a):\n    if a:\n        return 1\n    return None\n",
        ),
        (
            Language::JavaScript,
            "function f(a) { if (a) { return 1 } else if (b) { return 2 } }",
            "function f(a) { if (a) { return 1 } return 2 }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (id, function) in unit.functions() {
        if !function.has_body
            || function.name.is_empty()
            || function.generator
            || function.lambda && file.is_python()
        {
            continue;
        }
        let (mut values, mut plain) = (0, 0);
        unit.walk(&function.body, Nested::Skip, &mut |step| {
            if let Step::Stmt(id) = step
                && let StmtKind::Return(value) = unit.stmt(id).kind
            {
                let nothing = value.is_none_or(|value| {
                    matches!(unit.kind(value), ExprKind::Literal(Literal::Null))
                        || !file.is_python()
                            && matches!(unit.kind(value), ExprKind::Call { .. } | ExprKind::Await(_))
                });
                if nothing { plain += 1 } else { values += 1 }
            }
        });
        // One early value among statements is often a shortcut; two say that values are what the function is for.
        if values < 2 || plain > 0 {
            continue;
        }
        let graph = file.graph(id);
        let last = function.body.last().map(|id| &unit.stmt(*id).kind);
        let branches = matches!(last, Some(StmtKind::If { .. } | StmtKind::Switch { .. }));
        if branches && falls_off(graph, unit) && !ends_in_exhaustive_switch(last) {
            report
                .find(function.name_span, format!("`{}` returns a value on some paths only", function.name));
        }
    }
}

fn ends_in_exhaustive_switch(last: Option<&StmtKind<'_>>) -> bool {
    matches!(last, Some(StmtKind::Switch { .. }))
}

/// Whether the end is reached other than by a return or an exception.
fn falls_off(graph: &Graph, unit: &formicary_syntax::Unit<'_>) -> bool {
    graph.nodes.iter().enumerate().any(|(at, node)| {
        graph.is_reachable(at)
            && node.next.contains(&Graph::EXIT)
            && !node.statements.last().is_some_and(|last| match unit.stmt(*last).kind {
                StmtKind::Return(_) | StmtKind::Raise(_) => true,
                StmtKind::Expression(value) => formicary_syntax::graph::never_returns(unit, value),
                _ => false,
            })
    })
}
