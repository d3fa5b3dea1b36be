//! `doctor`: what this host offers, what is missing, and how to get it.

use super::{Spec, list_languages};
use crate::abridge::said;
use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_platform::doctor::{DoctorReport, ProviderReport};
use formicary_platform::operation::Doctor;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec::of::<Doctor>(
    "doctor",
    "What this host offers: how well code is isolated and by what, which protections and languages are missing and how to \
            get them. Each protection of each provider is under full.",
    Some(
        || json!({"type": "object", "properties": {"isolated": {"type": "boolean"}, "level": {"type": "string"}, "providers": {"type": "array", "items": {"type": "object"}}, "languages": {"type": "array", "items": {"type": "object"}}}, "required": ["isolated", "level", "providers"]}),
    ),
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let report = call.perform::<Doctor>(arguments, &[])?.0;
    Answer::digest(call, &slim(&report), &report, "doctor.json", text(&report))
}

/// What the provider that runs use lacks, with the remedy.
fn missing(provider: &ProviderReport) -> Vec<(&'static str, &'static str)> {
    let wanted = provider.configured && provider.unavailable.is_none();
    let lacks = provider.protections.iter().filter(|_| wanted);
    lacks.filter_map(|one| Some((one.protection.word(), one.remedy?))).collect()
}

fn slim(report: &DoctorReport) -> Value {
    let provider = |provider: &ProviderReport| {
        let lacks = missing(provider).into_iter();
        said([
            ("name", json!(provider.name)),
            ("level", json!(provider.level)),
            ("configured", json!(provider.configured)),
            ("unavailable", json!(provider.unavailable)),
            ("missing", lacks.map(|(name, remedy)| (name.to_owned(), json!(remedy))).collect()),
        ])
    };
    json!({
        "isolated": report.isolated,
        "level": report.level,
        "providers": report.providers.iter().map(provider).collect::<Vec<_>>(),
        "languages": report.languages.iter().map(list_languages::brief).collect::<Vec<_>>(),
    })
}

fn text(report: &DoctorReport) -> String {
    let can = if report.isolated { "can" } else { "cannot" };
    let mut text = format!("untrusted code {can} be isolated here: level {}\n", report.level);
    for provider in &report.providers {
        let chosen = if provider.configured { " (configured)" } else { "" };
        let _ = match &provider.unavailable {
            Some(why) => writeln!(text, "{}: not available{chosen}: {why}", provider.name),
            None => writeln!(text, "{}: level {}{chosen}", provider.name, provider.level),
        };
        for (name, remedy) in missing(provider) {
            let _ = writeln!(text, "  {name}: {remedy}");
        }
    }
    report.languages.iter().for_each(|language| list_languages::line(&mut text, language));
    text
}
