//! A global that any thread may write.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::StmtKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "static-mut",
    title: "A mutable static",
    why: "Every use is unsafe, and two threads that use it race: undefined behaviour.",
    suggestion: "Use an atomic, a `Mutex` or a `OnceLock`.",
    severity: Severity::Medium,
    cwe: Some(362),
    languages: &[Language::Rust],
    examples: &[(
        Language::Rust,
        "static mut COUNT: u32 = 0;",
        "static COUNT: AtomicU32 = AtomicU32::new(0);",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Assign { targets, value: Some(_), .. } = &stmt.kind else { continue };
        let head = unit.text(stmt.span).trim_start_matches("pub ");
        if head.starts_with("static mut ")
            && let Some(name) = targets.first().and_then(|target| unit.name_of(*target))
        {
            report.find(stmt.span, format!("any thread may write `{name}`"));
        }
    }
}
