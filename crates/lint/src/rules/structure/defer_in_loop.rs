//! Go's defer inside of a loop.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::StmtKind;
use formicary_syntax::walk::{Nested, Step};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "defer-in-loop",
    title: "A defer inside of a loop",
    why: "It runs when the function ends, not the round: files and locks pile up until then.",
    suggestion: "Move the body of the loop into a function, or call it at the end of the round.",
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(772),
    languages: &[Language::Go],
    examples: &[(
        Language::Go,
        "package a\nfunc f(xs []string) { for _, x := range xs { defer g(x) } }",
        "package a\nfunc f(xs []string) { for _, x := range xs { func() { defer g(x) }() } }",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    let mut found = Vec::new();
    if file.is_test() {
        return;
    }
    for (_, stmt) in unit.stmts() {
        let StmtKind::Loop { body, .. } = &stmt.kind else { continue };
        let returns = matches!(body.last().map(|id| &unit.stmt(*id).kind), Some(StmtKind::Return(_)));
        unit.walk(body, Nested::Skip, &mut |step| {
            if let Step::Stmt(id) = step
                && matches!(unit.stmt(id).kind, StmtKind::Deferred { concurrent: false, .. })
                && !returns
                && !found.contains(&unit.stmt(id).span)
            {
                found.push(unit.stmt(id).span);
            }
        });
    }
    for span in found {
        report.find(span, "this runs when the function ends, not when the round does");
    }
}
