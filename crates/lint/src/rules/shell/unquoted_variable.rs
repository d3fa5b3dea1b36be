//! A variable that is split at its spaces.

use super::{commands, written};
use crate::file::{File, Report};
use crate::rules::{Info, Rule, SHELL};
use formicary_model::Language;
use formicary_model::review::{Confidence, FixSafety, Severity};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "unquoted-variable",
    title: "A variable without quotes where it names a file or is tested",
    why: "A value with spaces becomes several words, an empty one none: the wrong file is removed, the test is broken.",
    suggestion: "Put it in double quotes.",
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(78),
    languages: SHELL,
    fix: Some(FixSafety::Unsafe),
    examples: &[
        (Language::Bash, "rm $file\n", "rm \"$file\"\n"),
        (Language::Bash, "[ $a = b ]\n", "[ \"$a\" = b ]\n[[ $a = b ]]\n[ $# -gt 1 ]\n"),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for (name, arguments, id) in commands(file) {
        if name == "[" {
            let text = written(file, id);
            let mut inside = Vec::new();
            file.unit.walk_expr(id, formicary_syntax::walk::Nested::Skip, &mut |step| {
                if let formicary_syntax::walk::Step::Expr(part) = step {
                    inside.push(part);
                }
            });
            let numeric = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"].iter().any(|word| text.contains(word));
            for part in inside {
                if !numeric {
                    bare(file, part, report);
                }
            }
        } else if matches!(
            name,
            "rm" | "cp"
                | "mv"
                | "cd"
                | "cat"
                | "mkdir"
                | "rmdir"
                | "chmod"
                | "chown"
                | "ln"
                | "touch"
                | "source"
                | "."
        ) {
            for argument in arguments.iter().filter(|argument| argument.name.is_none()) {
                bare(file, argument.value, report);
            }
        }
    }
}

fn bare(file: &File<'_, '_>, id: formicary_syntax::ExprId, report: &mut Report<'_>) {
    let unit = file.unit;
    let Some(name) = unit.name_of(id) else { return };
    let text = written(file, id);
    let span = unit.expr(id).span;
    let before = unit.source.get(..span.start as usize).and_then(|before| before.chars().next_back());
    let after = unit.source.get(span.end as usize..).and_then(|after| after.chars().next());
    // The name alone, the dollar before it, or `${…}` as a whole.
    let dollar = text.starts_with('$') || before == Some('$');
    let start = if text.starts_with('$') { span.start } else { span.start.saturating_sub(1) };
    let edge = unit.source.get(..start as usize).and_then(|before| before.chars().next_back());
    let alone = edge.is_none_or(char::is_whitespace)
        && after.is_none_or(|c| c.is_whitespace() || c == ';' || c == ')');
    let counts = !matches!(name, "#" | "?" | "$" | "!" | "-" | "@" | "*")
        && !name.starts_with(|c: char| c.is_ascii_digit() && c == '0');
    if dollar && alone && counts {
        let whole = formicary_syntax::Span { start, end: span.end };
        let fix =
            report.replace(whole, format!("\"{}\"", unit.text(whole)), FixSafety::Unsafe, "put it in quotes");
        report.find(whole, format!("`{name}` is split into words here")).fix = Some(fix);
    }
}
