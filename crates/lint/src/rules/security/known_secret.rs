//! Keys and tokens whose shape gives them away.

use super::SECURITY;
use super::calls::text;
use crate::file::{File, Report};
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::ExprKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "known-secret",
    title: "A key or token in the source",
    why: "Everybody who can read the source, or its history, can use it.",
    suggestion: "Take it back where it was issued, and read the new one from the environment or a store of secrets.",
    severity: Severity::Critical,
    cwe: Some(798),
    languages: ALL,
    examples: &[
        (
            Language::Python,
            concat!("key = 'AKIA", "Q3EGRIHZ5T7LMNOP'\n"),
            "key = os.environ['KEY']\nsample = 'AKIAIOSFODNN7EXAMPLE'\n",
        ),
        (
            Language::JavaScript,
            concat!("const t = 'ghp_", "a8Kd93jfLQ02mZxPq71vBnWe45RtYu6CsDf0'"),
            "const t = process.env.TOKEN",
        ),
        (
            Language::Go,
            concat!(
                "package a\nconst k = `-----BEGIN RSA ",
                "PRIVATE KEY-----\nMIIEowIBAAKCAQEAx4UbaDzY5xjW6hc9jwN0mX33XpTDVW\n`"
            ),
            "package a\nconst k = \"-----BEGIN PUBLIC KEY-----\"",
        ),
        (
            Language::Bash,
            concat!(
                "curl -H 'Authorization: token xoxb-",
                "263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1'\n"
            ),
            "curl -H \"Authorization: $TOKEN\"\n",
        ),
    ],
    ..SECURITY
};

/// What it is, how it begins, how many characters of its own alphabet follow.
const SHAPES: &[(&str, &str, usize)] = &[
    ("an AWS access key", "AKIA", 16),
    ("an AWS access key", "ASIA", 16),
    ("a GitHub token", "ghp_", 36),
    ("a GitHub token", "gho_", 36),
    ("a GitHub token", "ghs_", 36),
    ("a GitHub token", "github_pat_", 60),
    ("a GitLab token", "glpat-", 20),
    ("a Slack token", "xoxb-", 30),
    ("a Slack token", "xoxp-", 30),
    ("a Slack webhook", "https://hooks.slack.com/services/T", 30),
    ("a Google key", "AIza", 35),
    ("a Stripe key", "sk_live_", 24),
    ("a Stripe key", "rk_live_", 24),
    ("an npm token", "npm_", 36),
    ("a PyPI token", "pypi-AgEI", 50),
    ("a SendGrid key", "SG.", 60),
    ("an OpenAI key", "sk-proj-", 40),
    ("an Anthropic key", "sk-ant-", 40),
];

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (id, expr) in unit.exprs() {
        let found = match &expr.kind {
            ExprKind::Template(parts) => parts.iter().find_map(|part| match part {
                formicary_syntax::Part::Text(text) => shape_of(text),
                formicary_syntax::Part::Value(_) => None,
            }),
            _ => text(file, id).and_then(shape_of),
        };
        if let Some(what) = found {
            let finding = report.find(expr.span, format!("this looks like {what}"));
            if file.is_test() {
                finding.confidence = Confidence::Low;
                finding.severity = Severity::Medium;
            }
        }
    }
}

fn shape_of(text: &str) -> Option<&'static str> {
    if text.len() < 20 {
        return None;
    }
    if let Some(at) = text.find("-----BEGIN ")
        && let Some((kind, rest)) = text[at + 11..].split_once("-----")
        && kind.ends_with("PRIVATE KEY")
        && rest
            .trim_start_matches("\\n")
            .trim_start()
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '+' || *c == '/')
            .count()
            >= 32
    {
        return Some("a private key");
    }
    for (what, start, count) in SHAPES {
        let Some(at) = text.find(start) else { continue };
        let before = text[..at].chars().next_back();
        let rest = &text[at + start.len()..];
        let own = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.');
        let length = rest.bytes().take_while(|byte| own(char::from(*byte))).count();
        let exact = start.len() != 4
            || *count != 16
            || length == 16 && rest[..16].bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        if length >= *count
            && exact
            && !before.is_some_and(|c| c.is_ascii_alphanumeric())
            && super::entropy(&rest[..length]) > 3.0
            && !super::is_placeholder(&rest[..length])
        {
            return Some(what);
        }
    }
    is_web_token(text).then_some("a signed web token")
}

/// `header.claims.signature`, each in base 64, the first two of JSON.
fn is_web_token(text: &str) -> bool {
    let mut parts = text.trim_start_matches("Bearer ").split('.');
    let (Some(header), Some(claims), Some(signature), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let plain = |part: &str| part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    header.starts_with("eyJ")
        && claims.starts_with("eyJ")
        && signature.len() >= 20
        && plain(header)
        && plain(claims)
        && plain(signature)
}
