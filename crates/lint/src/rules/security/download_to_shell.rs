//! A download that goes straight into a shell.

use super::SECURITY;
use crate::file::{File, Report};
use crate::rules::{Info, Rule, SHELL};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{CallKind, ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "download-to-shell",
    title: "A download that goes straight into a shell",
    why: "Whoever answers, or breaks the connection half-way, decides what runs; nothing is checked.",
    suggestion: "Save it, compare its checksum, then run it.",
    severity: Severity::Medium,
    cwe: Some(494),
    languages: SHELL,
    examples: &[(
        Language::Bash,
        "curl -fsSL https://a.b/install.sh | sudo bash -s -- -y\n",
        "curl -fsSL https://a.b/x.tar.gz | tar xz\n",
    )],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Other { body, .. } = &stmt.kind else { continue };
        if body.len() < 2 {
            continue;
        }
        let command = |id: &formicary_syntax::StmtId| match &unit.stmt(*id).kind {
            StmtKind::Expression(value) => match unit.kind(*value) {
                ExprKind::Call { callee, arguments, kind: CallKind::Command } => {
                    let name = unit.name_of(*callee).unwrap_or("");
                    let real = if name == "sudo" {
                        let mut words =
                            arguments.iter().map(|argument| unit.text(unit.expr(argument.value).span));
                        words.find(|word| !word.starts_with('-')).unwrap_or(name)
                    } else {
                        name
                    };
                    Some(real.rsplit('/').next().unwrap_or(real))
                }
                _ => None,
            },
            _ => None,
        };
        let loads = command(&body[0]).is_some_and(|name| matches!(name, "curl" | "wget"));
        let runs = body.last().and_then(command).is_some_and(|name| {
            matches!(
                name,
                "sh" | "bash" | "zsh" | "dash" | "ksh" | "python" | "python3" | "perl" | "node" | "ruby"
            )
        });
        if loads && runs {
            report.find(stmt.span, "what is downloaded runs unseen");
        }
    }
}
