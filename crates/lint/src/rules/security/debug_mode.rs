//! A web server that shows its inside to everybody.

use super::SECURITY;
use super::calls::{calls, is_bool, named};
use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "debug-mode",
    title: "A web server in debug mode",
    why: "Flask's debugger lets whoever sees an error page run code; Django's pages show settings and source.",
    suggestion: "Take the switch from the environment, off by default.",
    cwe: Some(489),
    languages: PYTHON,
    examples: &[(
        Language::Python,
        "from flask import Flask\napp = Flask(__name__)\napp.run(debug=True)\n",
        "from flask import Flask\napp = Flask(__name__)\napp.run(debug=settings.debug)\n",
    )],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let imports =
        |name: &str| file.unit.imports.iter().any(|import| import.module.split('.').next() == Some(name));
    if imports("flask") || imports("quart") {
        for call in calls(file, &["run"]) {
            if call.keyword("debug").is_some_and(|value| is_bool(file, value, true)) {
                report.find(call.span, "everybody who sees an error page can run code");
            }
        }
    }
    let name = file.path.rsplit('/').next().unwrap_or(file.path);
    if name == "settings.py" && file.unit.source.contains("INSTALLED_APPS") {
        for (_, value) in named(file, &["DEBUG"]) {
            if is_bool(file, value, true) {
                let finding = report.find(file.unit.expr(value).span, "error pages show settings and source");
                finding.confidence = Confidence::Low;
                finding.severity = Severity::Medium;
            }
        }
    }
}
