//! A loop whose body runs once at most.

use super::super::questions::any_statement;
use crate::file::{File, Report};
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{LoopKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "loop-never-repeats",
    title: "A loop that never repeats",
    why: "Its body always ends in `return`, `break` or an exception in the first round: a condition is missing.",
    suggestion: "Put the jump under a condition, or write `if` instead of the loop.",
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(670),
    languages: ALL,
    examples: &[
        (
            Language::Python,
            "def f(a):\n    while a:\n        g()\n        return 1\n",
            "def f(a):\n    for x in a:\n        return x\n    while a:\n        if g():\n            return 1\n",
        ),
        (Language::JavaScript, "while (a) { f(); break }", "while (a) { if (f()) break }"),
        (
            Language::Java,
            "class A { void f(int a) { while (a > 0) { g(); return; } } }",
            "class A { void f(int a) { while (a > 0) { if (g()) return; } } }",
        ),
        (
            Language::Go,
            "package a\nfunc f(a int) { for a > 0 { g(); return } }",
            "package a\nfunc f(a int) { for a > 0 { if g() { return } } }",
        ),
        (
            Language::Rust,
            "fn f(a: u8) { while a > 0 { g(); return; } }",
            "fn f(a: u8) { while a > 0 { if g() { return; } } }",
        ),
        (
            Language::Bash,
            "while read -r a; do\n  f \"$a\"\n  break\ndone\n",
            "while read -r a; do\n  f \"$a\" && break\ndone\n",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Loop { kind, test, body, .. } = &stmt.kind else { continue };
        // `for x in y: return x` takes the first; `while True: … break` and `do … while (0)` are blocks to jump out of.
        let deliberate = matches!(kind, LoopKind::ForEach | LoopKind::DoWhile | LoopKind::Endless)
            || test.is_some_and(|test| formicary_syntax::graph::truth(unit, test).is_some());
        let Some(last) = body.last() else { continue };
        let leaves =
            matches!(unit.stmt(*last).kind, StmtKind::Break(_) | StmtKind::Return(_) | StmtKind::Raise(_));
        let goes_on = any_statement(unit, body, &|kind| {
            matches!(
                kind,
                StmtKind::Continue(_)
                    | StmtKind::Label { .. }
                    | StmtKind::Goto(_)
                    | StmtKind::Preprocessor(_)
            )
        });
        if !deliberate && leaves && !goes_on {
            report.find(unit.stmt(*last).span, "this ends the loop in its first round");
        }
    }
}
