//! The same key twice in one literal.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::expression::ItemKey;
use formicary_syntax::{CollectionKind, ExprKind, Literal};
use rustc_hash::FxHashMap;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "duplicate-key",
    title: "The same key twice in one literal",
    why: "The later value silently replaces the earlier one.",
    suggestion: "Name the key that was meant, or remove one of the two.",
    severity: Severity::High,
    cwe: Some(462),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript],
    examples: &[
        (Language::Python, "a = {'x': 1, 'x': 2}\n", "a = {'x': 1, 'y': 2}\n"),
        (Language::JavaScript, "a = { x: 1, x: 2 }", "a = { x: 1, y: 2, get z() { return 1 }, set z(v) {} }"),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        let ExprKind::Collection { kind: CollectionKind::Dict | CollectionKind::Object, items } = &expr.kind
        else {
            continue;
        };
        let mut seen: FxHashMap<&str, &str> = FxHashMap::default();
        for item in items {
            let accessor = matches!(unit.kind(item.value), ExprKind::Lambda(id) if unit.function(*id).modifiers.accessor);
            let key = match &item.key {
                Some(ItemKey::Name(name)) if !name.is_empty() => *name,
                Some(ItemKey::Value(key)) => match unit.kind(*key) {
                    ExprKind::Literal(Literal::Text(_) | Literal::Integer(_)) => {
                        unit.text(unit.expr(*key).span)
                    }
                    _ => continue,
                },
                _ => continue,
            };
            let value = unit.text(unit.expr(item.value).span);
            if let Some(earlier) = seen.insert(key, value)
                && !accessor
                && earlier != value
            {
                report.find(unit.expr(item.value).span, format!("the key {key} was there before"));
            }
        }
    }
}
