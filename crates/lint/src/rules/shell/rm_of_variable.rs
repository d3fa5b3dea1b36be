//! rm -r of a path that begins with a variable.

use super::{commands, written};
use crate::file::{File, Report};
use crate::rules::{Info, Rule, SHELL};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "rm-of-variable",
    title: "rm -r of a path that begins with a variable",
    why: "When the variable is empty, `rm -rf \"$dir/\"*` removes everything below the root.",
    suggestion: "Write `${dir:?}`: the shell then stops when it is empty.",
    severity: Severity::High,
    confidence: Confidence::Medium,
    cwe: Some(73),
    languages: SHELL,
    examples: &[(Language::Bash, "rm -rf \"$dir\"/*\n", "rm -rf \"${dir:?}\"/*\nrm -rf \"$dir/build\"\n")],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for (name, arguments, _) in commands(file) {
        let flags = arguments
            .iter()
            .map(|argument| written(file, argument.value))
            .take_while(|text| text.starts_with('-'));
        if name != "rm" || !flags.clone().any(|flag| flag.contains('r') || flag.contains('R')) {
            continue;
        }
        for argument in arguments {
            let text = written(file, argument.value).replace('"', "");
            let Some(rest) = text.strip_prefix('$') else { continue };
            let rest = rest.trim_start_matches('{');
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let after = rest[end..].trim_start_matches('}');
            if matches!(after, "/" | "/*" | "/." | "/.*")
                && !rest.contains(":?")
                && !rest[end..].starts_with(":-")
            {
                report.find(
                    file.unit.expr(argument.value).span,
                    "this removes everything when the variable is empty",
                );
            }
        }
    }
}
