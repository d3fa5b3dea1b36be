//! Bash.

mod for_over_ls;
mod masked_exit_status;
mod one_word_test;
mod read_without_r;
mod redirect_in_test;
mod rm_of_variable;
mod unchecked_cd;
mod unquoted_variable;

use super::Rule;
use crate::file::File;
use formicary_syntax::{Argument, CallKind, ExprId, ExprKind};

pub(super) const RULES: &[&Rule] = &[
    &unquoted_variable::RULE,
    &unchecked_cd::RULE,
    &for_over_ls::RULE,
    &rm_of_variable::RULE,
    &masked_exit_status::RULE,
    &redirect_in_test::RULE,
    &one_word_test::RULE,
    &read_without_r::RULE,
];

/// The commands of a file: name, arguments, expression.
fn commands<'u, 'a>(file: &'u File<'u, 'a>) -> impl Iterator<Item = (&'a str, &'u [Argument<'a>], ExprId)> {
    file.unit.exprs().filter_map(|(id, expr)| match &expr.kind {
        ExprKind::Call { callee, arguments, kind: CallKind::Command } => {
            Some((file.unit.name_of(*callee)?, arguments.as_slice(), id))
        }
        _ => None,
    })
}

/// The text of an argument as it is written.
fn written<'a>(file: &File<'_, 'a>, id: ExprId) -> &'a str {
    file.unit.text(file.unit.expr(id).span)
}
