//! A loop whose condition cannot change.

use crate::file::{File, Report};
use crate::rules::{Info, NO_SHELL, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::scopes::{BindingKind, ScopeKind};
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ExprKind, LoopKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "infinite-loop",
    title: "A loop whose condition never changes",
    why: "Nothing in the loop writes what its condition reads, and nothing leaves it: it runs never or forever.",
    suggestion: "Change the variable in the loop, or leave it by `break`.",
    severity: Severity::High,
    confidence: Confidence::Medium,
    cwe: Some(835),
    languages: NO_SHELL,
    examples: &[
        (
            Language::Python,
            "def f(n):\n    i = 0\n    while i < n:\n        print(n)\n",
            "def f(n):\n    i = 0\n    while i < n:\n        i += 1\ndef g(s):\n    pop = s.pop\n    while s:\n        pop()\n",
        ),
        (
            Language::JavaScript,
            "function f(n) { let i = 0; while (i < n) { g(n) } }",
            "function f(n) { let i = 0; while (i < n) { i++ } }",
        ),
        (
            Language::Java,
            "class A { void f(int n) { int i = 0; while (i < n) { g(n); } } }",
            "class A { void f(int n) { int i = 0; while (i < n) { i = g(i); } } }",
        ),
        (
            Language::Go,
            "package a\nfunc f(n int) { i := 0; for i < n { g(n) } }",
            "package a\nfunc f(n int) { i := 0; for i < n { i++ } }",
        ),
        (
            Language::C,
            "void f(int n) { int i = 0; while (i < n) { g(n); } }",
            "void f(int n) { int i = 0; while (i < n) { g(&i); } }",
        ),
        (
            Language::Rust,
            "fn f(n: u8) { let i = 0; while i < n { g(n); } }",
            "fn f(n: u8) { let mut i = 0; while i < n { i += 1; } }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Loop { kind: LoopKind::While | LoopKind::For, test: Some(test), update, body, .. } =
            &stmt.kind
        else {
            continue;
        };
        let Some(function) = stmt.function else { continue };
        let scope = file.scopes.of_function[function.0 as usize];
        let mut names = Vec::new();
        let mut plain = true;
        unit.walk_expr(*test, Nested::Skip, &mut |step| match step {
            Step::Expr(id) => match unit.kind(id) {
                ExprKind::Name(name) => names.push(*name),
                ExprKind::Compare { .. } | ExprKind::Logical { .. } | ExprKind::Literal(_) => {}
                ExprKind::Unary { operator: formicary_syntax::Operator::Not, .. } => {}
                _ => plain = false,
            },
            Step::Stmt(_) => plain = false,
        });
        // C++ takes by reference; a collection that is asked whether it is empty can be emptied by whoever gets it.
        let by_reference =
            file.language() == Language::Cpp || !matches!(unit.kind(*test), ExprKind::Compare { .. });
        // Only variables of the function itself that nothing else can reach.
        let own = names.iter().all(|name| {
            matches!(file.scopes.scopes[scope].kind, ScopeKind::Function(_))
                && file.scopes.scopes[scope].get(name).is_some_and(|binding| {
                    !binding.captured
                        && matches!(binding.kind, BindingKind::Variable(_) | BindingKind::Parameter(_))
                })
        });
        let held = by_reference && names.iter().any(|name| held_elsewhere(file, function, name));
        if plain && own && !held && !names.is_empty() && !changes(file, body, update, &names, by_reference) {
            report.find(
                unit.expr(*test).span,
                format!("nothing in this loop changes `{}`", names.join("`, `")),
            );
        }
    }
}

/// Whether something else of the function holds the collection or a method of it: `pop = s.pop`, `worker = f(s)`.
fn held_elsewhere(file: &File<'_, '_>, function: formicary_syntax::FunctionId, name: &str) -> bool {
    let unit = file.unit;
    unit.stmts().any(|(_, stmt)| match &stmt.kind {
        StmtKind::Assign { value: Some(value), .. } if stmt.function == Some(function) => {
            let mut found = false;
            unit.walk_expr(*value, Nested::Enter, &mut |step| {
                let Step::Expr(id) = step else { return };
                found |= match unit.kind(id) {
                    ExprKind::Attribute { base, .. } => unit.name_of(*base) == Some(name),
                    ExprKind::Call { arguments, .. } => {
                        arguments.iter().any(|argument| unit.name_of(argument.value) == Some(name))
                    }
                    _ => false,
                };
            });
            found
        }
        _ => false,
    })
}

/// Whether the loop may end: it leaves, or mentions a name anywhere but in plain reads of numbers.
fn changes(
    file: &File<'_, '_>,
    body: &[formicary_syntax::StmtId],
    update: &[formicary_syntax::ExprId],
    names: &[&str],
    by_reference: bool,
) -> bool {
    let unit = file.unit;
    let mut found = false;
    let mut visit = |step: Step| match step {
        Step::Stmt(id) => {
            found |= match &unit.stmt(id).kind {
                StmtKind::Break(_) | StmtKind::Return(_) | StmtKind::Raise(_) | StmtKind::Goto(_) => true,
                StmtKind::Preprocessor(_) | StmtKind::Assert { .. } => true,
                StmtKind::Assign { targets, .. } => {
                    targets.iter().any(|target| mentions(file, *target, names))
                }
                StmtKind::Loop { target: Some(target), .. } => mentions(file, *target, names),
                StmtKind::With { .. } | StmtKind::Try { .. } => false,
                StmtKind::Expression(value) => formicary_syntax::graph::never_returns(unit, *value),
                _ => false,
            };
        }
        Step::Expr(id) => {
            found |= match unit.kind(id) {
                ExprKind::Assign { target, .. } | ExprKind::Update { target, .. } => {
                    mentions(file, *target, names)
                }
                // `&i`, `i.pop()`, `f(i)`: what is reached through the name may change; macros hide anything.
                ExprKind::Unary { operand, .. } => mentions(file, *operand, names),
                ExprKind::Attribute { base, .. } => mentions(file, *base, names),
                ExprKind::Call { arguments, kind, .. } => {
                    *kind == formicary_syntax::CallKind::Macro
                        || arguments.iter().any(|argument| {
                            unit.name_of(argument.value).is_some_and(|name| names.contains(&name))
                                && by_reference
                        })
                }
                ExprKind::Yield(_) | ExprKind::Await(_) | ExprKind::Lambda(_) => true,
                _ => false,
            };
        }
    };
    unit.walk(body, Nested::Enter, &mut visit);
    for id in update {
        unit.walk_expr(*id, Nested::Enter, &mut visit);
    }
    found
}

fn mentions(file: &File<'_, '_>, id: formicary_syntax::ExprId, names: &[&str]) -> bool {
    let mut found = false;
    file.unit.walk_expr(id, Nested::Skip, &mut |step| {
        if let Step::Expr(id) = step {
            found |= file.unit.name_of(id).is_some_and(|name| names.contains(&name));
        }
    });
    found
}
