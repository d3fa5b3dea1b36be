//! C functions that write without knowing how much room there is.

use super::SECURITY;
use super::calls::{calls, is_constant, shape};
use crate::file::{File, Report};
use crate::rules::{Info, NATIVE, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "unbounded-copy",
    title: "A copy that does not know how much room there is",
    why: "Longer input overwrites what lies behind the buffer: the classic way to take over a program.",
    suggestion: "Use `fgets`, `snprintf`, `strlcpy`, a width in `scanf`, or `std::string`.",
    confidence: Confidence::Medium,
    cwe: Some(120),
    languages: NATIVE,
    examples: &[
        (
            Language::C,
            "void f(char *a) { char b[9]; strcpy(b, a); }",
            "void f(char *a) { char b[9]; snprintf(b, sizeof b, \"%s\", a); strcpy(b, \"x\"); }",
        ),
        (
            Language::C,
            "void f(void) { char b[9]; gets(b); }",
            "void f(void) { char b[9]; fgets(b, sizeof b, stdin); }",
        ),
        (
            Language::C,
            "void f(void) { char b[9]; scanf(\"%s\", b); }",
            "void f(void) { char b[9]; int n; scanf(\"%8s %d\", b, &n); }",
        ),
        (
            Language::Cpp,
            "void f(const char *a) { char b[9]; sprintf(b, \"<%s>\", a); }",
            "void f(int a) { char b[99]; sprintf(b, \"%d\", a); }",
        ),
    ],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let words = [
        "gets", "strcpy", "strcat", "stpcpy", "wcscpy", "wcscat", "sprintf", "vsprintf", "scanf", "fscanf",
        "sscanf",
    ];
    for call in calls(file, &words) {
        let name = call.path.strip_prefix("std.").unwrap_or(&call.path);
        let format = |at: usize| {
            call.arguments.get(at).map(|argument| shape(file, argument.value)).filter(|shape| !shape.open)
        };
        let (found, sure) = match (name, call.arguments) {
            ("gets", [_]) => (true, Confidence::High),
            ("strcpy" | "strcat" | "stpcpy" | "wcscpy" | "wcscat", [_, from]) => {
                (!is_constant(file, from.value), Confidence::Medium)
            }
            ("sprintf" | "vsprintf", [_, _, ..]) => {
                (format(1).is_some_and(|format| takes_any_text(&format.fixed)), Confidence::Medium)
            }
            ("scanf", [_, ..]) => {
                (format(0).is_some_and(|format| takes_any_text(&format.fixed)), Confidence::High)
            }
            ("fscanf" | "sscanf", [_, _, ..]) => {
                (format(1).is_some_and(|format| takes_any_text(&format.fixed)), Confidence::Medium)
            }
            _ => (false, Confidence::Low),
        };
        if found {
            let message = format!("`{name}` writes without knowing how much room there is");
            let finding = report.find(call.span, message);
            finding.confidence = sure;
            if name == "gets" {
                finding.severity = Severity::Critical;
            }
        }
    }
}

/// Whether a format has a `%s` or `%[` without a width.
fn takes_any_text(format: &str) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        rest = &rest[at + 1..];
        match rest.chars().next() {
            Some('%') => rest = &rest[1..],
            Some('s' | '[') => return true,
            _ => {}
        }
    }
    false
}
