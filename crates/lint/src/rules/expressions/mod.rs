//! Expressions that do not mean what they seem to.

mod discarded_result;
mod division_by_zero;
mod identical_operands;
mod nan_comparison;
mod self_assignment;
mod self_comparison;
mod unused_result;

use super::Rule;

pub(super) const RULES: &[&Rule] = &[
    &self_comparison::RULE,
    &self_assignment::RULE,
    &identical_operands::RULE,
    &division_by_zero::RULE,
    &nan_comparison::RULE,
    &unused_result::RULE,
    &discarded_result::RULE,
];
