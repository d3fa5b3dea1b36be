//! `typeof` compared with a word that it never gives.

use crate::file::{File, Report};
use crate::rules::{Info, Rule, SCRIPT};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{ExprKind, Operator};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "invalid-typeof",
    title: "typeof compared with a word that it never gives",
    why: "The comparison never holds: the word is misspelt.",
    suggestion: "Write one of undefined, object, boolean, number, bigint, string, symbol, function.",
    severity: Severity::High,
    cwe: Some(697),
    languages: SCRIPT,
    examples: &[(Language::JavaScript, "if (typeof a === 'strnig') f()", "if (typeof a === 'string') f()")],
    ..Info::LINT
};

const WORDS: &[&str] =
    &["undefined", "object", "boolean", "number", "bigint", "string", "symbol", "function", "unknown"];

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        let ExprKind::Compare { left, rest } = &expr.kind else { continue };
        let [(_, right)] = rest.as_slice() else { continue };
        let asks = |id| matches!(unit.kind(id), ExprKind::Unary { operator: Operator::TypeOf, .. });
        let word = if asks(*left) {
            *right
        } else if asks(*right) {
            *left
        } else {
            continue;
        };
        if let Some(text) = unit.literal_text(word)
            && !WORDS.contains(&text)
        {
            report.find(unit.expr(word).span, format!("typeof never gives {text:?}"));
        }
    }
}
