//! Two branches that do the same.

use super::super::questions::same_blocks;
use crate::file::{File, Report};
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Severity};
use formicary_syntax::StmtKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "duplicate-branches",
    title: "Both branches do the same",
    why: "The condition decides nothing: one branch was copied and not changed.",
    suggestion: "Write what was meant in one of them, or remove the condition.",
    category: Category::Smell,
    severity: Severity::Medium,
    cwe: Some(1041),
    languages: ALL,
    examples: &[
        (Language::Python, "if a:\n    f(1)\nelse:\n    f(1)\n", "if a:\n    f(1)\nelse:\n    f(2)\n"),
        (Language::JavaScript, "if (a) { f(1) } else { f(1) }", "if (a) { f(1) } else { f(2) }"),
        (
            Language::Rust,
            "fn f(a: bool) { if a { g(1) } else { g(1) } }",
            "fn f(a: bool) { if a { g(1) } else { g(2) } }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::If { then, otherwise, elif: false, .. } = &stmt.kind else { continue };
        let only_pass = then.iter().all(|id| matches!(unit.stmt(*id).kind, StmtKind::Pass));
        if same_blocks(unit, then, otherwise) && !only_pass {
            report.find(stmt.span, "both branches do the same");
        }
    }
}
