//! Cookies that scripts can read or that travel in the clear.

use super::SECURITY;
use super::calls::{Call, calls, is_bool, named};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{ExprKind, Span};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "insecure-cookie",
    title: "A cookie whose protection is switched off",
    why: "Without `Secure` it travels in the clear; without `HttpOnly` a script on the page can read it.",
    suggestion: "Set `Secure`, `HttpOnly` and `SameSite`.",
    severity: Severity::Medium,
    cwe: Some(614),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::Java, Language::Go],
    examples: &[
        (
            Language::Python,
            "def f(r):\n    r.set_cookie('sid', x, secure=False)\n",
            "def f(r):\n    r.set_cookie('sid', x, secure=True, httponly=True)\n",
        ),
        (Language::Python, "SESSION_COOKIE_SECURE = False\n", "SESSION_COOKIE_SECURE = True\n"),
        (
            Language::Python,
            "from flask import make_response\ndef f(x):\n    r = make_response('ok')\n    r.set_cookie('sid', x)\n    return r\n",
            "from flask import make_response\ndef f(x):\n    r = make_response('ok')\n    r.set_cookie('sid', '', max_age=0)\n    return r\n",
        ),
        (
            Language::JavaScript,
            "function f(res) { res.cookie('sid', x, { httpOnly: false }) }",
            "function f(res) { res.cookie('sid', x, { httpOnly: true, secure: true }) }",
        ),
        (
            Language::TypeScript,
            "app.use(session({ cookie: { secure: false } }))",
            "app.use(session({ cookie: { secure: true } }))",
        ),
        (
            Language::Java,
            "class A { void f(Cookie c) { c.setSecure(false); } }",
            "class A { void f(Cookie c) { c.setSecure(true); } }",
        ),
        (
            Language::Java,
            "class A { void f(R r) { Cookie c = new Cookie(\"a\", x); c.setPath(\"/\"); r.addCookie(c); } }",
            "class A { void f(R r) { Cookie c = new Cookie(\"a\", x); c.setSecure(true); r.addCookie(c); } }",
        ),
        (
            Language::Go,
            "package a\nvar c = http.Cookie{Name: \"sid\", Secure: false}",
            "package a\nvar c = http.Cookie{Name: \"sid\", Secure: true, HttpOnly: true}",
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
    let flags: Vec<_> = named(file, &["secure", "httponly", "httpOnly", "Secure", "HttpOnly"])
        .into_iter()
        .filter(|(_, value)| is_bool(file, *value, false))
        .map(|(_, value)| unit.expr(value).span)
        .collect();
    for call in calls(file, &["set_cookie", "cookie", "setSecure", "setHttpOnly", "session", "cookieSession"])
    {
        match call.method() {
            "setSecure" | "setHttpOnly" => {
                if call.receiver().to_lowercase().contains("cookie") || unit.source.contains("Cookie") {
                    spans
                        .extend(call.first().filter(|value| is_bool(file, *value, false)).map(|_| call.span));
                }
            }
            _ => spans.extend(flags.iter().copied().filter(|flag| call.span.contains(*flag))),
        }
    }
    if file.language() == Language::Go {
        for (_, expr) in unit.exprs() {
            if matches!(
                expr.kind,
                formicary_syntax::ExprKind::Collection { .. } | formicary_syntax::ExprKind::Call { .. }
            ) && unit.text(expr.span).starts_with("http.Cookie{")
            {
                spans.extend(flags.iter().copied().filter(|flag| expr.span.contains(*flag)));
            }
        }
    }
    let settings = ["SESSION_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY", "CSRF_COOKIE_SECURE"];
    // The framework's own table of defaults is not a site's choice.
    if file.is_python() && !file.path.ends_with("global_settings.py") {
        for (_, value) in named(file, &settings) {
            if is_bool(file, value, false) {
                spans.push(unit.expr(value).span);
            }
        }
    }
    spans.sort_unstable_by_key(|span| span.start);
    spans.dedup();
    for span in &spans {
        report.find(*span, "the protection of the cookie is switched off");
    }
    for span in unprotected(file).into_iter().chain(unmarked(file)) {
        if !spans.iter().any(|flag| span.contains(*flag)) {
            report.find(span, "the cookie is not marked as secure, and is not by itself").severity =
                Severity::Low;
        }
    }
}

/// Java's cookies that are made and sent in one function without a word about `Secure`.
fn unmarked(file: &File<'_, '_>) -> Vec<Span> {
    if file.language() != Language::Java {
        return Vec::new();
    }
    let unit = file.unit;
    let function = |call: &Call<'_, '_>| unit.expr(call.callee).function;
    let sent: Vec<_> = calls(file, &["addCookie"])
        .iter()
        .filter_map(|call| Some((function(call), unit.name_of(call.first()?)?)))
        .collect();
    if sent.is_empty() {
        return Vec::new();
    }
    // One that is deleted, or handed to somebody else, is not ours to judge.
    let spoken: Vec<_> = calls(file, &["setSecure", "setMaxAge"])
        .into_iter()
        .filter(|call| {
            let none = call.first().is_some_and(|value| unit.text(unit.expr(value).span) == "0");
            call.method() == "setSecure" || none
        })
        .map(|call| (function(&call), call.receiver().to_owned()))
        .collect();
    let mut found = Vec::new();
    for (_, stmt) in unit.stmts() {
        let formicary_syntax::StmtKind::Assign { targets, value: Some(value), .. } = &stmt.kind else {
            continue;
        };
        let ExprKind::Call { callee, .. } = unit.kind(*value) else { continue };
        let made = match unit.kind(*callee) {
            ExprKind::Type(written) => crate::file::last_word(written),
            _ => unit.last_name(*callee).unwrap_or(""),
        };
        let [target] = targets.as_slice() else { continue };
        let Some(name) = unit.name_of(*target).filter(|_| made == "Cookie") else { continue };
        let is_sent = sent.contains(&(stmt.function, name));
        if is_sent && !spoken.iter().any(|(of, who)| *of == stmt.function && who == name) {
            found.push(unit.expr(*value).span);
        }
    }
    found
}

/// Cookies of Python's web frameworks that nobody marked as secure: the default is that they are not.
fn unprotected(file: &File<'_, '_>) -> Vec<Span> {
    const FRAMES: [&str; 5] = ["flask", "django", "fastapi", "starlette", "werkzeug"];
    let of_frame = |module: &str| FRAMES.contains(&module.split('.').next().unwrap_or(module));
    if !file.is_python() || !file.unit.imports.iter().any(|import| of_frame(import.module)) {
        return Vec::new();
    }
    let unit = file.unit;
    let plain = |call: &Call<'_, '_>| {
        let spread = call.arguments.iter().any(|argument| {
            argument.name == Some("") || matches!(unit.kind(argument.value), ExprKind::Spread(_))
        });
        let placed = call.arguments.iter().filter(|argument| argument.name.is_none()).count();
        // An empty value takes a cookie away.
        let value = call.argument(1, "value").map(|value| unit.text(unit.expr(value).span));
        !spread
            && placed < 7
            && call.keyword("secure").is_none()
            && value.is_some_and(|text| !matches!(text, "''" | "\"\""))
    };
    calls(file, &["set_cookie"])
        .into_iter()
        .filter(|call| !call.receiver().is_empty() && plain(call))
        .map(|call| call.span)
        .collect()
}
