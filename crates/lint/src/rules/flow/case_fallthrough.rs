//! A case that runs into the next.

use super::super::questions::comment_within;
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{Graph, StmtKind, SwitchKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "case-fallthrough",
    title: "A case runs into the next without saying so",
    why: "A forgotten `break` runs the code of the next case too.",
    suggestion: "End the case with `break` or `return`, or say `fall through` in a comment.",
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(484),
    languages: &[Language::JavaScript, Language::TypeScript, Language::Java, Language::C, Language::Cpp],
    examples: &[
        (
            Language::JavaScript,
            "switch (a) { case 1: f(); case 2: g(); break }",
            "switch (a) { case 0: case 1: f(); break; case 2: g(); break }",
        ),
        (
            Language::C,
            "void f(int a) { switch (a) { case 1: g(); case 2: h(); break; } }",
            "void f(int a) { switch (a) { case 1: g(); /* fall through */ case 2: h(); break; } }",
        ),
        (
            Language::Java,
            "class A { void f(int a) { switch (a) { case 1: g(); case 2: h(); break; } } }",
            "class A { void f(int a) { switch (a) { case 1: g(); break; case 2: h(); break; } } }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Switch { kind: SwitchKind::Falling, arms, .. } = &stmt.kind else { continue };
        for pair in arms.windows(2) {
            let [arm, next] = pair else { continue };
            let Some(last) = arm.body.last() else { continue };
            if arm
                .body
                .iter()
                .all(|id| matches!(unit.stmt(*id).kind, StmtKind::Pass | StmtKind::Preprocessor(_)))
            {
                continue;
            }
            // The body alone: a break leads to its end, falling off leads there too; only the last tells them apart.
            let falls = Graph::new(unit, &arm.body).ends() && !ends_in_jump(file, *last);
            let attribute =
                unit.text(arm.span).contains("fallthrough") || unit.text(arm.span).contains("FALLTHROUGH");
            let from = unit.stmt(*last).span.end.saturating_sub(1);
            let line_end = unit.lines.start(unit.lines.line(next.span.start) + 1).max(next.span.start);
            if falls
                && !attribute
                && !comment_within(unit, from, line_end)
                && !comment_within(unit, arm.span.start, arm.span.end)
            {
                report.find(next.span_head(unit), "the case before runs into this one");
            }
        }
    }
}

/// The first line of a case.
trait Head {
    fn span_head(&self, unit: &formicary_syntax::Unit<'_>) -> formicary_syntax::Span;
}

impl Head for formicary_syntax::Arm {
    fn span_head(&self, unit: &formicary_syntax::Unit<'_>) -> formicary_syntax::Span {
        let end = match (self.patterns.last(), self.body.first()) {
            (Some(pattern), _) => unit.expr(*pattern).span.end,
            (None, Some(first)) => unit.stmt(*first).span.start,
            (None, None) => self.span.end,
        };
        formicary_syntax::Span { start: self.span.start, end }
    }
}

/// Whether no path runs off the end of a statement.
fn ends_in_jump(file: &File<'_, '_>, id: formicary_syntax::StmtId) -> bool {
    let unit = file.unit;
    let all = |block: &[formicary_syntax::StmtId]| block.last().is_some_and(|last| ends_in_jump(file, *last));
    match &unit.stmt(id).kind {
        StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::Raise(_)
        | StmtKind::Goto(_) => true,
        StmtKind::Block(body) | StmtKind::Label { body, .. } => all(body),
        StmtKind::If { then, otherwise, .. } => all(then) && all(otherwise),
        StmtKind::Try { body, handlers, finally, .. } => {
            all(finally) || all(body) && handlers.iter().all(|handler| all(&handler.body))
        }
        StmtKind::Expression(value) => {
            formicary_syntax::graph::never_returns(unit, *value)
                // A macro or function in capitals may well return or break.
                || super::super::questions::call(unit, *value)
                    .is_some_and(|(name, _)| {
                        let lower = name.to_ascii_lowercase();
                        name.chars().all(|c| c.is_uppercase() || c == '_' || c.is_numeric())
                            || ["unreachable", "abort", "fatal", "panic", "exit", "die", "assert", "throw", "fail", "error"]
                                .iter()
                                .any(|word| lower.contains(word))
                    })
        }
        StmtKind::Preprocessor(_) => true,
        StmtKind::Switch { arms, .. } => {
            arms.iter().any(|arm| arm.default)
                && arms.iter().all(|arm| {
                    all(&arm.body)
                        && !arm.body.iter().any(|id| matches!(unit.stmt(*id).kind, StmtKind::Break(_)))
                })
        }
        _ => false,
    }
}
