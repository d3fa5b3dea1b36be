//! Code that means harm: shapes that honest programs do not have.

mod crypto_mining;
mod hidden_text_direction;
mod install_hook;
mod obfuscated_execution;
mod reverse_shell;
mod secret_exfiltration;

use super::{Info, Rule};
use formicary_model::review::{Category, Severity};

pub(super) const RULES: &[&Rule] = &[
    &obfuscated_execution::RULE,
    &reverse_shell::RULE,
    &secret_exfiltration::RULE,
    &install_hook::RULE,
    &crypto_mining::RULE,
    &hidden_text_direction::RULE,
];

/// What most rules of this family have in common.
const MALICIOUS: Info =
    Info { category: Category::Malicious, severity: Severity::Critical, cwe: Some(506), ..Info::LINT };
