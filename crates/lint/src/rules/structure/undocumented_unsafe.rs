//! An unsafe block that does not say why it is sound.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{StmtKind, WithKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "undocumented-unsafe",
    title: "An unsafe block without a word on why it is sound",
    why: "Nobody can check what the compiler does not, if nobody wrote down what must hold.",
    suggestion: "Write `// SAFETY:` above it, with what makes it sound.",
    severity: Severity::Info,
    confidence: Confidence::High,
    languages: &[Language::Rust],
    examples: &[(
        Language::Rust,
        "fn f(p: *const u8) -> u8 {\n    unsafe { *p }\n}",
        "fn f(p: *const u8) -> u8 {\n    // SAFETY: the caller keeps p alive.\n    unsafe { *p }\n}",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::With { kind: WithKind::Unsafe, .. } = stmt.kind else { continue };
        let line = unit.lines.line(stmt.span.start);
        // A note stands within the three lines above, or inside.
        let from = unit.lines.start(line.saturating_sub(3).max(1));
        let explained = unit.comments.iter().any(|comment| {
            comment.span.start >= from
                && comment.span.start < stmt.span.end
                && unit.text(comment.span).to_ascii_uppercase().contains("SAFE")
        });
        if !explained && !file.is_test() {
            let head = formicary_syntax::Span { start: stmt.span.start, end: stmt.span.start + 6 };
            report.find(head, "this unsafe block does not say why it is sound");
        }
    }
}
