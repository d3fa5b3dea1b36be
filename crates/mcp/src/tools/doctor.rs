//! `doctor`: what this host offers, what is missing, and how to get it.

use super::list_languages::Nothing;
use super::{Nature, Spec};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::read;
use crate::schema;
use formicary_model::Failure;
use serde_json::json;
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec {
    name: "doctor",
    about: "What this host offers: how well code is isolated and by what, each protection, each language's tools, and what is \
            missing with its remedy.",
    nature: Nature::Reads,
    input: schema::of::<Nothing>,
    output: Some(
        || json!({"type": "object", "properties": {"isolated": {"type": "boolean"}, "level": {"type": "string"}, "providers": {"type": "array", "items": {"type": "object"}}}, "required": ["isolated", "level", "providers"]}),
    ),
    run: |call, arguments| run(call, &read(arguments)?),
};

fn run(call: &Call, _: &Nothing) -> Result<Answer, Failure> {
    let report = call.platform().doctor();
    let mut text = format!(
        "untrusted code {} be isolated here: level {}\n",
        if report.isolated { "can" } else { "cannot" },
        report.level
    );
    for provider in &report.providers {
        let chosen = if provider.configured { " (configured)" } else { "" };
        let _ = writeln!(text, "{}: level {}{chosen}", provider.name, provider.level);
    }
    Answer::new(call, &report, text)
}
