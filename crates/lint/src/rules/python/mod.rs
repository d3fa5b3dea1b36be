//! Python.

mod assert_tuple;
mod bare_except;
mod exception_not_raised;
mod format_mismatch;
mod implicit_concatenation;
mod is_literal;
mod late_binding_closure;
mod missing_self;
mod mutable_default;
mod none_comparison;
mod raise_not_exception;
mod redefined_function;
mod return_in_init;
mod undefined_name;
mod unreachable_except;

use super::Rule;

pub(super) const RULES: &[&Rule] = &[
    &undefined_name::RULE,
    &mutable_default::RULE,
    &is_literal::RULE,
    &none_comparison::RULE,
    &assert_tuple::RULE,
    &bare_except::RULE,
    &unreachable_except::RULE,
    &raise_not_exception::RULE,
    &exception_not_raised::RULE,
    &format_mismatch::RULE,
    &missing_self::RULE,
    &return_in_init::RULE,
    &redefined_function::RULE,
    &late_binding_closure::RULE,
    &implicit_concatenation::RULE,
];
