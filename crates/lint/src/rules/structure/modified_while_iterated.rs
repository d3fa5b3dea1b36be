//! A collection changed by the loop that goes through it.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ExprKind, LoopKind, StmtId, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "modified-while-iterated",
    title: "A collection is changed by the loop that goes through it",
    why: "Elements are skipped, or the loop raises.",
    suggestion: "Go through a copy, or collect the changes and make them afterwards.",
    severity: Severity::High,
    confidence: Confidence::Medium,
    cwe: Some(662),
    languages: &[Language::Python, Language::Java],
    examples: &[
        (
            Language::Python,
            "def f(xs):\n    for x in xs:\n        if x:\n            xs.remove(x)\n",
            "def f(xs):\n    for x in list(xs):\n        if x:\n            xs.remove(x)\n    for x in xs:\n        xs.remove(x)\n        break\n",
        ),
        (
            Language::Java,
            "class A { void f(List<String> xs) { for (String x : xs) { xs.remove(x); } } }",
            "class A { void f(List<String> xs) { for (String x : new ArrayList<>(xs)) { xs.remove(x); } } }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Loop { kind: LoopKind::ForEach, iterable: Some(iterable), body, .. } = &stmt.kind
        else {
            continue;
        };
        // An object that goes through itself looks after itself.
        let Some(name) = unit.dotted(*iterable).filter(|name| !matches!(name.as_str(), "self" | "this"))
        else {
            continue;
        };
        let mut found = Vec::new();
        changes(file, body, &name, &mut found);
        for span in found {
            report.find(span, format!("`{name}` is changed while the loop goes through it"));
        }
    }
}

/// Changes in a block that the loop survives: a jump right after leaves the loop in time.
fn changes(file: &File<'_, '_>, block: &[StmtId], name: &str, found: &mut Vec<formicary_syntax::Span>) {
    let unit = file.unit;
    let leaves = block.iter().any(|id| {
        matches!(unit.stmt(*id).kind, StmtKind::Break(_) | StmtKind::Return(_) | StmtKind::Raise(_))
    });
    for id in block {
        let mut inner = Vec::new();
        unit.parts_of_statement(*id, &mut inner);
        let blocks: Vec<StmtId> = inner
            .iter()
            .filter_map(|step| if let Step::Stmt(id) = step { Some(*id) } else { None })
            .collect();
        match &unit.stmt(*id).kind {
            StmtKind::If { then, otherwise, .. } => {
                changes(file, then, name, found);
                changes(file, otherwise, name, found);
                continue;
            }
            StmtKind::Function(_) | StmtKind::Class(_) => continue,
            _ => changes(file, &blocks, name, found),
        }
        if leaves || !blocks.is_empty() {
            continue;
        }
        unit.walk(&[*id], Nested::Skip, &mut |step| {
            let Step::Expr(expr) = step else { return };
            let ExprKind::Call { callee, .. } = unit.kind(expr) else { return };
            let ExprKind::Attribute { base, name: method, .. } = unit.kind(*callee) else { return };
            let changing: &[&str] = if file.is_python() {
                &["remove", "insert", "clear", "popitem"]
            } else {
                &["remove", "add", "clear", "addAll", "removeAll"]
            };
            if changing.contains(method) && unit.dotted(*base).as_deref() == Some(name) {
                found.push(unit.expr(expr).span);
            }
        });
    }
}
