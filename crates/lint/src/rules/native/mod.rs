//! C and C++.

mod literal_pointer_comparison;
mod realloc_leak;
mod return_local_address;
mod swapped_memset;
mod use_after_free;

use super::Rule;

pub(super) const RULES: &[&Rule] = &[
    &literal_pointer_comparison::RULE,
    &swapped_memset::RULE,
    &realloc_leak::RULE,
    &use_after_free::RULE,
    &return_local_address::RULE,
];
