//! A statement that only computes something.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{ExprKind, Operator, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "unused-comparison",
    title: "A comparison whose answer nobody reads",
    why: "`a == b` as a statement does nothing: an assignment or a check was meant.",
    suggestion: "Write `=` to assign, or use the answer.",
    severity: Severity::High,
    cwe: Some(482),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::C, Language::Cpp],
    examples: &[
        (Language::Python, "def f(a):\n    a == 1\n", "def f(a):\n    a = 1\n    return a\n"),
        (Language::JavaScript, "function f(a) { a === 1; }", "function f(a) { return a === 1; }"),
        (Language::C, "void f(int a) { a == 1; }", "int f(int a) { return a == 1; }"),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    if file.is_test() {
        return;
    }
    for (_, stmt) in unit.stmts() {
        let StmtKind::Expression(value) = stmt.kind else { continue };
        let ExprKind::Compare { rest, .. } = unit.kind(value) else { continue };
        // `a < b > (c)` is how a template looks to C++'s grammar when it is not sure; `>>` and `<` in macros too.
        let sure = rest.iter().all(|(operator, _)| {
            file.is_python()
                || !matches!(
                    operator,
                    Operator::Less | Operator::Greater | Operator::In | Operator::InstanceOf
                )
        });
        // `if (a; b == c)` asks in its second part.
        if sure && !unit.text(stmt.span).starts_with('(') {
            report.find(stmt.span, "this comparison is made and its answer thrown away");
        }
    }
}
