//! The result of a method that changes nothing is thrown away.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{CallKind, ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "discarded-result",
    title: "The result of a method that changes nothing is thrown away",
    why: "Text is immutable: `s.strip()` gives a new one and leaves `s` as it was.",
    suggestion: "Assign the result.",
    severity: Severity::High,
    confidence: Confidence::Medium,
    cwe: Some(252),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::Java],
    examples: &[
        (
            Language::Python,
            "def f(s):\n    s.strip()\n    return s\n",
            "def f(s):\n    s = s.strip()\n    return s\n",
        ),
        (Language::JavaScript, "function f(s) { s.trim(); return s }", "function f(s) { return s.trim() }"),
        (
            Language::Java,
            "class A { String f(String s) { s.toUpperCase(); return s; } }",
            "class A { String f(String s) { return s.toUpperCase(); } }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    let methods: &[&str] = match file.language() {
        Language::Python => &[
            "strip",
            "lstrip",
            "rstrip",
            "upper",
            "lower",
            "capitalize",
            "startswith",
            "endswith",
            "isdigit",
            "splitlines",
            "casefold",
            "zfill",
            "removeprefix",
            "removesuffix",
        ],
        Language::Java => &[
            "trim",
            "toUpperCase",
            "toLowerCase",
            "replaceAll",
            "strip",
            "substring",
            "isEmpty",
            "equalsIgnoreCase",
            "startsWith",
            "endsWith",
        ],
        _ => &[
            "trim",
            "trimStart",
            "trimEnd",
            "toUpperCase",
            "toLowerCase",
            "startsWith",
            "endsWith",
            "includes",
            "indexOf",
            "padStart",
            "padEnd",
            "substring",
            "toFixed",
        ],
    };
    if file.is_test() {
        return;
    }
    for (_, stmt) in unit.stmts() {
        let StmtKind::Expression(value) = stmt.kind else { continue };
        let ExprKind::Call { callee, arguments, kind: CallKind::Call } = unit.kind(value) else { continue };
        let ExprKind::Attribute { base, name, .. } = unit.kind(*callee) else { continue };
        // A class's own method of the same name is another matter, and so is a call that may only raise.
        let own = matches!(unit.name_of(*base), Some("self" | "this" | "super" | "cls" | "$" | "_"));
        let plain =
            matches!(unit.kind(*base), ExprKind::Name(_) | ExprKind::Attribute { .. } | ExprKind::Literal(_));
        if methods.contains(name) && plain && !own && arguments.len() < 2 && !tried(file, stmt.span) {
            report.find(stmt.span, format!("the result of `{name}` is thrown away"));
        }
    }
}

/// Whether the statement is tried for its exception.
fn tried(file: &File<'_, '_>, span: formicary_syntax::Span) -> bool {
    file.unit.stmts().any(|(_, stmt)| match &stmt.kind {
        StmtKind::Try { body, .. } => body.iter().any(|id| file.unit.stmt(*id).span == span),
        _ => false,
    })
}
