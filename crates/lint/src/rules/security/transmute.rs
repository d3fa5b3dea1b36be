//! Bits that are taken for another type.

use super::SECURITY;
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::ExprKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "transmute",
    title: "Bits that are taken for another type",
    why: "Nothing checks that the bits are a value of the new type, nor how long a reference lives.",
    suggestion: "Use a cast, `from_ne_bytes`, or a crate that checks (bytemuck, zerocopy).",
    severity: Severity::Low,
    confidence: Confidence::Low,
    cwe: Some(843),
    languages: &[Language::Rust],
    examples: &[(
        Language::Rust,
        "fn f(x: u32) -> f32 { unsafe { std::mem::transmute(x) } }",
        "fn f(x: u32) -> f32 { f32::from_bits(x) }",
    )],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    if file.is_test() || !unit.source.contains("transmute") {
        return;
    }
    for (_, expr) in unit.exprs() {
        let ExprKind::Call { callee, .. } = &expr.kind else { continue };
        // With both types written out the compiler's check of sizes is all there is, too.
        let written = unit.text(unit.expr(*callee).span);
        let name = written.split("::<").next().unwrap_or(written);
        if matches!(name.rsplit("::").next(), Some("transmute" | "transmute_copy")) {
            report.find(expr.span, "nothing checks that these bits are a value of the new type");
        }
    }
}
