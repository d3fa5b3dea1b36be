//! Things that go wrong between definitions: Java, Go and Rust have theirs here.

mod defer_in_loop;
mod duplicate_key;
mod equals_without_hash_code;
mod lock_across_await;
mod modified_while_iterated;
mod nil_map_write;
mod panic_in_drop;
mod static_mut;
mod string_identity;
mod undocumented_unsafe;
mod unfinished_code;
mod wait_group_add;

use super::Rule;

pub(super) const RULES: &[&Rule] = &[
    &duplicate_key::RULE,
    &modified_while_iterated::RULE,
    &string_identity::RULE,
    &equals_without_hash_code::RULE,
    &defer_in_loop::RULE,
    &nil_map_write::RULE,
    &wait_group_add::RULE,
    &lock_across_await::RULE,
    &panic_in_drop::RULE,
    &static_mut::RULE,
    &undocumented_unsafe::RULE,
    &unfinished_code::RULE,
];
