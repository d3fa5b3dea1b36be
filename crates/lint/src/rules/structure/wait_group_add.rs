//! A WaitGroup that counts too late.

use super::super::questions::call;
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "wait-group-add-in-goroutine",
    title: "A WaitGroup that is added to inside of its goroutine",
    why: "`Wait` may run before the goroutine starts, sees zero and does not wait.",
    suggestion: "Call `Add` before the `go` statement.",
    severity: Severity::High,
    confidence: Confidence::Medium,
    cwe: Some(362),
    languages: &[Language::Go],
    examples: &[(
        Language::Go,
        "package a\nfunc f(wg *sync.WaitGroup) { go func() { wg.Add(1); defer wg.Done() }() }",
        "package a\nfunc f(wg *sync.WaitGroup) { wg.Add(1); go func() { defer wg.Done() }() }",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Deferred { call: started, concurrent: true } = stmt.kind else { continue };
        let ExprKind::Call { callee, .. } = unit.kind(started) else { continue };
        let ExprKind::Lambda(function) = unit.kind(*callee) else { continue };
        let (mut adds, mut done) = (Vec::new(), Vec::new());
        unit.walk(&unit.function(*function).body, Nested::Skip, &mut |step| {
            let Step::Expr(id) = step else { return };
            if let Some((name, _)) = call(unit, id) {
                if let Some(group) = name.strip_suffix(".Add") {
                    adds.push((group.to_owned(), unit.expr(id).span));
                } else if let Some(group) = name.strip_suffix(".Done") {
                    done.push(group.to_owned());
                }
            }
        });
        for (group, span) in adds.into_iter().filter(|(group, _)| done.contains(group)) {
            report.find(span, format!("`{group}` is added to after the goroutine was started"));
        }
    }
}
