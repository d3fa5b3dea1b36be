//! Half of Java's contract of equality.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "equals-without-hash-code",
    title: "A class with equals and without hashCode",
    why: "Equal objects then land in different buckets: sets and maps lose them.",
    suggestion: "Override both, from the same fields.",
    severity: Severity::High,
    cwe: Some(581),
    languages: &[Language::Java],
    examples: &[(
        Language::Java,
        "class A { public boolean equals(Object o) { return true; } }",
        "class A { public boolean equals(Object o) { return true; } public int hashCode() { return 1; } }",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, class) in unit.classes() {
        let method = |name: &str, parameters: usize| {
            class.methods.iter().map(|id| unit.function(*id)).find(|function| {
                function.name == name
                    && function.parameters.len() == parameters
                    && !function.modifiers.is_static
            })
        };
        let equals = method("equals", 1).filter(|equals| {
            equals.has_body
                && equals.parameters.iter().any(|parameter| parameter.annotation == Some("Object"))
        });
        if let (Some(equals), None) = (equals, method("hashCode", 0)) {
            report.find(equals.name_span, format!("`{}` overrides equals and not hashCode", class.name));
        }
    }
}
