//! Files that everybody may change.

use super::SECURITY;
use super::calls::{calls, integer, path};
use crate::file::{File, Report};
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "world-writable",
    title: "Files that everybody may change",
    why: "Any user of the machine can put something else in its place.",
    suggestion: "Give the owner alone the right to write: 0o755 or 0o644.",
    severity: Severity::Medium,
    cwe: Some(732),
    languages: ALL,
    examples: &[
        (Language::Python, "import os\nos.chmod('a', 0o777)\n", "import os\nos.chmod('a', 0o755)\n"),
        (Language::JavaScript, "fs.chmodSync('a', 0o777)", "fs.chmodSync('a', 0o755)"),
        (
            Language::Go,
            "package a\nimport \"os\"\nfunc f() { os.Chmod(\"a\", 0777) }",
            "package a\nimport \"os\"\nfunc f() { os.Chmod(\"a\", 0755) }",
        ),
        (
            Language::C,
            "void f(void) { chmod(\"a\", 0777); umask(0); }",
            "void f(void) { chmod(\"a\", 0644); umask(022); }",
        ),
        (
            Language::Rust,
            "fn f() { let p = Permissions::from_mode(0o777); }",
            "fn f() { let p = Permissions::from_mode(0o755); }",
        ),
        (Language::Bash, "chmod -R 777 /srv\n", "chmod 755 /srv\nchmod 1777 /srv/tmp\n"),
    ],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    if file.is_test() {
        return;
    }
    // What creates files is narrowed by the mask of the process; what changes them is not.
    let words = ["chmod", "chmodSync", "fchmod", "lchmod", "umask", "Chmod", "from_mode", "set_mode"];
    for call in calls(file, &words) {
        let Some(last) = call.arguments.last().map(|argument| argument.value) else { continue };
        let written = file.unit.text(file.unit.expr(last).span);
        let method = call.method();
        let wide = if file.language() == Language::Bash {
            method == "chmod"
                && call.arguments.iter().any(|argument| {
                    let mode = file.unit.text(file.unit.expr(argument.value).span);
                    matches!(mode, "777" | "0777" | "666" | "0666" | "a+rwx" | "o+w" | "a+w" | "ugo+rwx")
                })
        } else if method == "umask" {
            // Asking for the mask is done by setting it: what comes back is kept.
            integer(file, last) == Some(0) && is_statement(file, call.span)
        } else {
            let sticky = |mode: i128| mode & 0o1000 != 0;
            let mode = octal(written).or_else(|| integer(file, last));
            mode.is_some_and(|mode| mode & 0o002 != 0 && mode <= 0o7777 && !sticky(mode))
                || path(file, last).ends_with("S_IWOTH") && method.contains("chmod")
        };
        if wide {
            report.find(call.span, "everybody may change it");
        }
    }
}

fn octal(written: &str) -> Option<i128> {
    let digits = written.trim_start_matches("0o").trim_start_matches("0O");
    (written.starts_with('0') && digits.len() >= 3).then(|| i128::from_str_radix(digits, 8).ok()).flatten()
}

fn is_statement(file: &File<'_, '_>, span: formicary_syntax::Span) -> bool {
    file.unit.stmts().any(|(_, stmt)| match stmt.kind {
        formicary_syntax::StmtKind::Expression(value) => file.unit.expr(value).span == span,
        _ => false,
    })
}
