//! `find_symbols`: what is defined in a project, and where it is named.

use super::{Nature, Spec, index};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{Code, files_schema, read};
use crate::schema;
use formicary_model::Failure;
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec {
    name: "find_symbols",
    about: "List what is defined in code (functions, methods, classes, variables …) with its place; with references also each \
            place that names it, certain ones proven by scopes and imports.",
    nature: Nature::Reads,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"symbols": {"type": "array", "items": {"type": "object"}}}, "required": ["symbols"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Input {
    paths: Vec<String>,
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    /// A name, or a path as in Class.method
    name: Option<String>,
    kind: Option<String>,
    references: bool,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let (_place, _, index) = index::of(call, &Code { paths: input.paths, files: input.files })?;
    let (name, kind) = (input.name.as_deref(), input.kind.as_deref());
    let found = call.platform().symbols(&index, name, kind, input.references)?;
    let mut text = format!("{} symbols\n", found.len());
    for (symbol, references) in found.iter().take(index::MOST_NAMED) {
        let (kind, line) = (symbol.kind.word(), symbol.span.start_line);
        let _ = writeln!(text, "{kind} {} {}:{line}", symbol.path, symbol.file);
        for place in references.iter().take(index::MOST_NAMED) {
            let sure = if place.certain { "" } else { " (by name alone)" };
            let _ = writeln!(text, "  {}:{} {}{sure}", place.file, place.span.start_line, place.within);
        }
    }
    let told: Vec<Value> = found
        .iter()
        .map(|(symbol, references)| json!({"symbol": symbol, "references": references}))
        .collect();
    Answer::new(call, &json!({ "symbols": told }), text)
}
