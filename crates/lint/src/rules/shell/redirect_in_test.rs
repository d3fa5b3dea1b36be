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
    examples: &[(
        Language::Bash,
        "if [ \"$a\" > 3 ]; then f; fi\n",
        "if [ \"$a\" -gt 3 ]; then f; fi\n[ \"$(f > /dev/null; echo $?)\" = 5 ]\n",
    )],
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

/// Whether a bare `>` or `<` stands between the brackets: not in quotes, and not in a command whose output is compared.
fn sign(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut depth, mut quote, mut at) = (0_u32, 0_u8, 0);
    while at < bytes.len() {
        let here = bytes[at];
        match here {
            b'\\' if quote != b'\'' => at += 1,
            // A command in double quotes has quotes of its own: it counts as one nested piece.
            b'$' if quote != b'\'' && bytes.get(at + 1) == Some(&b'(') => {
                depth += 1;
                at += 1;
            }
            b'(' if depth > 0 => depth += 1,
            b')' if depth > 0 => depth -= 1,
            b'`' if quote != b'\'' && depth == 0 => {
                at += bytes[at + 1..].iter().position(|byte| *byte == b'`').map_or(0, |end| end + 1);
            }
            b'\'' | b'"' if depth == 0 && (quote == 0 || quote == here) => {
                quote = if quote == here { 0 } else { here };
            }
            b']' if depth == 0 && quote == 0 => return false,
            b'>' | b'<' if depth == 0 && quote == 0 => {
                let blank = |at: Option<usize>| at.and_then(|at| bytes.get(at)) == Some(&b' ');
                if blank(at.checked_sub(1)) && blank(Some(at + 1)) {
                    return true;
                }
            }
            _ => {}
        }
        at += 1;
    }
    false
}
