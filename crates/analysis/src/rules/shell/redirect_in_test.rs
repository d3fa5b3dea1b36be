//! A comparison that writes a file.

use super::{commands, written};
use crate::file::{File, Report};
use crate::rules::{Info, Rule, SHELL};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::StmtKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "redirect-in-test",
    title: "A comparison in [ ] that is a redirection",
    why: "`[ $a > 3 ]` writes a file named 3 and always holds.",
    suggestion: "Write `-gt` and its kin for numbers, or `[[ … ]]` for text.",
    severity: Severity::High,
    cwe: Some(697),
    languages: SHELL,
    examples: &[(Language::Bash, "if [ \"$a\" > 3 ]; then f; fi\n", "if [ \"$a\" -gt 3 ]; then f; fi\n")],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    let mut spans: Vec<_> = commands(file)
        .filter(|(name, _, id)| *name == "[" && sign(written(file, *id)))
        .map(|(_, _, id)| unit.expr(id).span)
        .collect();
    for (_, stmt) in unit.stmts() {
        if matches!(stmt.kind, StmtKind::Other { .. })
            && unit.text(stmt.span).starts_with("[ ")
            && sign(unit.text(stmt.span))
        {
            spans.push(stmt.span);
        }
    }
    spans.sort_unstable();
    spans.dedup_by_key(|span| span.start);
    for span in spans {
        report.find(span, "this writes a file instead of comparing");
    }
}

/// Whether a bare `>` or `<` stands between the brackets.
fn sign(text: &str) -> bool {
    let inside = text.split(" ]").next().unwrap_or(text);
    inside.contains(" > ") || inside.contains(" < ")
}
