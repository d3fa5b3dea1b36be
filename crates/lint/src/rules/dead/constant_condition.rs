//! A branch that a constant decides.

use crate::file::{File, Report};
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Severity};
use formicary_syntax::StmtKind;
use formicary_syntax::graph::truth;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "constant-condition",
    title: "A branch that a constant decides",
    why: "One side never runs: most often something that was switched off for a test.",
    suggestion: "Remove the condition with the dead side, or ask what was meant.",
    category: Category::DeadCode,
    severity: Severity::Medium,
    cwe: Some(570),
    languages: ALL,
    examples: &[
        (Language::Python, "if False:\n    f()\n", "if DEBUG:\n    f()\nwhile True:\n    g()\n"),
        (Language::JavaScript, "if (true) f(); else g()", "if (a) f(); else g()"),
        (
            Language::Java,
            "class A { void f() { if (false) { g(); } } }",
            "class A { void f() { if (DEBUG) { g(); } } }",
        ),
        (
            Language::Go,
            "package a\nfunc f() { if false { g() } }",
            "package a\nfunc f() { if debug { g() } }",
        ),
        (Language::Rust, "fn f() { if false { g() } }", "fn f() { if DEBUG { g() } }"),
        (Language::C, "void f(void) { if (0) g(); }", "void f(int a) { do { g(); } while (0); if (a) g(); }"),
        (Language::Bash, "if false; then\n  f\nfi\n", "while true; do\n  f\ndone\n"),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::If { test, .. } = &stmt.kind else { continue };
        // `if False: yield` makes a generator; `if 1:` in Python's tests groups.
        if let Some(value) = truth(unit, *test)
            && !file.is_test()
            && !unit.text(stmt.span).contains("yield")
        {
            let word = if value { "always" } else { "never" };
            report.find(unit.expr(*test).span, format!("this condition {word} holds"));
        }
    }
}
