//! SSH without a look at who answers.

use super::SECURITY;
use super::calls::{calls, path};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "ssh-host-key",
    title: "SSH without a look at who answers",
    why: "Anybody on the way can answer in the server's place and read the password and everything after it.",
    suggestion: "Load the known hosts and refuse others.",
    severity: Severity::Medium,
    cwe: Some(322),
    languages: &[Language::Python, Language::Go, Language::Bash],
    examples: &[
        (
            Language::Python,
            "import paramiko\nc = paramiko.SSHClient()\nc.set_missing_host_key_policy(paramiko.AutoAddPolicy())\n",
            "import paramiko\nc = paramiko.SSHClient()\nc.set_missing_host_key_policy(paramiko.RejectPolicy())\n",
        ),
        (
            Language::Go,
            "package a\nimport \"golang.org/x/crypto/ssh\"\nfunc f() { g(ssh.InsecureIgnoreHostKey()) }",
            "package a\nimport \"golang.org/x/crypto/ssh\"\nfunc f(k ssh.PublicKey) { g(ssh.FixedHostKey(k)) }",
        ),
        (Language::Bash, "ssh -o StrictHostKeyChecking=no a@b\n", "ssh a@b\n"),
    ],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let words = ["set_missing_host_key_policy", "InsecureIgnoreHostKey", "ssh", "scp", "rsync", "sftp"];
    for call in calls(file, &words) {
        let off = match file.language() {
            Language::Python => call.first().is_some_and(|policy| {
                let policy = path(file, policy);
                policy.starts_with("paramiko")
                    && (policy.contains("AutoAddPolicy") || policy.contains("WarningPolicy"))
            }),
            Language::Go => call.method() == "InsecureIgnoreHostKey",
            _ => file.unit.text(call.span).contains("StrictHostKeyChecking=no"),
        };
        if off {
            report.find(call.span, "who answers is not checked");
        }
    }
}
