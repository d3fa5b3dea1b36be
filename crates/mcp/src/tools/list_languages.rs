//! `list_languages`: what can run here.

use super::Spec;
use crate::abridge::said;
use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_platform::operation::Languages;
use formicary_platform::{Availability, LanguageStatus};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec::of::<Languages>(
    "list_languages",
    "List languages with their aliases, file endings and whether they can run here.",
    Some(
        || json!({"type": "object", "properties": {"languages": {"type": "array", "items": {"type": "object"}}}, "required": ["languages"]}),
    ),
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let languages = call.perform::<Languages>(arguments, &[])?;
    let (mut text, mut all) = (String::new(), Vec::new());
    for language in languages.iter().map(|language| &language.0) {
        line(&mut text, language);
        let mut one = brief(language);
        one["aliases"] = json!(language.aliases);
        one["extensions"] = json!(language.extensions);
        all.push(one);
    }
    Answer::digest(
        call,
        &json!({ "languages": all }),
        &json!({ "languages": languages }),
        "languages.json",
        text,
    )
}

/// A language by its name, and what is missing.
pub(super) fn brief(language: &LanguageStatus) -> Value {
    let (why, remedy) = match &language.availability {
        Availability::Available { .. } => (None, None),
        Availability::Missing { why, remedy } => (Some(why), Some(remedy)),
    };
    said([("id", json!(language.id)), ("missing", json!(why)), ("remedy", json!(remedy))])
}

/// The same as a line.
pub(super) fn line(text: &mut String, language: &LanguageStatus) {
    let here = match &language.availability {
        Availability::Available { .. } => "yes".to_owned(),
        Availability::Missing { why, remedy } => format!("no: {why}; {remedy}"),
    };
    let _ = writeln!(text, "{}: {here}", language.id);
}
