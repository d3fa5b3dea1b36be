//! A password, key or token written beside its name.

use super::SECURITY;
use super::calls::{named, text};
use crate::file::{File, Report};
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_model::review::Confidence;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "hard-coded-password",
    title: "A password or key written into the source",
    why: "Everybody who can read the source, or its history, knows it, and it cannot be changed without a release.",
    suggestion: "Read it from the environment or a store of secrets.",
    confidence: Confidence::Medium,
    cwe: Some(798),
    languages: ALL,
    examples: &[
        (
            Language::Python,
            "password = 'hunter2-Xk9'\n",
            "password = os.environ['PASSWORD']\npassword_field = 'password'\nPASSWORD = ''\ntoken = 'your-token-here'\n",
        ),
        (
            Language::JavaScript,
            "connect({ user: 'a', password: 'S3cr3t!pass' })",
            "connect({ user: 'a', password: process.env.PASSWORD, passwordLabel: 'Password' })",
        ),
        (Language::TypeScript, "const apiKey = '9f8a7c6b5d4e3f2a1b0c'", "const apiKey = 'apiKey'"),
        (
            Language::Java,
            "class A { String dbPassword = \"Tr0ub4dor&3\"; }",
            "class A { String dbPassword = System.getenv(\"P\"); }",
        ),
        (
            Language::Go,
            "package a\nvar secretKey = \"k8#jfLQ02mZxP\"",
            "package a\nvar secretKey = os.Getenv(\"K\")",
        ),
        (Language::C, "const char *password = \"S3cr3t!pass\";", "const char *password = \"\";"),
        (Language::Cpp, "std::string password = \"S3cr3t!pass\";", "std::string password = read();"),
        (
            Language::Rust,
            "const API_KEY: &str = \"9f8a7c6b5d4e3f2a1b0c\";",
            "const API_KEY: &str = \"API_KEY\";",
        ),
        (Language::Bash, "PASSWORD='S3cr3t!pass'\n", "PASSWORD=\"$1\"\n"),
    ],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    if file.is_test() {
        return;
    }
    for (name, value) in named(file, &[]) {
        let Some(text) = text(file, value) else { continue };
        if is_name(name) && is_secret(name, text) {
            report.find(file.unit.expr(value).span, format!("`{name}` is written into the source"));
        }
    }
}

fn is_name(name: &str) -> bool {
    // Tables file other things under names with colons and dots.
    if !name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') {
        return false;
    }
    let flat = name.replace(['_', '-'], "").to_lowercase();
    const ENDS: &[&str] = &[
        "password",
        "passwd",
        "passphrase",
        "secret",
        "secretkey",
        "apikey",
        "accesskey",
        "privatekey",
        "authtoken",
        "accesstoken",
        "token",
        "clientsecret",
        "encryptionkey",
        "signingkey",
        "jwtsecret",
        "pwd",
    ];
    ENDS.iter().any(|end| flat.ends_with(end)) && flat != "cwd"
}

/// Whether a text can be a secret: not a word that names one, not a sentence, not a place or a pattern.
fn is_secret(name: &str, text: &str) -> bool {
    let length = text.chars().count();
    if !(8..=200).contains(&length) || text.contains(char::is_whitespace) || super::is_placeholder(text) {
        return false;
    }
    if text.contains(['{', '<', '$', '%', '(', '\\', '[', '*'])
        || text.starts_with(['/', '.', '-', ':'])
        || text.contains("://")
    {
        return false;
    }
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let lower = text.chars().any(|c| c.is_ascii_lowercase());
    let upper = text.chars().any(|c| c.is_ascii_uppercase());
    let mixed = digits > 0 && (lower || upper);
    // Tokens of a grammar and names of settings are words; a password among words has digits.
    let password = name.to_lowercase().contains("pass") || name.to_lowercase().contains("pwd");
    let enough = if password { 2.0 } else { 3.0 };
    mixed && (digits > 1 || password) && super::entropy(text) > enough
}
