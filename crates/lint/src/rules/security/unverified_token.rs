//! A signed token whose signature nobody looks at.

use super::SECURITY;
use super::calls::{calls, is_bool, named, text};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "unverified-token",
    title: "A signed token whose signature nobody looks at",
    why: "Anybody can write a token that says who they are.",
    suggestion: "Check the signature, with the algorithm that you expect.",
    cwe: Some(347),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript],
    examples: &[
        (
            Language::Python,
            "import jwt\ndef f(t):\n    return jwt.decode(t, options={'verify_signature': False})\n",
            "import jwt\ndef f(t, k):\n    return jwt.decode(t, k, algorithms=['HS256'])\n",
        ),
        (
            Language::JavaScript,
            "const jwt = require('jsonwebtoken'); jwt.verify(t, k, { algorithms: ['none'] })",
            "const jwt = require('jsonwebtoken'); jwt.verify(t, k, { algorithms: ['RS256'] })",
        ),
    ],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    if file.is_test() {
        return;
    }
    let unit = file.unit;
    for call in calls(file, &["decode", "verify", "sign", "encode"]) {
        if !matches!(call.receiver(), "jwt" | "jsonwebtoken") {
            continue;
        }
        let inside = |value| call.span.contains(unit.expr(value).span);
        let unchecked = named(file, &["verify_signature", "verify"])
            .into_iter()
            .any(|(_, value)| inside(value) && is_bool(file, value, false));
        let none = named(file, &["algorithms", "algorithm"]).into_iter().any(|(_, value)| {
            let listed = match unit.kind(value) {
                formicary_syntax::ExprKind::Collection { items, .. } => items
                    .iter()
                    .any(|item| text(file, item.value).is_some_and(|text| text.eq_ignore_ascii_case("none"))),
                _ => text(file, value).is_some_and(|text| text.eq_ignore_ascii_case("none")),
            };
            inside(value) && listed
        });
        if unchecked || none {
            report.find(call.span, "anybody can write such a token");
        }
    }
}
