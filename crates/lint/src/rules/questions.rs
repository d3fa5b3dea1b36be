//! Questions that several rules ask of expressions and statements.

use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ExprId, ExprKind, StmtId, StmtKind, Unit};

/// Whether two expressions say the same, space aside.
pub(crate) fn same(unit: &Unit<'_>, a: ExprId, b: ExprId) -> bool {
    let text = |id: ExprId| unit.text(unit.expr(id).span);
    // Space inside of quotes counts.
    if text(a).contains(['"', '\'', '`']) {
        return text(a) == text(b);
    }
    let plain = |id: ExprId| text(id).chars().filter(|c| !c.is_whitespace());
    plain(a).eq(plain(b))
}

/// Whether two blocks say the same, space aside; empty blocks say nothing.
pub(crate) fn same_blocks(unit: &Unit<'_>, a: &[StmtId], b: &[StmtId]) -> bool {
    let text = |block: &[StmtId]| -> String {
        block
            .iter()
            .flat_map(|id| unit.text(unit.stmt(*id).span).chars())
            .filter(|c| !c.is_whitespace())
            .collect()
    };
    !a.is_empty() && a.len() == b.len() && text(a) == text(b)
}

/// Whether evaluating it twice gives the same: no call, no assignment, no `await`.
pub(crate) fn is_pure(unit: &Unit<'_>, id: ExprId) -> bool {
    let mut pure = true;
    unit.walk_expr(id, Nested::Skip, &mut |step| match step {
        Step::Expr(id) => {
            pure &= !matches!(
                unit.kind(id),
                ExprKind::Call { .. }
                    | ExprKind::Await(_)
                    | ExprKind::Yield(_)
                    | ExprKind::Assign { .. }
                    | ExprKind::Update { .. }
                    | ExprKind::Block(_)
                    | ExprKind::Other(_)
            );
        }
        Step::Stmt(_) => pure = false,
    });
    pure
}

/// Whether it is a name, or attributes and constant subscripts of one: something that holds a value.
pub(crate) fn is_place(unit: &Unit<'_>, id: ExprId) -> bool {
    match unit.kind(id) {
        ExprKind::Name(_) => true,
        ExprKind::Attribute { base, .. } => is_place(unit, *base),
        ExprKind::Subscript { base, index } => {
            is_place(unit, *base)
                && index
                    .is_some_and(|index| matches!(unit.kind(index), ExprKind::Literal(_) | ExprKind::Name(_)))
        }
        _ => false,
    }
}

/// Whether any statement in a block, functions inside left out, is of some kind.
pub(crate) fn any_statement(
    unit: &Unit<'_>,
    block: &[StmtId],
    wanted: &dyn Fn(&StmtKind<'_>) -> bool,
) -> bool {
    let mut found = false;
    unit.walk(block, Nested::Skip, &mut |step| {
        if let Step::Stmt(id) = step {
            found |= wanted(&unit.stmt(id).kind);
        }
    });
    found
}

/// Whether a place is in a macro or a preprocessor's branch.
pub(crate) fn comment_within(unit: &Unit<'_>, start: u32, end: u32) -> bool {
    let first = unit.comments.partition_point(|comment| comment.span.start < start);
    unit.comments.get(first).is_some_and(|comment| comment.span.start < end)
}

/// The dotted name of what is called, and the call's arguments.
pub(crate) fn call<'u, 'a>(
    unit: &'u Unit<'a>,
    id: ExprId,
) -> Option<(String, &'u [formicary_syntax::Argument<'a>])> {
    match unit.kind(id) {
        ExprKind::Call { callee, arguments, .. } => Some((unit.dotted(*callee)?, arguments)),
        _ => None,
    }
}
