//! Code that nothing needs or reaches.

mod constant_condition;
mod unreachable_code;
pub(crate) mod unused_import;
mod unused_parameter;
mod unused_private_function;
mod unused_variable;

use super::Rule;

pub(super) const RULES: &[&Rule] = &[
    &unreachable_code::RULE,
    &constant_condition::RULE,
    &unused_import::RULE,
    &unused_variable::RULE,
    &unused_parameter::RULE,
    &unused_private_function::RULE,
];
