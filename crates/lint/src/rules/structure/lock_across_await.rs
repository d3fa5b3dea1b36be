//! A lock that is held while others run.

use super::super::questions::call;
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ExprId, ExprKind, Operator, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "lock-across-await",
    title: "A lock of the standard library is held across an await",
    why: "The thread goes on to other tasks while the lock is held: they wait for it forever.",
    suggestion: "Drop the guard before the await, or use the runtime's own lock.",
    severity: Severity::High,
    confidence: Confidence::Medium,
    cwe: Some(833),
    languages: &[Language::Rust],
    examples: &[(
        Language::Rust,
        "async fn f(m: &Mutex<u8>) { let guard = m.lock().unwrap(); g().await; h(guard); }",
        "async fn f(m: &Mutex<u8>) { let guard = m.lock().await; g().await; let v = { *m.lock().unwrap() }; h(v).await; }",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    let blocks = unit.functions.iter().map(|function| &function.body);
    for body in blocks {
        let mut held: Option<&str> = None;
        for id in body {
            if let Some(guard) = held {
                let mut awaited = None;
                let mut dropped = false;
                unit.walk(&[*id], Nested::Skip, &mut |step| {
                    let Step::Expr(id) = step else { return };
                    if let ExprKind::Await(_) = unit.kind(id) {
                        awaited.get_or_insert(unit.expr(id).span);
                    }
                    dropped |= call(unit, id).is_some_and(|(name, arguments)| {
                        name.ends_with("drop")
                            && arguments.iter().any(|one| unit.name_of(one.value) == Some(guard))
                    });
                });
                if let Some(span) = awaited.filter(|_| !dropped) {
                    report.find(span, format!("`{guard}` is held across this await"));
                }
                if dropped || awaited.is_some() {
                    held = None;
                }
            }
            if let StmtKind::Assign { targets, value: Some(value), .. } = &unit.stmt(*id).kind
                && let [target] = targets.as_slice()
                && takes_lock(file, *value)
            {
                held = unit.name_of(*target);
            }
        }
    }
}

/// `x.lock().unwrap()`, `x.lock()?`, `x.write().expect("…")`.
fn takes_lock(file: &File<'_, '_>, id: ExprId) -> bool {
    let unit = file.unit;
    match unit.kind(id) {
        ExprKind::Unary { operator: Operator::Try, operand } => is_lock(file, *operand),
        ExprKind::Call { callee, .. } => match unit.kind(*callee) {
            ExprKind::Attribute { base, name: "unwrap" | "expect", .. } => is_lock(file, *base),
            _ => false,
        },
        _ => false,
    }
}

fn is_lock(file: &File<'_, '_>, id: ExprId) -> bool {
    let unit = file.unit;
    match unit.kind(id) {
        ExprKind::Call { callee, arguments, .. } => {
            arguments.is_empty()
                && matches!(unit.kind(*callee), ExprKind::Attribute { name: "lock" | "write" | "read", .. })
        }
        _ => false,
    }
}
