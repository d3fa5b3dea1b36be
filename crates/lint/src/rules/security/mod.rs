//! Holes that need no data flow to be seen: calls that are wrong whatever the data, and text built where none should be.

pub(in crate::rules) mod calls;

mod all_interfaces;
mod archive_extraction;
mod built_query;
mod debug_mode;
mod download_to_shell;
mod dynamic_code;
mod format_string;
mod hard_coded_password;
mod insecure_cookie;
mod known_secret;
mod old_tls;
mod pointer_size;
mod shell_command;
mod ssh_host_key;
mod temporary_file;
mod tls_verification_off;
mod transmute;
mod unbounded_alloca;
mod unbounded_copy;
mod unescaped_html;
mod unsafe_deserialisation;
mod unverified_token;
mod weak_cipher;
mod weak_hash;
mod weak_key;
mod weak_random;
mod world_writable;
mod xml_entities;

pub use weak_cipher::is_weak as is_weak_cipher;
pub use weak_hash::is_weak as is_weak_hash;
pub use weak_random::is_secret;

use super::{Info, Rule};
use formicary_model::review::{Category, Severity};

pub(super) const RULES: &[&Rule] = &[
    &built_query::RULE,
    &dynamic_code::RULE,
    &shell_command::RULE,
    &unsafe_deserialisation::RULE,
    &weak_hash::RULE,
    &weak_cipher::RULE,
    &weak_random::RULE,
    &tls_verification_off::RULE,
    &old_tls::RULE,
    &known_secret::RULE,
    &hard_coded_password::RULE,
    &unbounded_copy::RULE,
    &format_string::RULE,
    &pointer_size::RULE,
    &world_writable::RULE,
    &temporary_file::RULE,
    &archive_extraction::RULE,
    &unescaped_html::RULE,
    &download_to_shell::RULE,
    &debug_mode::RULE,
    &ssh_host_key::RULE,
    &unverified_token::RULE,
    &xml_entities::RULE,
    &insecure_cookie::RULE,
    &all_interfaces::RULE,
    &weak_key::RULE,
    &unbounded_alloca::RULE,
    &transmute::RULE,
];

/// What most rules of this family have in common.
const SECURITY: Info = Info { category: Category::Security, severity: Severity::High, ..Info::LINT };

/// The bits of surprise in each character of a text.
fn entropy(text: &str) -> f64 {
    let mut counts = std::collections::BTreeMap::new();
    for c in text.chars() {
        *counts.entry(c).or_insert(0_u32) += 1;
    }
    let length = f64::from(counts.values().sum::<u32>());
    counts.values().map(|count| f64::from(*count) / length).map(|share| -share * share.log2()).sum()
}

/// Whether a text only holds the place of a secret.
fn is_placeholder(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "example",
        "changeme",
        "change_me",
        "change-me",
        "placeholder",
        "your",
        "xxxx",
        "dummy",
        "sample",
        "insert",
        "redacted",
        "replace",
        "todo",
        "fake",
        "insecure",
        "test",
        "1234567890",
    ];
    let lower = text.to_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}
