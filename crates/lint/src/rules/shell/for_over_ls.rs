//! A loop over the words of ls.

use super::written;
use crate::file::{File, Report};
use crate::rules::{Info, Rule, SHELL};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{LoopKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "for-over-ls",
    title: "A loop over the words of ls or find",
    why: "Names with spaces or line ends fall apart into several.",
    suggestion: "Write `for f in ./*`, or `find … -print0 | while read -r -d ''`.",
    severity: Severity::Medium,
    cwe: Some(150),
    languages: SHELL,
    examples: &[(
        Language::Bash,
        "for f in $(ls *.c); do\n  g \"$f\"\ndone\n",
        "for f in *.c; do\n  g \"$f\"\ndone\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Loop { kind: LoopKind::ForEach, iterable: Some(iterable), .. } = &stmt.kind else {
            continue;
        };
        let formicary_syntax::ExprKind::Other(values) = unit.kind(*iterable) else { continue };
        for value in values {
            let text = written(file, *value);
            let inner = text.strip_prefix("$(").or_else(|| text.strip_prefix('`')).unwrap_or("").trim_start();
            if inner.starts_with("ls ")
                || inner.starts_with("ls)")
                || inner.starts_with("ls`")
                || inner.starts_with("find ")
            {
                report.find(unit.expr(*value).span, "file names fall apart at their spaces here");
            }
        }
    }
}
