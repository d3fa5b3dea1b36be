//! An assertion that always holds.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{CollectionKind, ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "assert-tuple",
    title: "An assertion of a tuple",
    why: "A tuple with something in it is true: the assertion can never fail.",
    suggestion: "Remove the parentheses: `assert test, message`.",
    severity: Severity::High,
    cwe: Some(571),
    languages: PYTHON,
    examples: &[(Language::Python, "assert (a == 1, 'no')\n", "assert a == 1, 'no'\nif (a, b):\n    pass\n")],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Assert { test, .. } = &stmt.kind else { continue };
        if let ExprKind::Collection { kind: CollectionKind::Tuple, items } = unit.kind(*test)
            && !items.is_empty()
        {
            report.find(unit.expr(*test).span, "a tuple with something in it is always true");
        }
    }
}
