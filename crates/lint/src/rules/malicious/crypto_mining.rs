//! Mining of coins for somebody else.

use super::MALICIOUS;
use crate::file::{File, Report};
use crate::rules::security::calls::text;
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_syntax::{ExprKind, Part};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "crypto-mining",
    title: "The address of a pool that mines coins",
    why: "The machine works, and its owner pays, for whoever owns the purse.",
    suggestion: "Remove it, and find out how it came in.",
    languages: ALL,
    examples: &[
        (
            Language::Python,
            concat!("pool = 'stratum", "+tcp://pool.example.org:3333'\n"),
            "pool = 'tcp://pool.example.org:3333'\n",
        ),
        (Language::Bash, concat!("./x -o stratum", "+ssl://a.b:443 -u me\n"), "./x -o https://a.b\n"),
    ],
    ..MALICIOUS
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for (id, expr) in file.unit.exprs() {
        let found = match &expr.kind {
            ExprKind::Template(parts) => {
                parts.iter().any(|part| matches!(part, Part::Text(text) if is_pool(text)))
            }
            ExprKind::Name(word) => is_pool(word),
            _ => text(file, id).is_some_and(is_pool),
        };
        if found {
            report.find(expr.span, "this is the address of a mining pool");
        }
    }
}

/// A protocol that only miners speak, with somebody's address behind it.
fn is_pool(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("stratum+") else { return false };
    let Some((protocol, host)) = rest.split_once("://") else { return false };
    matches!(protocol, "tcp" | "ssl" | "tls") && host.starts_with(|c: char| c.is_ascii_alphanumeric())
}
