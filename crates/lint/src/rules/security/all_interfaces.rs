//! A server that answers on every address of the machine.

use super::SECURITY;
use super::calls::{calls, text};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::walk::{Nested, Step};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "all-interfaces",
    title: "A server that answers on every address of the machine",
    why: "What was meant for this machine can be reached from every network that it is on.",
    suggestion: "Listen on 127.0.0.1, or take the address from the configuration.",
    severity: Severity::Low,
    confidence: Confidence::Medium,
    cwe: Some(1327),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::Go, Language::Rust],
    examples: &[
        (
            Language::Python,
            "import socket\ns = socket.socket()\ns.bind(('0.0.0.0', 80))\n",
            "import socket\ns = socket.socket()\ns.bind(('127.0.0.1', 80))\n",
        ),
        (Language::JavaScript, "server.listen(80, '0.0.0.0')", "server.listen(80, '127.0.0.1')"),
        (
            Language::Go,
            "package a\nimport \"net\"\nfunc f() { net.Listen(\"tcp\", \"0.0.0.0:80\") }",
            "package a\nimport \"net\"\nfunc f() { net.Listen(\"tcp\", \"127.0.0.1:80\") }",
        ),
        (
            Language::Rust,
            "fn f() { TcpListener::bind(\"0.0.0.0:80\"); }",
            "fn f() { TcpListener::bind(\"127.0.0.1:80\"); }",
        ),
    ],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    if file.is_test() {
        return;
    }
    for call in calls(
        file,
        &["bind", "listen", "Listen", "ListenAndServe", "run", "run_app", "create_server", "start_server"],
    ) {
        let mut open = false;
        for argument in call.arguments {
            file.unit.walk_expr(argument.value, Nested::Skip, &mut |step| {
                if let Step::Expr(id) = step {
                    open |=
                        text(file, id).is_some_and(|text| text == "0.0.0.0" || text.starts_with("0.0.0.0:"));
                }
            });
        }
        if open {
            report.find(call.span, "every network that the machine is on can reach it");
        }
    }
}
