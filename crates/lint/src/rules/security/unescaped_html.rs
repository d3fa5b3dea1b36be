//! Values that become part of a page as they are.

use super::SECURITY;
use super::calls::{calls, is_bool, is_constant, named, shape};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "unescaped-html",
    title: "A value that becomes part of a page as it is",
    why: "A script in the value runs in the reader's browser with the reader's rights.",
    suggestion: "Set `textContent`, let the template escape, or clean the value with a sanitiser.",
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(79),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::Go],
    examples: &[
        (
            Language::Python,
            "from django.utils.safestring import mark_safe\ndef f(x):\n    return mark_safe('<b>%s</b>' % x)\n",
            "from django.utils.html import format_html\nfrom django.utils.safestring import mark_safe\ndef f(x):\n    return format_html('<b>{}</b>', x) + mark_safe('<br>')\n",
        ),
        (
            Language::Python,
            "import jinja2\ne = jinja2.Environment(autoescape=False)\n",
            "import jinja2\ne = jinja2.Environment(autoescape=True)\n",
        ),
        (
            Language::JavaScript,
            "function f(e, x) { e.innerHTML = '<b>' + x + '</b>' }",
            "function f(e, x) { e.textContent = x; e.innerHTML = '' }",
        ),
        (Language::TypeScript, "function f(x: string) { document.write(x) }", "document.write('<p>')"),
        (
            Language::Go,
            "package a\nimport \"html/template\"\nfunc f(x string) template.HTML { return template.HTML(\"<b>\" + x) }",
            "package a\nimport \"html/template\"\nfunc f() template.HTML { return template.HTML(\"<b>\") }",
        ),
    ],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    if file.is_test() {
        return;
    }
    let unit = file.unit;
    let mut found = Vec::new();
    for call in calls(
        file,
        &["mark_safe", "Markup", "Environment", "write", "writeln", "insertAdjacentHTML", "HTML", "JS"],
    ) {
        let path = call.path.as_str();
        let value = match file.language() {
            Language::Python => match path {
                "jinja2.Environment" => {
                    if call.keyword("autoescape").is_some_and(|value| is_bool(file, value, false)) {
                        found.push((call.span, Confidence::Medium));
                    }
                    continue;
                }
                "django.utils.safestring.mark_safe" | "markupsafe.Markup" | "flask.Markup" => call.first(),
                _ => None,
            },
            Language::Go => {
                matches!(path, "html/template.HTML" | "html/template.JS").then(|| call.first()).flatten()
            }
            _ => match path {
                "document.write" | "document.writeln" | "window.document.write" => call.first(),
                _ if call.method() == "insertAdjacentHTML" => {
                    call.arguments.get(1).map(|argument| argument.value)
                }
                _ => None,
            },
        };
        let Some(value) = value else { continue };
        let shape = shape(file, value);
        if shape.open && (!file.is_python() || shape.built) {
            found.push((call.span, if shape.built { Confidence::Medium } else { Confidence::Low }));
        }
    }
    if file.is_script() {
        for (_, value) in named(file, &["innerHTML", "outerHTML", "dangerouslySetInnerHTML", "__html"]) {
            let clean = unit.text(unit.expr(value).span).to_lowercase();
            if matches!(unit.kind(value), ExprKind::Collection { .. }) || is_constant(file, value) {
                continue;
            }
            if !["sanit", "purify", "escape", "innerhtml"].iter().any(|word| clean.contains(word)) {
                found.push((unit.expr(value).span, Confidence::Medium));
            }
        }
        for (_, stmt) in unit.stmts() {
            if let StmtKind::Assign { targets, operator: Some(_), value: Some(value), .. } = &stmt.kind
                && targets.iter().any(|target| unit.last_name(*target) == Some("innerHTML"))
                && !is_constant(file, *value)
            {
                found.push((stmt.span, Confidence::Medium));
            }
        }
    }
    for (span, sure) in found {
        report.find(span, "the value becomes part of the page as it is").confidence = sure;
    }
}
