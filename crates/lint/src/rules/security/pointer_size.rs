//! The size of a pointer where the size of what it points to is meant.

use super::SECURITY;
use super::calls::calls;
use crate::file::{File, Report};
use crate::rules::{Info, NATIVE, Rule};
use formicary_model::Language;
use formicary_syntax::{ExprKind, Operator};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "pointer-size",
    title: "The size of a pointer where the size of the data is meant",
    why: "A pointer has four or eight bytes whatever it points to: too little is copied or cleared.",
    suggestion: "Write `sizeof *p`, or pass the length.",
    cwe: Some(467),
    languages: NATIVE,
    examples: &[
        (
            Language::C,
            "void f(struct s *p) { memset(p, 0, sizeof(p)); }",
            "void f(struct s *p) { memset(p, 0, sizeof(*p)); }",
        ),
        (
            Language::Cpp,
            "void f(S *p, S *q) { memcpy(p, q, sizeof(p)); }",
            "void f() { char p[9]; memset(p, 0, sizeof(p)); }",
        ),
    ],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for call in calls(
        file,
        &["memset", "memcpy", "memmove", "memcmp", "strncpy", "strncmp", "fgets", "snprintf", "bzero"],
    ) {
        let Some(target) = call.first().and_then(|first| unit.name_of(first)) else { continue };
        let pointer = unit.functions().any(|(_, function)| {
            function.span.contains(call.span)
                && function.parameters.iter().any(|parameter| {
                    parameter.name == target && {
                        let end = parameter.span.start as usize;
                        let before = unit.source.get(..end).unwrap_or("").trim_end();
                        before.ends_with('*')
                    }
                })
        });
        let sized = call.arguments.iter().skip(1).any(|argument| match unit.kind(argument.value) {
            ExprKind::Unary { operator: Operator::SizeOf, operand } => unit.name_of(*operand) == Some(target),
            _ => {
                let written: String = unit.text(unit.expr(argument.value).span).split_whitespace().collect();
                written == format!("sizeof({target})")
            }
        });
        if pointer && sized {
            report.find(call.span, format!("`{target}` is a pointer: its size is not that of the data"));
        }
    }
}
