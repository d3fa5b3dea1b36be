//! JavaScript and TypeScript.

mod array_callback_without_return;
mod async_for_each;
mod const_reassigned;
mod invalid_typeof;
mod missing_super;
mod negated_in;
mod throw_literal;

use super::Rule;

pub(super) const RULES: &[&Rule] = &[
    &invalid_typeof::RULE,
    &array_callback_without_return::RULE,
    &async_for_each::RULE,
    &const_reassigned::RULE,
    &missing_super::RULE,
    &negated_in::RULE,
    &throw_literal::RULE,
];
