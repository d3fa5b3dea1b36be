//! The same case twice in one switch.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{ExprId, StmtKind, Unit};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "duplicate-case",
    title: "The same case twice in one switch",
    why: "The second never runs: the label was copied and not changed.",
    suggestion: "Name the case that was meant, or remove it.",
    severity: Severity::High,
    cwe: Some(561),
    languages: &[Language::JavaScript, Language::TypeScript, Language::Bash],
    examples: &[
        (
            Language::JavaScript,
            "switch (a) { case 1: f(); break; case 1: g(); break }",
            "switch (a) { case 1: f(); break; case 2: g(); break }",
        ),
        (
            Language::Bash,
            "case $a in\n  x) f ;;\n  x) g ;;\nesac\n",
            "case $a in\n  x) f ;;\n  y) g ;;\nesac\n",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Switch { arms, .. } = &stmt.kind else { continue };
        let mut seen: Vec<ExprId> = Vec::new();
        for arm in arms.iter().take(300).filter(|arm| arm.guard.is_none()) {
            for pattern in &arm.patterns {
                let text = label(unit, *pattern);
                if seen.iter().any(|earlier| label(unit, *earlier) == text) {
                    report.find(unit.expr(*pattern).span, format!("the case `{text}` was there before"));
                }
            }
            seen.extend(&arm.patterns);
        }
    }
}

/// A case as it is written; a shell's patterns share one place.
fn label<'u>(unit: &'u Unit<'_>, id: ExprId) -> &'u str {
    match unit.literal_text(id) {
        Some(text) if unit.dialect == formicary_syntax::Dialect::Bash => text,
        _ => unit.text(unit.expr(id).span),
    }
}
