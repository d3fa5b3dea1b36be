//! Statements that no path reaches.

use crate::file::{File, Report};
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Severity};
use formicary_syntax::{Dialect, ExprKind, Graph, Literal, StmtId, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "unreachable-code",
    title: "Code that no path reaches",
    why: "It never runs: either it is left over, or the jump before it is a mistake.",
    suggestion: "Remove it, or put the jump before it under a condition.",
    category: Category::DeadCode,
    severity: Severity::Medium,
    cwe: Some(561),
    languages: ALL,
    examples: &[
        (
            Language::Python,
            "def f():\n    return 1\n    g()\n",
            "def f(a):\n    if a:\n        return 1\n    g()\n",
        ),
        (
            Language::JavaScript,
            "function f() { throw new Error('a'); g() }",
            "function f() { return g(); function g() {} }",
        ),
        (
            Language::Java,
            "class A { void f() { while (true) { g(); } } void h() { for (;;) { g(); } } int k() { return 1; int a = 2; } }",
            "class A { int f(int a) { while (true) { if (a > 1) break; } return 2; } }",
        ),
        (
            Language::C,
            "int f(int a) { return a; a = 2; }",
            "int f(int a) { if (a) goto out; return 1;\nout:\n return 2; }",
        ),
        (
            Language::Go,
            "package a\nfunc f() int { return 1; g() }",
            "package a\nfunc f(a bool) int { if a { return 1 }; return 2 }",
        ),
        (Language::Rust, "fn f() -> u8 { return 1; g(); }", "fn f(a: bool) -> u8 { if a { return 1; } g() }"),
        (
            Language::Bash,
            "f() {\n  return 1\n  g\n}\n",
            "f() {\n  g || return 1\n  h\n}\nwhile :; do f; done &\nwait\n",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    let graphs = unit.functions().map(|(id, _)| file.graph(id).unreachable());
    let top = Graph::new(unit, &unit.body).unreachable();
    let mut found: Vec<StmtId> = graphs.flatten().chain(top).collect();
    found.sort_unstable_by_key(|id| unit.stmt(*id).span);
    let mut reported_to = 0;
    for id in found {
        let stmt = unit.stmt(id);
        if stmt.span.start < reported_to
            || !counts(file, id)
            || in_constant_branch(file, stmt.span)
            || after_background(file, stmt.span)
        {
            continue;
        }
        reported_to = stmt.span.end;
        let line_end =
            unit.text(stmt.span).find('\n').map_or(stmt.span.end, |at| stmt.span.start + at as u32);
        report.find(formicary_syntax::Span { start: stmt.span.start, end: line_end }, "no path reaches this");
    }
}

/// What is written after a jump for the compiler's sake, or means nothing, is not worth a word.
fn counts(file: &File<'_, '_>, id: StmtId) -> bool {
    let unit = file.unit;
    match &unit.stmt(id).kind {
        StmtKind::Pass | StmtKind::Function(_) | StmtKind::Class(_) | StmtKind::Import(_) => false,
        StmtKind::Break(_) | StmtKind::Continue(_) => !matches!(
            unit.dialect,
            Dialect::C
                | Dialect::Cpp
                | Dialect::JavaScript
                | Dialect::TypeScript
                | Dialect::Tsx
                | Dialect::Java
        ),
        // A `return` after a call that never comes back quiets compilers; `yield` after `return` makes a generator.
        StmtKind::Return(_) => !matches!(unit.dialect, Dialect::C | Dialect::Cpp | Dialect::Go),
        StmtKind::Expression(value) => {
            !matches!(
                unit.kind(*value),
                ExprKind::Yield(_) | ExprKind::Literal(Literal::Text(_)) | ExprKind::Other(_)
            ) && !formicary_syntax::graph::never_returns(unit, *value)
                && !only_says_so(file, *value)
        }
        StmtKind::Assign { value: None, .. } => false,
        StmtKind::Assign { value: Some(_), declares: formicary_syntax::Declares::Function, .. } => false,
        StmtKind::Preprocessor(_) | StmtKind::Label { .. } => false,
        StmtKind::Raise(_) => false,
        _ => true,
    }
}

/// Branches that a written constant switches off are told by another rule.
fn in_constant_branch(file: &File<'_, '_>, span: formicary_syntax::Span) -> bool {
    let unit = file.unit;
    unit.stmts().any(|(_, stmt)| match &stmt.kind {
        StmtKind::If { test, .. } | StmtKind::Loop { test: Some(test), .. } => {
            stmt.span.contains(span)
                && stmt.span != span
                && formicary_syntax::graph::truth(unit, *test).is_some()
                && !matches!(stmt.kind, StmtKind::Loop { .. } if formicary_syntax::graph::truth(unit, *test) == Some(true))
        }
        _ => false,
    })
}

/// `while :; do …; done &`: the shell starts it and goes on.
fn after_background(file: &File<'_, '_>, span: formicary_syntax::Span) -> bool {
    let unit = file.unit;
    let in_background = |end: u32| {
        let rest = unit.source.get(end as usize..).unwrap_or_default().trim_start_matches([' ', '\t']);
        rest.starts_with('&') && !rest.starts_with("&&") && !rest.starts_with("&>")
    };
    unit.dialect == Dialect::Bash
        && unit.stmts().any(|(_, stmt)| stmt.span.end <= span.start && in_background(stmt.span.end))
}

/// `llvm_unreachable("…")`, `assert(0)`, macros in capitals: they say that the place is not reached.
fn only_says_so(file: &File<'_, '_>, id: formicary_syntax::ExprId) -> bool {
    super::super::questions::call(file.unit, id).is_some_and(|(name, _)| {
        let lower = name.to_ascii_lowercase();
        lower.contains("unreachable")
            || lower.contains("assert")
            || lower.contains("never")
            || matches!(file.unit.dialect, Dialect::C | Dialect::Cpp) && name == name.to_ascii_uppercase()
    })
}
