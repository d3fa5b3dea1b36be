//! A format that comes from a value.

use super::SECURITY;
use super::calls::{calls, is_constant};
use crate::file::{File, Report};
use crate::rules::{Info, NATIVE, Rule};
use formicary_model::Language;
use formicary_model::review::Confidence;
use formicary_syntax::ExprKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "format-string",
    title: "A format that comes from a value",
    why: "A `%n` or `%s` in the value reads and writes memory that was never given.",
    suggestion: "Write `printf(\"%s\", text)`.",
    confidence: Confidence::Medium,
    cwe: Some(134),
    languages: NATIVE,
    examples: &[
        (Language::C, "void f(char *a) { printf(a); }", "void f(char *a) { printf(\"%s\", a); puts(a); }"),
        (
            Language::C,
            "void f(char *a) { syslog(3, a); }",
            "void f(char *a) { syslog(3, \"%s\", a); fprintf(stderr, _(\"no\")); }",
        ),
        (
            Language::Cpp,
            "void f(char *b, const char *a) { snprintf(b, 9, a); }",
            "void f(char *b, const char *a) { snprintf(b, 9, \"%s\", a); }",
        ),
    ],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for call in calls(file, &["printf", "fprintf", "sprintf", "snprintf", "syslog", "err", "warn", "wprintf"])
    {
        let name = call.path.strip_prefix("std.").unwrap_or(&call.path);
        let at = match name {
            "printf" | "wprintf" | "warn" => 0,
            "fprintf" | "sprintf" | "syslog" | "err" => 1,
            "snprintf" => 2,
            _ => continue,
        };
        // With more arguments somebody thought about the format; alone it is text that was taken for one.
        let Some(format) = call.arguments.get(at).filter(|_| call.arguments.len() == at + 1) else {
            continue;
        };
        // Translations, and macros in capitals that hold formats.
        let known = match file.unit.kind(format.value) {
            ExprKind::Call { .. } => true,
            ExprKind::Name(name) => name.chars().all(|c| !c.is_lowercase()),
            _ => false,
        };
        let adjacent = file.unit.text(file.unit.expr(format.value).span).contains('"');
        if !known && !adjacent && !is_constant(file, format.value) {
            report.find(call.span, "the format comes from a value");
        }
    }
}
