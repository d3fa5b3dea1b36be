//! The shapes that inputs of several tools share, and how they become requests of the platform.

use crate::call::Call;
use formicary_model::{ExecutionRequest, Failure, FailureKind, LimitOverrides, Source, SourceFile};
use formicary_platform::uploads::UploadedFile;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A wrong input, with the remedy.
pub(crate) fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

/// A tool's input from what the client sent.
pub(crate) fn read<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, Failure> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        invalid(format!("the arguments are wrong: {error}"), "the tool's input schema says what it takes")
    })
}

/// Files that come along, as the schema tells them.
pub(crate) fn files_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "content": {"type": "string"},
                "base64": {"type": "string", "description": "Bytes, instead of content"},
            },
            "required": ["path"],
        },
    })
}

/// A program to run, and how.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Program {
    /// The program. Or give files, or path
    pub(crate) code: Option<String>,
    /// Detected if absent
    pub(crate) language: Option<String>,
    #[schemars(schema_with = "files_schema")]
    pub(crate) files: Vec<UploadedFile>,
    /// Which of files to run; default main.*
    pub(crate) entry: Option<String>,
    /// A file of the project to run
    pub(crate) path: Option<String>,
    pub(crate) stdin: String,
    pub(crate) args: Vec<String>,
    pub(crate) env: BTreeMap<String, String>,
    /// Run this in the folder of files instead of entry
    pub(crate) command: Option<Vec<String>>,
    /// Globs of produced files to return, e.g. *.png
    pub(crate) collect: Vec<String>,
    /// Python packages to install first
    pub(crate) packages: Vec<String>,
    pub(crate) compiler_flags: Vec<String>,
    /// Default 30
    pub(crate) timeout_seconds: Option<f64>,
    /// E.g. {"memory_bytes": 1e9, "processes": 8}
    #[schemars(with = "BTreeMap<String, f64>")]
    pub(crate) limits: Map<String, Value>,
}

impl Program {
    /// The request that it stands for.
    pub(crate) fn request(self, call: &Call) -> Result<ExecutionRequest, Failure> {
        let mut request = call.platform().new_request();
        let limits = limits(&self.limits)?;
        let timeout = LimitOverrides { wall_seconds: self.timeout_seconds, ..LimitOverrides::default() };
        request.limits = limits.or(&timeout);
        call.bound(&mut request.limits)?;
        // A longer wall clock that a shorter CPU limit makes useless would surprise.
        let configured = call.platform().configuration().number("limits.cpu_seconds");
        if request.limits.cpu_seconds.is_none() {
            request.limits.cpu_seconds = request.limits.wall_seconds.filter(|wall| *wall > configured);
        }
        request.source =
            source(call, self.code, &self.files, self.entry, self.path.as_deref(), self.command.is_some())?;
        request.language = self.language;
        request.stdin = self.stdin.into_bytes();
        request.args = self.args;
        request.env = self.env;
        request.command = self.command;
        request.collect.globs = self.collect;
        request.packages.requirements = self.packages;
        request.compiler_flags = self.compiler_flags;
        Ok(request)
    }
}

/// Limits by their names. Models write numbers as they like: `1e9` bytes are as good as `1000000000`.
pub(crate) fn limits(asked: &Map<String, Value>) -> Result<LimitOverrides, Failure> {
    let mut overrides = LimitOverrides::default();
    for (name, value) in asked {
        let Some(number) = value.as_f64() else {
            return Err(invalid(
                format!("limit {name} is {value}, not a number"),
                "give seconds, bytes or a count",
            ));
        };
        // What does not fit the limit's type must not become another number silently.
        if number.is_nan() || number < 0.0 || !overrides.set(name, number) {
            let names: Vec<&str> = formicary_model::Limits::TABLE.iter().map(|limit| limit.name).collect();
            return Err(invalid(
                format!("limit {name}: {value} is not possible"),
                format!("limits: {}", names.join(", ")),
            ));
        }
    }
    Ok(overrides)
}

fn source(
    call: &Call,
    code: Option<String>,
    files: &[UploadedFile],
    entry: Option<String>,
    path: Option<&str>,
    has_command: bool,
) -> Result<Source, Failure> {
    let given = [code.is_some(), !files.is_empty(), path.is_some()].iter().filter(|given| **given).count();
    if given > 1 {
        return Err(invalid("code, files and path are given together", "give one of them"));
    }
    if entry.is_some() && files.is_empty() {
        return Err(invalid("entry is given without files", "give the files that hold it"));
    }
    if let Some(code) = code {
        return Ok(Source::code(code));
    }
    if let Some(path) = path {
        return call.read_program(path);
    }
    if files.is_empty() && !has_command {
        return Err(invalid("there is nothing to run", "give code, files or path"));
    }
    Ok(Source::Files { files: source_files(files)?, entry })
}

/// Files for the sandbox's own folder; the guard checks their paths.
pub(crate) fn source_files(files: &[UploadedFile]) -> Result<Vec<SourceFile>, Failure> {
    let file = |file: &UploadedFile| {
        Ok(SourceFile { path: file.path.clone(), content: file.bytes()?, executable: false })
    };
    files.iter().map(file).collect()
}

/// Code to look at: files that come along, or some of the project's.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Code {
    pub(crate) paths: Vec<String>,
    #[schemars(schema_with = "files_schema")]
    pub(crate) files: Vec<UploadedFile>,
}
