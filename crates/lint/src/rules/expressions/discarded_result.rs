//! The result of a method that changes nothing is thrown away.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{CallKind, ExprKind, Owner, StmtKind};

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
            "from rich.text import Text\ndef f(s):\n    s = s.strip()\n    return s\ndef g(text):\n    text.rstrip()\ndef h(line: Text):\n    line.rstrip()\n",
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
        let text = methods.contains(name) && plain && !own && arguments.len() < 2;
        if text && !of_own_class(file, *base, name, stmt.function) && !tried(file, stmt.span) {
            report.find(stmt.span, format!("the result of `{name}` is thrown away"));
        }
    }
}

/// Whether the method may be one of a class that changes itself: the file has a class with it, or the variable is declared,
/// made or named as something that is no text.
fn of_own_class(
    file: &File<'_, '_>,
    base: formicary_syntax::ExprId,
    method: &str,
    function: Option<formicary_syntax::FunctionId>,
) -> bool {
    let unit = file.unit;
    let defined = |one: &formicary_syntax::Function<'_>| one.name == method && one.owner != Owner::File;
    if unit.functions.iter().any(defined) {
        return true;
    }
    let Some(name) = unit.last_name(base) else { return false };
    let is_text = |written: &str| {
        let written = written.trim_matches(['"', '\'']).to_ascii_lowercase();
        written.is_empty()
            || ["str", "string", "any", "var", "final string"].iter().any(|kind| written.contains(kind))
    };
    let parameters = function.map(|id| unit.function(id).parameters.as_slice()).unwrap_or_default();
    let typed = parameters.iter().any(|one| one.name == name && !is_text(one.annotation.unwrap_or("")));
    // `text = Text(…)`, and `text` where a class `Text` is in reach.
    let is_class =
        |callee: &str| callee.starts_with(char::is_uppercase) && !matches!(callee, "String" | "Symbol");
    let made = unit.stmts().any(|(_, stmt)| match &stmt.kind {
        StmtKind::Assign { targets, value: Some(value), annotation, .. } if stmt.function == function => {
            let here = targets.iter().any(|target| unit.last_name(*target) == Some(name));
            let class = match unit.kind(*value) {
                ExprKind::Call { callee, .. } => unit.last_name(*callee).is_some_and(is_class),
                _ => false,
            };
            here && (class || annotation.is_some_and(|written| !is_text(written)))
        }
        _ => false,
    });
    let named = |local: &str| local.starts_with(char::is_uppercase) && local.eq_ignore_ascii_case(name);
    let imported = unit.imports.iter().flat_map(|import| &import.names).any(|one| named(one.local));
    typed || made || imported || unit.classes.iter().any(|class| named(class.name))
}

/// Whether the statement is tried for its exception.
fn tried(file: &File<'_, '_>, span: formicary_syntax::Span) -> bool {
    file.unit.stmts().any(|(_, stmt)| match &stmt.kind {
        StmtKind::Try { body, .. } => body.iter().any(|id| file.unit.stmt(*id).span == span),
        _ => false,
    })
}
