//! Code that was to be written later.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{CallKind, ExprKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "unfinished-code",
    title: "Code that was to be written later",
    why: "`todo!()` compiles and panics when it is reached.",
    suggestion: "Write it, or return an error that callers can handle.",
    severity: Severity::Medium,
    cwe: Some(1119),
    languages: &[Language::Rust],
    examples: &[(
        Language::Rust,
        "fn f() -> u8 { todo!() }",
        "fn f() -> Result<u8, Missing> { Err(Missing) }",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        if let ExprKind::Call { callee, kind: CallKind::Macro, .. } = &expr.kind
            && let Some(name @ ("todo" | "unimplemented")) = unit.name_of(*callee)
        {
            report.find(expr.span, format!("`{name}!` panics when it is reached"));
        }
    }
}
