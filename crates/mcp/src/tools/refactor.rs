//! `refactor`: renames, extracts or inlines where that is proven safe.

use super::rewrite_pattern::{changes, told};
use super::{Nature, Spec};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{Code, files_schema, invalid, read};
use crate::schema;
use formicary_model::Failure;
use formicary_platform::patterns::{RefactorOptions, Refactoring};
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

pub(super) const TOOL: Spec = Spec {
    name: "refactor",
    about: "Refactor where it is proven safe, refuse with the reason where it is not: rename (line, column, name), inline (line, \
            column), extract_variable (line, column, end_line, end_column, name), extract_function (line, end_line, name). \
            Returns diffs; writes only if apply is set and the server allows it.",
    nature: Nature::Writes,
    input: schema::of::<Input>,
    output: Some(changes),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Operation {
    Rename,
    Inline,
    ExtractVariable,
    ExtractFunction,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    operation: Operation,
    path: String,
    /// From 1
    line: usize,
    /// From 1, in characters
    #[serde(default)]
    column: Option<usize>,
    #[serde(default)]
    end_line: Option<usize>,
    /// After the last character
    #[serde(default)]
    end_column: Option<usize>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    #[serde(default)]
    apply: bool,
    /// With apply: program and arguments that must not newly fail, else the change is taken back
    #[serde(default)]
    verify: Vec<String>,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let place = call.workplace(&Code { paths: vec![input.path.clone()], files: input.files.clone() })?;
    let file = place.paths.first().cloned().unwrap_or_else(|| PathBuf::from(&input.path));
    let options = RefactorOptions {
        working_folder: place.folder.clone(),
        refactoring: asked(&input, file)?,
        write: call.may_write(input.apply, &place)?,
        verify: input.verify,
    };
    let report = call.watched(|watch| call.platform().refactor(&options, watch))?;
    let text = format!("{}\n{}", report.what, told(&report.changes, report.written, report.undo.as_deref()));
    Answer::new(call, &report, text)
}

fn asked(input: &Input, file: PathBuf) -> Result<Refactoring, Failure> {
    let missing = |what: &str| {
        invalid(format!("{what} is not said"), "the tool's description says what each operation needs")
    };
    let number = |value: Option<usize>, what: &str| value.ok_or_else(|| missing(what));
    let name = || input.name.clone().ok_or_else(|| missing("name"));
    Ok(match input.operation {
        Operation::Rename => {
            Refactoring::Rename { file, at: (input.line, number(input.column, "column")?), to: name()? }
        }
        Operation::Inline => Refactoring::Inline { file, at: (input.line, number(input.column, "column")?) },
        Operation::ExtractVariable => Refactoring::ExtractVariable {
            file,
            from: (input.line, number(input.column, "column")?),
            until: (input.end_line.unwrap_or(input.line), number(input.end_column, "end_column")?),
            name: name()?,
        },
        Operation::ExtractFunction => Refactoring::ExtractFunction {
            file,
            first: input.line,
            last: input.end_line.unwrap_or(input.line),
            name: name()?,
        },
    })
}
