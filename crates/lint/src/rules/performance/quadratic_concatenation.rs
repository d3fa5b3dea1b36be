//! Text that is built by adding to it in a loop.

use super::inside_loops;
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Confidence, Severity};
use formicary_syntax::walk::Step;
use formicary_syntax::{Dialect, ExprId, ExprKind, Literal, Operator, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "quadratic-concatenation",
    title: "Text is built by adding to it in a loop",
    why: "Every round copies everything so far: twice the rounds take four times as long.",
    suggestion: "Collect the parts and join them, or use the language's builder.",
    category: Category::Performance,
    severity: Severity::Low,
    confidence: Confidence::Medium,
    cwe: Some(1046),
    languages: &[Language::Python, Language::Java, Language::Go],
    examples: &[
        (
            Language::Python,
            "def f(xs):\n    s = ''\n    for x in xs:\n        s += x\n    return s\n",
            "def f(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return ''.join(xs), n\n",
        ),
        (
            Language::Java,
            "class A { String f(List<String> xs) { String s = \"\"; for (String x : xs) { s += x; } return s; } }",
            "class A { int f(List<Integer> xs) { int s = 0; for (int x : xs) { s += x; } return s; } }",
        ),
        (
            Language::Go,
            "package a\nfunc f(xs []string) string { s := \"\"; for _, x := range xs { s += x }; return s }",
            "package a\nfunc f(xs []int) int { s := 0; for _, x := range xs { s += x }; return s }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    let mut found = Vec::new();
    inside_loops(file, &mut |loop_, step| {
        let Step::Stmt(id) = step else { return };
        let StmtKind::Assign { targets, operator: Some(Operator::Add), .. } = &unit.stmt(id).kind else {
            return;
        };
        let [target] = targets.as_slice() else { return };
        if let Some(name) = unit.name_of(*target)
            && begins_as_text(file, name, loop_, unit.stmt(id).function)
        {
            found.push((unit.stmt(id).span, name));
        }
    });
    for (span, name) in found {
        report.find(span, format!("every round copies all of `{name}`"));
    }
}

/// Whether the variable was given text before the loop, in the same function, and not inside of the loop.
fn begins_as_text(
    file: &File<'_, '_>,
    name: &str,
    loop_: formicary_syntax::StmtId,
    function: Option<formicary_syntax::FunctionId>,
) -> bool {
    let unit = file.unit;
    let loop_span = unit.stmt(loop_).span;
    let mut text = false;
    for (_, stmt) in unit.stmts().filter(|(_, stmt)| stmt.function == function) {
        let StmtKind::Assign { targets, operator: None, value: Some(value), annotation, .. } = &stmt.kind
        else {
            continue;
        };
        if !targets.iter().any(|target| unit.name_of(*target) == Some(name)) {
            continue;
        }
        if loop_span.contains(stmt.span) {
            return false;
        }
        text |= is_text(file, *value) || unit.dialect == Dialect::Java && *annotation == Some("String");
    }
    text
}

fn is_text(file: &File<'_, '_>, id: ExprId) -> bool {
    matches!(file.unit.kind(id), ExprKind::Literal(Literal::Text(_)) | ExprKind::Template(_))
}
