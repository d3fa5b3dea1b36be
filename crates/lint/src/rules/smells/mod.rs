//! Structure that will cost time, and what to do about it.

mod complex_function;
mod data_clump;
mod deep_nesting;
mod duplicate_branches;
mod feature_envy;
mod god_module;
mod large_class;
mod long_function;
mod long_parameter_list;
mod message_chain;
mod primitive_obsession;

use super::Rule;

pub(super) const RULES: &[&Rule] = &[
    &complex_function::RULE,
    &long_function::RULE,
    &long_parameter_list::RULE,
    &deep_nesting::RULE,
    &duplicate_branches::RULE,
    &large_class::RULE,
    &god_module::RULE,
    &message_chain::RULE,
    &feature_envy::RULE,
    &data_clump::RULE,
    &primitive_obsession::RULE,
];
