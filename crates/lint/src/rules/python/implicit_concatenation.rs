//! A comma that is missing between texts.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{CollectionKind, ExprKind, Literal};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "implicit-concatenation",
    title: "Two texts become one in a list of texts",
    why: "A forgotten comma joins two elements into one that nobody looks for.",
    suggestion: "Put the comma, or parentheses around the two.",
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(665),
    languages: PYTHON,
    examples: &[(
        Language::Python,
        "a = [\n    'x',\n    'y'\n    'z',\n    'w',\n]\n",
        "a = [\n    'x',\n    ('a long one '\n     'in two parts'),\n    'w',\n]\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        let ExprKind::Collection {
            kind: CollectionKind::List | CollectionKind::Tuple | CollectionKind::Set,
            items,
        } = &expr.kind
        else {
            continue;
        };
        let texts = |id| matches!(unit.kind(id), ExprKind::Literal(Literal::Text(_)));
        if items.len() < 3 || !items.iter().all(|item| texts(item.value)) {
            continue;
        }
        let joined = |span: formicary_syntax::Span| {
            let text = unit.text(span);
            let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''));
            // Two short words on two lines: prose that is wrapped ends its first part with a space.
            quote.is_some_and(|quote| {
                text.lines().count() == 2
                    && text.len() < 60
                    && text.lines().next().is_some_and(|line| {
                        let line = line.trim_end();
                        line.ends_with(quote) && !line.contains(' ') && !line.contains("\\n")
                    })
                    && !text.starts_with(&quote.to_string().repeat(3))
            })
        };
        let hits: Vec<_> =
            items.iter().map(|item| unit.expr(item.value).span).filter(|span| joined(*span)).collect();
        let parenthesised = |span: formicary_syntax::Span| {
            unit.source.get(..span.start as usize).is_some_and(|before| before.trim_end().ends_with('('))
        };
        if let [only] = hits.as_slice()
            && !parenthesised(*only)
        {
            report.find(*only, "two texts become one here: a comma may be missing");
        }
    }
}
