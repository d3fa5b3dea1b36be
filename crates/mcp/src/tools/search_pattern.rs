//! `search_pattern`: code by its shape.

use super::{Nature, Spec};
use crate::answer::Answer;
use crate::call::{Call, Workplace};
use crate::inputs::{Code, files_schema, invalid, read};
use crate::schema;
use formicary_model::Failure;
use formicary_platform::patterns::{SearchOptions, Sought};
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec {
    name: "search_pattern",
    about: "Search code by structure. The pattern is code in which $X stands for any expression and $$$ for any number of them: \
            `requests.get($URL, $$$)`. Layout does not matter. Or use rules: shipped ones, `all`, or YAML files of the project. If \
            nothing matches, nearest tells where it came close.",
    nature: Nature::Reads,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"matches": {"type": "array", "items": {"type": "object"}}, "files": {"type": "integer"}}, "required": ["matches"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Input {
    pattern: Option<String>,
    rules: Vec<String>,
    language: Option<String>,
    paths: Vec<String>,
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
}

/// What is looked for. Rules that are files must be files of the workplace.
pub(super) fn sought(
    pattern: Option<String>,
    rules: Vec<String>,
    place: &Workplace,
) -> Result<Sought, Failure> {
    match (pattern, rules.is_empty()) {
        (Some(pattern), true) => Ok(Sought::Pattern(pattern)),
        (None, false) => {
            let rule = |rule: String| place.root.revision(&rule);
            Ok(Sought::Rules(rules.into_iter().map(rule).collect::<Result<_, _>>()?))
        }
        (Some(_), false) => Err(invalid("pattern and rules are given together", "give one of them")),
        (None, true) => {
            Err(invalid("what to look for is not said", "give a pattern, as in print($X), or rules"))
        }
    }
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let place = call.workplace(&Code { paths: input.paths, files: input.files })?;
    // Of many rules most find nothing, and why is of no interest.
    let explains = input.pattern.is_some();
    let options = SearchOptions {
        sought: sought(input.pattern, input.rules, &place)?,
        working_folder: place.folder.clone(),
        paths: place.paths.clone(),
        language: input.language,
        explain: explains,
    };
    let report = call.watched(|watch| call.platform().search(&options, watch))?;
    let mut text = format!("{} matches in {} files\n", report.matches.len(), report.files);
    for found in report.matches.iter().take(100) {
        let line = found.text.lines().next().unwrap_or_default();
        let _ = writeln!(
            text,
            "{}:{}: {}",
            found.file,
            found.span.start_line,
            line.chars().take(160).collect::<String>()
        );
    }
    for near in &report.nearest {
        let _ = writeln!(text, "nearest in {}: {}", near.language.id(), near.why);
    }
    Answer::new(call, &report, text)
}
