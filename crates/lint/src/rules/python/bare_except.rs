//! A handler that takes even the wish to stop.

use super::super::questions::any_statement;
use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::StmtKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "bare-except",
    title: "A handler that takes every exception",
    why: "It also takes KeyboardInterrupt and SystemExit: the program cannot be stopped, and misspelt names go unnoticed.",
    suggestion: "Name the exceptions that are expected, or `except Exception`.",
    severity: Severity::Medium,
    cwe: Some(396),
    languages: PYTHON,
    examples: &[(
        Language::Python,
        "try:\n    f()\nexcept:\n    g()\n",
        "try:\n    f()\nexcept ValueError:\n    g()\nexcept:\n    g()\n    raise\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Try { handlers, .. } = &stmt.kind else { continue };
        for handler in handlers {
            let raises = any_statement(unit, &handler.body, &|kind| matches!(kind, StmtKind::Raise(_)));
            if handler.types.is_empty() && !raises {
                let head = formicary_syntax::Span { start: handler.span.start, end: handler.span.start + 6 };
                report.find(head, "this takes every exception, the wish to stop included");
            }
        }
    }
}
