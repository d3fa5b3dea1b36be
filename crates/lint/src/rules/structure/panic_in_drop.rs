//! A destructor that may panic.

use super::super::questions::call;
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ClassKind, ExprKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "panic-in-drop",
    title: "A destructor that may panic",
    why: "While another panic unwinds, a panic in `drop` ends the program at once.",
    suggestion: "Handle the error, or give callers a method that returns it.",
    severity: Severity::High,
    confidence: Confidence::Medium,
    cwe: Some(248),
    languages: &[Language::Rust],
    examples: &[(
        Language::Rust,
        "impl Drop for A { fn drop(&mut self) { self.file.flush().unwrap(); } }",
        "impl Drop for A { fn drop(&mut self) { let _ = self.file.flush(); } }",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, class) in unit.classes().filter(|(_, class)| class.kind == ClassKind::Implementation) {
        if !class.bases.iter().any(|base| unit.last_name(*base) == Some("Drop")) {
            continue;
        }
        for method in class.methods.iter().map(|id| unit.function(*id)).filter(|method| method.name == "drop")
        {
            unit.walk(&method.body, Nested::Skip, &mut |step| {
                let Step::Expr(id) = step else { return };
                let panics = match unit.kind(id) {
                    ExprKind::Call { callee, .. } => {
                        matches!(unit.last_name(*callee), Some("unwrap" | "expect"))
                            && matches!(unit.kind(*callee), ExprKind::Attribute { .. })
                            || call(unit, id).is_some_and(|(name, _)| name == "panic")
                    }
                    _ => false,
                };
                if panics {
                    report.find(unit.expr(id).span, "this may panic while a value is dropped");
                }
            });
        }
    }
}
