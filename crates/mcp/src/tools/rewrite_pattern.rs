//! `rewrite_pattern`: code changed by its shape.

use super::search_pattern::sought;
use super::{Nature, Spec};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{Code, files_schema, read};
use crate::schema;
use formicary_model::Failure;
use formicary_model::patterns::FileChange;
use formicary_platform::patterns::{Chosen, RewriteOptions};
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec {
    name: "rewrite_pattern",
    about: "Rewrite code by structure: pattern as in search_pattern, replacement with the same metavariables, or rules that have \
            fixes. Returns diffs; writes only if apply is set and the server allows it, and then names the change for undo.",
    nature: Nature::Writes,
    input: schema::of::<Input>,
    output: Some(changes),
    run: |call, arguments| run(call, read(arguments)?),
};

/// The shape of what changes files.
pub(super) fn changes() -> Value {
    json!({"type": "object", "properties": {"changes": {"type": "array", "items": {"type": "object"}}, "written": {"type": "boolean"}, "undo": {"type": "string"}}, "required": ["changes", "written"]})
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Input {
    pattern: Option<String>,
    replacement: Option<String>,
    rules: Vec<String>,
    language: Option<String>,
    paths: Vec<String>,
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    apply: bool,
    /// Take back the change of this name instead
    undo: Option<String>,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let place = call.workplace(&Code { paths: input.paths, files: input.files })?;
    if let Some(name) = &input.undo {
        call.may_write(true, &place)?;
        let undone = call.platform().undo(&place.folder, Some(name))?;
        let text = format!("taken back: {}\n", undone.restored.join(", "));
        let whole = json!({"changes": [], "written": true, "change": undone.change, "what": undone.what, "restored": undone.restored});
        return Answer::new(call, &whole, text);
    }
    let options = RewriteOptions {
        sought: sought(input.pattern, input.rules, &place)?,
        working_folder: place.folder.clone(),
        paths: place.paths.clone(),
        language: input.language,
        template: input.replacement,
        write: call.may_write(input.apply, &place)?,
    };
    let report = call.watched(|watch| call.platform().rewrite(&options, watch, &mut |_| Chosen::Yes))?;
    let mut text = told(&report.changes, report.written, report.undo.as_deref());
    for left in &report.left {
        let _ = writeln!(text, "left alone: {}: {}", left.file, left.why);
    }
    Answer::new(call, &report, text)
}

/// Changes of files in words.
pub(super) fn told(changes: &[FileChange], written: bool, undo: Option<&str>) -> String {
    let places: usize = changes.iter().map(|change| change.places).sum();
    let how = if written { "written" } else { "not written" };
    let mut text = format!("{places} places in {} files, {how}\n", changes.len());
    if let Some(undo) = undo {
        let _ = writeln!(text, "undo: {undo}");
    }
    changes.iter().for_each(|change| text.push_str(&change.diff));
    text
}
