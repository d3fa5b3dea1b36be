//! A failure that a declaration hides.

use crate::file::{File, Report};
use crate::rules::{Info, Rule, SHELL};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{Declares, ExprKind, Part, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "masked-exit-status",
    title: "A declaration hides the failure of a command",
    why: "`local x=$(cmd)` succeeds whatever `cmd` does: neither `$?` nor `set -e` sees it.",
    suggestion: "Declare first, assign in a second statement.",
    severity: Severity::Low,
    cwe: Some(391),
    languages: SHELL,
    examples: &[(
        Language::Bash,
        "f() {\n  local x=$(g)\n  echo \"$x\"\n}\n",
        "f() {\n  local x\n  x=$(g)\n  echo \"$x\"\n}\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Assign {
            value: Some(value), declares: Declares::Variable | Declares::Constant, ..
        } = &stmt.kind
        else {
            continue;
        };
        let is_command = |id| {
            let text = unit.text(unit.expr(id).span);
            text.starts_with("$(") && !text.starts_with("$((") || text.starts_with('`')
        };
        let command = is_command(*value)
            || matches!(unit.kind(*value), ExprKind::Template(parts)
                if matches!(parts.as_slice(), [Part::Value(only)] if is_command(*only)));
        if command {
            report.find(stmt.span, "the declaration hides whether the command failed");
        }
    }
}
