//! Branches, loops and handlers that do not do what they seem to.

mod assignment_in_condition;
mod case_fallthrough;
mod duplicate_case;
mod duplicate_condition;
mod empty_body;
mod empty_handler;
mod inconsistent_return;
mod infinite_loop;
mod loop_never_repeats;
mod return_in_finally;

use super::Rule;

pub(super) const RULES: &[&Rule] = &[
    &duplicate_condition::RULE,
    &duplicate_case::RULE,
    &case_fallthrough::RULE,
    &assignment_in_condition::RULE,
    &empty_body::RULE,
    &empty_handler::RULE,
    &return_in_finally::RULE,
    &loop_never_repeats::RULE,
    &infinite_loop::RULE,
    &inconsistent_return::RULE,
];
