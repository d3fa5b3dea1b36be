//! TLS without a look at who answers.

use super::SECURITY;
use super::calls::{calls, integer, is_bool, named, path, text};
use crate::file::{File, Report};
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_model::review::Confidence;
use formicary_syntax::{CallKind, ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "tls-verification-off",
    title: "TLS without a look at who answers",
    why: "Anybody on the way can answer in the server's place, read everything and change it.",
    suggestion: "Leave the check on; give the private authority's certificate where there is one.",
    cwe: Some(295),
    languages: ALL,
    examples: &[
        (
            Language::Python,
            "import requests\nrequests.get('https://a.b', verify=False)\n",
            "import requests\nrequests.get('https://a.b', verify='ca.pem')\n",
        ),
        (
            Language::Python,
            "import ssl\nc = ssl._create_unverified_context()\n",
            "import ssl\nc = ssl.create_default_context()\n",
        ),
        (
            Language::JavaScript,
            "new https.Agent({ rejectUnauthorized: false })",
            "new https.Agent({ rejectUnauthorized: true })",
        ),
        (
            Language::TypeScript,
            "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'",
            "process.env.NODE_EXTRA_CA_CERTS = 'a'",
        ),
        (
            Language::Java,
            "class A implements X509TrustManager { public void checkServerTrusted(X509Certificate[] c, String a) {} }",
            "class A implements X509TrustManager { public void checkServerTrusted(X509Certificate[] c, String a) { inner.checkServerTrusted(c, a); } }",
        ),
        (
            Language::Go,
            "package a\nvar c = tls.Config{InsecureSkipVerify: true}",
            "package a\nvar c = tls.Config{MinVersion: tls.VersionTLS12}",
        ),
        (
            Language::Rust,
            "fn f() { Client::builder().danger_accept_invalid_certs(true); }",
            "fn f() { Client::builder().danger_accept_invalid_certs(false); }",
        ),
        (
            Language::C,
            "void f(CURL *c) { curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 0L); }",
            "void f(CURL *c) { curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 1L); }",
        ),
        (
            Language::Cpp,
            "void f(SSL_CTX *c) { SSL_CTX_set_verify(c, SSL_VERIFY_NONE, nullptr); }",
            "void f(SSL_CTX *c) { SSL_CTX_set_verify(c, SSL_VERIFY_PEER, nullptr); }",
        ),
        (Language::Bash, "curl -k https://a.b\n", "curl -sS https://a.b\nwget -q https://a.b\n"),
    ],
    ..SECURITY
};

const WORDS: &[&str] = &[
    "get",
    "post",
    "put",
    "patch",
    "delete",
    "head",
    "request",
    "options",
    "Client",
    "AsyncClient",
    "Session",
    "_create_unverified_context",
    "_create_stdlib_context",
    "danger_accept_invalid_certs",
    "danger_accept_invalid_hostnames",
    "curl_easy_setopt",
    "SSL_CTX_set_verify",
    "SSL_set_verify",
    "curl",
    "wget",
    "setHostnameVerifier",
    "stream",
    "send",
];

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let message = "who answers is not checked";
    let mut spans = Vec::new();
    for call in calls(file, WORDS) {
        let off = match file.language() {
            Language::Python => {
                call.method().starts_with("_create_")
                    && call.receiver() == "ssl"
                    && call.method().contains("unverified")
                    || call.keyword("verify").is_some_and(|value| is_bool(file, value, false))
            }
            Language::Rust => {
                call.method().starts_with("danger_")
                    && call.first().is_some_and(|value| is_bool(file, value, true))
            }
            Language::C | Language::Cpp => match call.arguments {
                [_, option, value] if call.path == "curl_easy_setopt" => {
                    path(file, option.value).starts_with("CURLOPT_SSL_VERIFY")
                        && (integer(file, value.value) == Some(0)
                            || file.unit.text(file.unit.expr(value.value).span).starts_with('0'))
                }
                [_, mode, ..] => {
                    call.path.ends_with("set_verify") && path(file, mode.value) == "SSL_VERIFY_NONE"
                }
                _ => false,
            },
            Language::Bash => {
                call.kind == CallKind::Command
                    && call.arguments.iter().any(|argument| {
                        let word = file.unit.text(file.unit.expr(argument.value).span);
                        match call.path.as_str() {
                            "curl" => {
                                word == "--insecure"
                                    || word.starts_with('-')
                                        && !word.starts_with("--")
                                        && word.ends_with('k')
                                        && word.len() < 6
                            }
                            "wget" => word == "--no-check-certificate",
                            _ => false,
                        }
                    })
            }
            Language::Java => {
                call.method() == "setHostnameVerifier"
                    && call.first().is_some_and(|value| {
                        path(file, value).contains("Noop") || path(file, value).contains("ALLOW_ALL")
                    })
            }
            _ => false,
        };
        if off {
            spans.push(call.span);
        }
    }
    let words = [
        "rejectUnauthorized",
        "strictSSL",
        "InsecureSkipVerify",
        "NODE_TLS_REJECT_UNAUTHORIZED",
        "verify_mode",
        "check_hostname",
    ];
    for (name, value) in named(file, &words) {
        let off = match name {
            "InsecureSkipVerify" => is_bool(file, value, true),
            "NODE_TLS_REJECT_UNAUTHORIZED" => {
                text(file, value) == Some("0") || integer(file, value) == Some(0)
            }
            "verify_mode" => path(file, value) == "ssl.CERT_NONE",
            // Pointless where the certificate is looked at by itself; then `verify_mode` is what tells.
            "check_hostname" => false,
            _ => is_bool(file, value, false) && file.is_script(),
        };
        if off {
            spans.push(file.unit.expr(value).span);
        }
    }
    if file.language() == Language::Java {
        for (_, function) in file.unit.functions() {
            let trusts =
                function.name == "checkServerTrusted" && function.has_body && function.body.is_empty();
            let any_host = function.name == "verify"
                && function.parameters.iter().any(|parameter| parameter.annotation == Some("SSLSession"))
                && matches!(function.body.as_slice(), [only] if matches!(&file.unit.stmt(*only).kind,
                    StmtKind::Return(Some(value)) if matches!(file.unit.kind(*value), ExprKind::Literal(_)) && is_bool(file, *value, true)));
            if trusts || any_host {
                spans.push(function.name_span);
            }
        }
    }
    for span in spans {
        let finding = report.find(span, message);
        if file.is_test() {
            finding.confidence = Confidence::Low;
        }
    }
}
