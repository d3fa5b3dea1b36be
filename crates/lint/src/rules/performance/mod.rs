//! Code that is needlessly slow.

mod blocking_in_async;
mod catastrophic_regex;
mod needless_copy;
mod quadratic_concatenation;
mod quadratic_membership;
mod query_in_loop;

use super::Rule;
use crate::file::File;
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ExprId, StmtId, StmtKind};

pub(super) const RULES: &[&Rule] = &[
    &quadratic_concatenation::RULE,
    &quadratic_membership::RULE,
    &query_in_loop::RULE,
    &needless_copy::RULE,
    &blocking_in_async::RULE,
    &catastrophic_regex::RULE,
];

/// Everything that the bodies of loops do, each part once, with the loop that is nearest.
fn inside_loops(file: &File<'_, '_>, visit: &mut dyn FnMut(StmtId, Step)) {
    let unit = file.unit;
    for (id, stmt) in unit.stmts() {
        let StmtKind::Loop { body, .. } = &stmt.kind else { continue };
        let mut nested: Vec<formicary_syntax::Span> = Vec::new();
        unit.walk(body, Nested::Skip, &mut |step| {
            let span = match step {
                Step::Stmt(inner) => unit.stmt(inner).span,
                Step::Expr(inner) => unit.expr(inner).span,
            };
            if nested.iter().any(|loop_| loop_.contains(span)) {
                return;
            }
            if let Step::Stmt(inner) = step
                && matches!(unit.stmt(inner).kind, StmtKind::Loop { .. })
            {
                nested.push(span);
            }
            visit(id, step);
        });
    }
}

/// Whether a loop's block leaves right after an expression's statement.
fn leaves_after(file: &File<'_, '_>, loop_: StmtId, id: ExprId) -> bool {
    let unit = file.unit;
    let span = unit.expr(id).span;
    let mut found = false;
    unit.walk(&[loop_], Nested::Skip, &mut |step| {
        let Step::Stmt(stmt) = step else { return };
        if let StmtKind::Return(Some(value)) = unit.stmt(stmt).kind {
            found |= unit.expr(value).span.contains(span);
        }
    });
    found
}
