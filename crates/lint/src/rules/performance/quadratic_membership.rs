//! A search through a list in every round of a loop.

use super::inside_loops;
use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Confidence, Severity};
use formicary_syntax::walk::Step;
use formicary_syntax::{CollectionKind, ExprKind, Operator, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "quadratic-membership",
    title: "A list that grows in a loop is searched in every round",
    why: "Each search goes through the whole list: twice the rounds take four times as long.",
    suggestion: "Keep a set beside it, or use a dictionary.",
    category: Category::Performance,
    severity: Severity::Low,
    confidence: Confidence::Medium,
    cwe: Some(1176),
    languages: PYTHON,
    examples: &[(
        Language::Python,
        "def f(xs):\n    seen = []\n    for x in xs:\n        if x not in seen:\n            seen.append(x)\n    return seen\n",
        "def f(xs):\n    seen = set()\n    for x in xs:\n        if x not in seen:\n            seen.add(x)\n    return seen\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    let mut searched = Vec::new();
    let mut grown = Vec::new();
    inside_loops(file, &mut |loop_, step| {
        let Step::Expr(id) = step else { return };
        match unit.kind(id) {
            ExprKind::Compare { rest, .. } => {
                for (operator, operand) in rest {
                    if matches!(operator, Operator::In | Operator::NotIn)
                        && let Some(name) = unit.name_of(*operand)
                    {
                        searched.push((loop_, name, unit.expr(id).span, unit.expr(id).function));
                    }
                }
            }
            ExprKind::Call { callee, .. } => {
                if let ExprKind::Attribute { base, name: "append", .. } = unit.kind(*callee)
                    && let Some(name) = unit.name_of(*base)
                {
                    grown.push((loop_, name));
                }
            }
            _ => {}
        }
    });
    for (loop_, name, span, function) in searched {
        let is_list = unit.stmts().any(|(_, stmt)| match &stmt.kind {
            StmtKind::Assign { targets, value: Some(value), .. } => {
                stmt.function == function
                    && !unit.stmt(loop_).span.contains(stmt.span)
                    && targets.iter().any(|target| unit.name_of(*target) == Some(name))
                    && matches!(unit.kind(*value), ExprKind::Collection { kind: CollectionKind::List, .. })
            }
            _ => false,
        });
        if is_list && grown.contains(&(loop_, name)) {
            report.find(span, format!("every round searches all of `{name}`"));
        }
    }
}
