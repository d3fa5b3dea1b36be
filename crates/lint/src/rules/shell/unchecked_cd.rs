//! A change of folder that may have failed.

use super::commands;
use crate::file::{File, Report};
use crate::rules::{Info, Rule, SHELL};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::StmtKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "unchecked-cd",
    title: "A change of folder whose failure goes unnoticed",
    why: "When it fails, everything after runs in the wrong folder.",
    suggestion: "Write `cd … || exit`, or begin the script with `set -e`.",
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(252),
    languages: SHELL,
    examples: &[(Language::Bash, "cd build\nrm -f a\n", "cd build || exit 1\nrm -f a\n")],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    let strict = unit.source.lines().any(|line| {
        let line = line.trim();
        line.strip_prefix("set -").is_some_and(|flags| {
            flags.split(' ').next().is_some_and(|flags| flags.contains('e')) || flags.contains("o errexit")
        }) || line.starts_with("#!")
            && line.contains(" -")
            && line.rsplit('-').next().is_some_and(|flags| flags.contains('e'))
    });
    if strict {
        return;
    }
    let found: Vec<_> = commands(file)
        .filter(|(name, arguments, _)| *name == "cd" && !arguments.is_empty())
        .map(|(_, _, id)| id)
        .collect();
    for id in found {
        // Only as a statement of its own: in a list or a question the answer is looked at.
        let statement =
            unit.stmts().find(|(_, stmt)| matches!(stmt.kind, StmtKind::Expression(value) if value == id));
        let Some((stmt_id, _)) = statement else { continue };
        let last = unit
            .functions
            .iter()
            .map(|function| &function.body)
            .chain([&unit.body])
            .any(|body| body.last() == Some(&stmt_id));
        if !last {
            report.find(unit.expr(id).span, "if this fails, the rest runs in the wrong folder");
        }
    }
}
