//! A format with more or fewer places than values.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{CollectionKind, ExprKind, Operator};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "format-mismatch",
    title: "A format with more or fewer places than values",
    why: "It raises a TypeError or an IndexError when it is reached.",
    suggestion: "Give one value for each place.",
    severity: Severity::High,
    cwe: Some(685),
    languages: PYTHON,
    examples: &[
        (Language::Python, "x = '%s %s' % (a,)\n", "x = '%s %d%%' % (a, b)\ny = '%(a)s' % b\nz = '%s' % a\n"),
        (
            Language::Python,
            "x = '{} {}'.format(a)\n",
            "x = '{} {{}} {b}'.format(a, b=1)\ny = '{0} {0}'.format(a)\nz = '{}'.format(*a)\n",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        match &expr.kind {
            ExprKind::Binary { operator: Operator::Modulo, left, right } => {
                let Some(format) = unit.literal_text(*left) else { continue };
                let ExprKind::Collection { kind: CollectionKind::Tuple, items } = unit.kind(*right) else {
                    continue;
                };
                let spread = items.iter().any(|item| matches!(unit.kind(item.value), ExprKind::Spread(_)));
                if let Some(places) = percent_places(format)
                    && places != items.len()
                    && !spread
                {
                    report.find(expr.span, format!("{places} places, {} values", items.len()));
                }
            }
            ExprKind::Call { callee, arguments, .. } => {
                let ExprKind::Attribute { base, name: "format", .. } = unit.kind(*callee) else { continue };
                let Some(format) = unit.literal_text(*base) else { continue };
                let spread =
                    arguments.iter().any(|argument| matches!(unit.kind(argument.value), ExprKind::Spread(_)));
                let given = arguments.iter().filter(|argument| argument.name.is_none()).count();
                if let Some(needed) = brace_places(format)
                    && needed > given
                    && !spread
                {
                    report.find(expr.span, format!("{needed} places, {given} values"));
                }
            }
            _ => {}
        }
    }
}

/// The places of a `%` format; none when they are named or their width is a value.
fn percent_places(format: &str) -> Option<usize> {
    let mut places = 0;
    let mut rest = format.chars();
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        loop {
            match rest.next()? {
                '%' => break,
                '(' | '*' => return None,
                c if c.is_ascii_alphabetic() && !matches!(c, 'h' | 'l' | 'L') => {
                    places += 1;
                    break;
                }
                '-' | '+' | ' ' | '#' | '.' | '0'..='9' | 'h' | 'l' | 'L' => {}
                _ => return None,
            }
        }
    }
    Some(places)
}

/// How many values by place a `{}` format needs; none when it is nested or broken.
fn brace_places(format: &str) -> Option<usize> {
    let (mut automatic, mut highest) = (0, 0);
    let mut rest = format;
    while let Some(open) = rest.find(['{', '}']) {
        let doubled = rest.get(open..open + 2).is_some_and(|two| two == "{{" || two == "}}");
        if doubled {
            rest = &rest[open + 2..];
            continue;
        }
        if rest[open..].starts_with('}') {
            return None;
        }
        let close = rest[open..].find('}')? + open;
        let inside = &rest[open + 1..close];
        if inside.contains('{') {
            return None;
        }
        let name = inside.split(['.', '[', ':', '!']).next().unwrap_or("");
        if name.is_empty() {
            automatic += 1;
        } else if let Ok(number) = name.parse::<usize>() {
            highest = highest.max(number + 1);
        }
        rest = &rest[close + 1..];
    }
    Some(automatic.max(highest))
}
