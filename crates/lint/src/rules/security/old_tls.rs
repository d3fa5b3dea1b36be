//! Versions of TLS that are broken.

use super::SECURITY;
use super::calls::{calls, path, text};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::ExprKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "old-tls",
    title: "A version of TLS that is broken",
    why: "SSL 2, SSL 3, TLS 1.0 and 1.1 can be attacked by whoever is on the way.",
    suggestion: "Ask for TLS 1.2 at least; better leave the choice to the library.",
    severity: Severity::Medium,
    cwe: Some(327),
    languages: &[
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Java,
        Language::Go,
        Language::C,
        Language::Cpp,
    ],
    examples: &[
        (
            Language::Python,
            "import ssl\nc = ssl.SSLContext(ssl.PROTOCOL_TLSv1)\n",
            "import ssl\nc = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)\n",
        ),
        (
            Language::JavaScript,
            "tls.connect({ secureProtocol: 'TLSv1_method' })",
            "tls.connect({ minVersion: 'TLSv1.2' })",
        ),
        (
            Language::Java,
            "class A { void f() throws Exception { SSLContext.getInstance(\"TLSv1\"); } }",
            "class A { void f() throws Exception { SSLContext.getInstance(\"TLSv1.2\"); } }",
        ),
        (
            Language::Go,
            "package a\nvar c = tls.Config{MinVersion: tls.VersionTLS10}",
            "package a\nvar c = tls.Config{MinVersion: tls.VersionTLS12}",
        ),
        (
            Language::C,
            "void f(void) { SSL_CTX_new(SSLv3_method()); }",
            "void f(void) { SSL_CTX_new(TLS_method()); }",
        ),
    ],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    if file.is_test() {
        return;
    }
    let unit = file.unit;
    let mut spans = Vec::new();
    match file.language() {
        Language::Python => {
            for call in calls(file, &["SSLContext", "wrap_socket", "Context"]) {
                let old = |id| {
                    matches!(
                        path(file, id).as_str(),
                        "ssl.PROTOCOL_TLSv1"
                            | "ssl.PROTOCOL_TLSv1_1"
                            | "ssl.PROTOCOL_SSLv2"
                            | "ssl.PROTOCOL_SSLv3"
                    )
                };
                if call.arguments.iter().any(|argument| old(argument.value)) {
                    spans.push(call.span);
                }
            }
        }
        Language::JavaScript | Language::TypeScript => {
            for (_, value) in super::calls::named(file, &["secureProtocol", "minVersion"]) {
                if text(file, value).is_some_and(|text| {
                    matches!(
                        text,
                        "TLSv1"
                            | "TLSv1.1"
                            | "TLSv1_method"
                            | "TLSv1_1_method"
                            | "SSLv3_method"
                            | "SSLv2_method"
                    )
                }) {
                    spans.push(unit.expr(value).span);
                }
            }
        }
        Language::Java => {
            for call in calls(file, &["getInstance"]) {
                let name = call.first().and_then(|first| text(file, first)).unwrap_or("");
                if call.receiver().ends_with("SSLContext")
                    && matches!(name, "SSL" | "SSLv2" | "SSLv3" | "TLSv1" | "TLSv1.1")
                {
                    spans.push(call.span);
                }
            }
        }
        Language::Go => {
            for (_, value) in super::calls::named(file, &["MinVersion"]) {
                if let ExprKind::Attribute {
                    name: "VersionTLS10" | "VersionTLS11" | "VersionSSL30", ..
                } = unit.kind(value)
                {
                    spans.push(unit.expr(value).span);
                }
            }
        }
        _ => {
            let words = [
                "SSLv2_method",
                "SSLv3_method",
                "TLSv1_method",
                "TLSv1_1_method",
                "SSLv3_client_method",
                "TLSv1_client_method",
            ];
            spans.extend(calls(file, &words).into_iter().map(|call| call.span));
        }
    }
    for span in spans {
        report.find(span, "this version of TLS is broken");
    }
}
