//! A regular expression that takes forever on some inputs.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Confidence, Severity};
use formicary_syntax::{ExprKind, Literal};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "catastrophic-regex",
    title: "A regular expression with a repetition inside of a repetition",
    why: "There are exponentially many ways to split a text between the two: some inputs of 40 characters take hours.",
    suggestion: "Let the parts not overlap, or bound the repetition.",
    category: Category::Performance,
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(1333),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::Java],
    examples: &[
        (Language::Python, "re.compile(r'^(a+)+$')\n", "re.compile(r'^(a+b)+$')\n"),
        (Language::JavaScript, "x = /^(\\w*)*$/.test(a)", "x = /^(\\w+;)*$/.test(a)"),
        (
            Language::Java,
            "class A { Pattern p = Pattern.compile(\"(a|a)*b\"); }",
            "class A { Pattern p = Pattern.compile(\"(a|b)*c\"); }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        let (pattern, span) = match &expr.kind {
            ExprKind::Literal(Literal::Regex(pattern)) => (*pattern, expr.span),
            ExprKind::Call { callee, arguments, .. } => {
                let takes = match (unit.dotted(*callee).as_deref(), file.language()) {
                    (Some(name), Language::Python) => name.strip_prefix("re.").is_some_and(|name| {
                        matches!(
                            name,
                            "compile"
                                | "match"
                                | "search"
                                | "fullmatch"
                                | "sub"
                                | "split"
                                | "findall"
                                | "finditer"
                        )
                    }),
                    (Some(name), Language::Java) => matches!(name, "Pattern.compile" | "Pattern.matches"),
                    (Some(name), _) => name == "RegExp",
                    _ => false,
                };
                let Some(first) = arguments.first().filter(|_| takes) else { continue };
                let Some(text) = unit.literal_text(first.value) else { continue };
                (text, unit.expr(first.value).span)
            }
            _ => continue,
        };
        if explodes(pattern) {
            report.find(span, "some inputs take exponentially long here");
        }
    }
}

/// Whether a group that is repeated without bound consists of one repetition of something, or of alternatives that begin
/// alike.
fn explodes(pattern: &str) -> bool {
    let bytes = pattern.as_bytes();
    let mut opened = Vec::new();
    let (mut at, mut class) = (0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'[' if !class => class = true,
            b']' => class = false,
            b'(' if !class => opened.push(at),
            b')' if !class => {
                if let Some(open) = opened.pop() {
                    let repeated =
                        matches!(bytes.get(at + 1), Some(b'*' | b'+')) && bytes.get(at + 2) != Some(&b'+');
                    let inside = pattern.get(open + 1..at).unwrap_or("");
                    let inside = inside.strip_prefix("?:").unwrap_or(inside);
                    if repeated && !inside.starts_with('?') && (one_repetition(inside) || alike(inside)) {
                        return true;
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    false
}

/// `a+`, `\w*`, `[a-z]+`, `.*`: one atom, repeated without bound.
fn one_repetition(inside: &str) -> bool {
    let Some(atom) = inside.strip_suffix(['+', '*']) else { return false };
    let plain = atom.chars().count() == 1 && !matches!(atom, ")" | "]" | "\\" | "+" | "*");
    let escaped = atom.len() == 2 && atom.starts_with('\\');
    let class = atom.starts_with('[') && atom.ends_with(']') && !atom[1..atom.len() - 1].contains(']');
    plain || escaped || class
}

/// `a|a`: two alternatives that are the same, or where one is any character.
fn alike(inside: &str) -> bool {
    if inside.contains(['(', '[', '\\']) {
        return false;
    }
    let parts: Vec<&str> = inside.split('|').collect();
    let any = parts.contains(&".") && parts.iter().any(|part| part.len() == 1 && *part != ".");
    parts.len() > 1 && (any || (1..parts.len()).any(|at| parts[..at].contains(&parts[at])))
}
