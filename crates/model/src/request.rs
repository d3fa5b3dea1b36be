//! What to run.

use crate::judging::Bytes;
use crate::use_case::{Code, Input, Judge, Purpose};
use crate::{Environment, Failure, LimitOverrides};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::{Deref, DerefMut};

/// One request to run code, as every front end sends it. Nothing in it is trusted: the guard checks it first.
///
/// Unknown fields are refused where a request is read ([`crate::use_case::read`]): serde cannot do it beside a flattened field.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct ExecutionRequest {
    /// A language's identifier or alias. Absent: detected from shebang, file name and content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The code.
    #[serde(flatten, with = "plain")]
    #[schemars(with = "PlainSource")]
    pub source: Source,
    /// A file or a directory of the project to run, in the place of the code: for callers who may name such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Arguments for the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// What to run in the working folder instead of the language's own way to run the entry file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// Standard input.
    #[serde(with = "crate::request::bytes", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "crate::request::bytes::Wire")]
    pub stdin: Vec<u8>,
    /// Limits of the compile step that differ from the configured ones.
    pub compile_limits: LimitOverrides,
    /// Extra flags for the compiler (`-std=c++20`, `-O0`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compiler_flags: Vec<String>,
    /// Which produced files to bring back.
    pub collect: CollectRequest,
    /// Where it runs, with what around it and within which bounds.
    #[serde(flatten)]
    pub environment: Environment,
}

impl Input for ExecutionRequest {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        self.judge_path(judge)?;
        judge.environment(&mut self.environment, Purpose::Run)?;
        judge.limits(&mut self.compile_limits)?;
        judge.collect(&mut self.collect);
        Ok(())
    }
}

impl ExecutionRequest {
    /// Shows the path of a request, if the code is the caller's own file.
    pub(crate) fn judge_path(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        let Some(path) = self.path.take() else { return Ok(()) };
        if self.source != Source::default() {
            return Err(Failure::new(crate::FailureKind::InvalidInput, "code and path are given together")
                .hint("give one of code, files, path"));
        }
        let mut code = Code { paths: vec![path], ..Code::default() };
        judge.code(&mut code)?;
        self.path = code.paths.pop();
        Ok(())
    }
}

// Most of what a run is asked for is its environment: `request.limits` reads better than the way through the field.
impl Deref for ExecutionRequest {
    type Target = Environment;

    fn deref(&self) -> &Environment {
        &self.environment
    }
}

impl DerefMut for ExecutionRequest {
    fn deref_mut(&mut self) -> &mut Environment {
        &mut self.environment
    }
}

impl From<Environment> for ExecutionRequest {
    fn from(environment: Environment) -> Self {
        Self { environment, ..Self::default() }
    }
}

/// Where the code comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Source {
    /// One snippet.
    Code {
        /// The bytes; UTF-8 is checked by the guard so that the error can name the place.
        #[serde(with = "crate::request::bytes")]
        #[schemars(with = "crate::request::bytes::Wire")]
        code: Vec<u8>,
        /// The file name it had, if it came from a file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file_name: Option<String>,
    },
    /// Several files.
    Files {
        /// The files, paths relative to the working folder.
        files: Vec<SourceFile>,
        /// The file to run. Absent: `main.*`, or the only file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entry: Option<String>,
    },
}

/// The code as callers give it: in its long form, or as plain `code` or `files`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
struct PlainSource {
    /// The code, where it is one file.
    code: Option<Bytes>,
    /// The files, where there are several.
    files: Option<Vec<SourceFile>>,
    /// Which of `files` to run. Absent: `main.*`, or the only file.
    entry: Option<String>,
    /// The code in its long form, in the place of `code` or `files`.
    source: Option<Source>,
}

mod plain {
    use super::*;

    pub(super) fn serialize<S: Serializer>(source: &Source, serializer: S) -> Result<S::Ok, S::Error> {
        serde::ser::SerializeMap::end({
            let mut map = serializer.serialize_map(Some(1))?;
            serde::ser::SerializeMap::serialize_entry(&mut map, "source", source)?;
            map
        })
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Source, D::Error> {
        let PlainSource { code, files, entry, source } = PlainSource::deserialize(deserializer)?;
        if [code.is_some(), files.is_some(), source.is_some()].iter().filter(|given| **given).count() > 1 {
            return Err(D::Error::custom("the code is given twice: give one of code, files, source"));
        }
        if entry.is_some() && files.is_none() {
            return Err(D::Error::custom("entry names one of the files, and no files are given"));
        }
        Ok(match (code, files) {
            (Some(code), _) => Source::code(code.0),
            (None, Some(files)) => Source::Files { files, entry },
            (None, None) => source.unwrap_or_default(),
        })
    }
}

impl Default for Source {
    fn default() -> Self {
        Self::Code { code: Vec::new(), file_name: None }
    }
}

impl Source {
    /// A snippet from text.
    pub fn code(code: impl Into<Vec<u8>>) -> Self {
        Self::Code { code: code.into(), file_name: None }
    }
}

/// One file of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "FileOnTheWire")]
pub struct SourceFile {
    /// Path relative to the working directory.
    pub path: String,
    /// Its bytes.
    #[serde(with = "crate::request::bytes")]
    pub content: Vec<u8>,
    /// Whether it may be executed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
}

impl SourceFile {
    /// A file of this path and content.
    pub fn new(path: impl Into<String>, content: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), content: content.into(), executable: false }
    }
}

impl JsonSchema for SourceFile {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SourceFile".into()
    }

    // The same for what is read and what is written, so that a description needs one name for both.
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let content = generator.subschema_for::<bytes::Wire>();
        schemars::json_schema!({
            "type": "object",
            "description": "One file: its text, or its bytes in base64.",
            "properties": {
                "path": { "type": "string", "description": "Path relative to the project: `src/main.py`." },
                "content": { "anyOf": [content, { "type": "null" }], "description": "Its text." },
                "base64": {
                    "type": ["string", "null"],
                    "description": "Its bytes in base64, in the place of the text.",
                },
                "executable": { "type": "boolean", "description": "Whether it may be executed.", "default": false },
            },
            "required": ["path"],
            "additionalProperties": false,
        })
    }
}

/// One file: its text, or its bytes in base64.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileOnTheWire {
    /// Path relative to the project: `src/main.py`.
    path: String,
    /// Its text.
    #[serde(default)]
    content: Option<bytes::Wire>,
    /// Its bytes in base64, in the place of the text.
    #[serde(default)]
    base64: Option<String>,
    /// Whether it may be executed.
    #[serde(default)]
    executable: bool,
}

impl TryFrom<FileOnTheWire> for SourceFile {
    type Error = String;

    fn try_from(file: FileOnTheWire) -> Result<Self, String> {
        let FileOnTheWire { path, content, base64, executable } = file;
        let wire = match (content, base64) {
            (Some(content), None) => content,
            (None, Some(base64)) => bytes::Wire::Binary { base64 },
            (Some(_), Some(_)) => return Err(format!("file {path:?} has both content and base64")),
            (None, None) => return Err(format!("file {path:?} has neither content nor base64")),
        };
        let content =
            wire.bytes().map_err(|error| format!("the base64 of file {path:?} cannot be read: {error}"))?;
        Ok(Self { path, content, executable })
    }
}

/// Which files to bring back from the working folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "CollectOnTheWire")]
pub struct CollectRequest {
    /// Globs relative to the working folder; empty: nothing is collected.
    pub globs: Vec<String>,
    /// Files at the most.
    pub max_files: u64,
    /// Bytes at the most, all files together.
    pub max_bytes: u64,
}

/// A list of globs, or a request that says more.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum CollectOnTheWire {
    /// Globs relative to the working directory.
    List(Vec<String>),
    /// Globs, and how much may come.
    Request(CollectInFull),
}

/// Which files to bring back from the working directory.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct CollectInFull {
    /// Globs relative to the working directory; empty: nothing is collected.
    globs: Vec<String>,
    /// At most so many files.
    max_files: u64,
    /// At most so many bytes, all files together.
    max_bytes: u64,
}

impl Default for CollectInFull {
    fn default() -> Self {
        let CollectRequest { globs, max_files, max_bytes } = CollectRequest::default();
        Self { globs, max_files, max_bytes }
    }
}

impl From<CollectOnTheWire> for CollectRequest {
    fn from(wire: CollectOnTheWire) -> Self {
        match wire {
            CollectOnTheWire::List(globs) => Self { globs, ..Self::default() },
            CollectOnTheWire::Request(CollectInFull { globs, max_files, max_bytes }) => {
                Self { globs, max_files, max_bytes }
            }
        }
    }
}

impl JsonSchema for CollectRequest {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CollectRequest".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        CollectOnTheWire::json_schema(generator)
    }
}

impl Default for CollectRequest {
    fn default() -> Self {
        Self { globs: Vec::new(), max_files: 256, max_bytes: 64 * 1024 * 1024 }
    }
}

/// Bytes on the wire: a string where they are UTF-8, else `{"base64": "…"}`.
pub mod bytes {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use schemars::JsonSchema;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Bytes: a string where they are UTF-8, else `{"base64": "…"}`.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged, expecting = "invalid type: neither text nor {\"base64\": …}")]
    #[schemars(rename = "Bytes")]
    pub enum Wire {
        /// Text.
        Text(String),
        /// Anything else.
        Binary {
            /// The bytes in base64.
            base64: String,
        },
    }

    impl Wire {
        /// The bytes themselves.
        pub fn bytes(self) -> Result<Vec<u8>, base64::DecodeError> {
            match self {
                Self::Text(text) => Ok(text.into_bytes()),
                Self::Binary { base64 } => STANDARD.decode(base64),
            }
        }
    }

    /// Writes text as a string, anything else as base64.
    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Wire::Binary { base64: STANDARD.encode(bytes) }.serialize(serializer),
        }
    }

    /// Reads either form.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        Wire::deserialize(deserializer)?.bytes().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::use_case::read;
    use serde_json::{Value, json};

    #[test]
    fn a_request_round_trips() {
        let request = ExecutionRequest {
            language: Some("python".into()),
            source: Source::code("print(1)"),
            stdin: vec![0xff, 0x00],
            ..Default::default()
        };
        let json = serde_json::to_string(&request).unwrap();
        assert!(json.contains(r#""stdin":{"base64":"/wA="}"#), "{json}");
        assert_eq!(serde_json::from_str::<ExecutionRequest>(&json).unwrap(), request);
    }

    #[test]
    fn a_file_is_text_or_bytes() {
        let read = |json: &str| serde_json::from_str::<SourceFile>(json);
        for json in [
            r#"{"path": "a", "content": "x"}"#,
            r#"{"path": "a", "base64": "eA=="}"#,
            r#"{"path": "a", "content": {"base64": "eA=="}}"#,
        ] {
            assert_eq!(read(json).unwrap(), SourceFile::new("a", "x"), "{json}");
        }
        for json in [
            r#"{"path": "a"}"#,
            r#"{"path": "a", "content": "x", "base64": "eA=="}"#,
            r#"{"path": "a", "base64": "!"}"#,
            r#"{"path": "a", "content": "x", "mode": 7}"#,
        ] {
            assert!(read(json).is_err(), "{json}");
        }
    }

    #[test]
    fn plain_and_long_forms_mean_the_same() {
        let long = |source: Value| json!({ "language": "python", "args": ["a"], "source": source });
        let plain = |name: &str, value: Value| json!({ "language": "python", "args": ["a"], name: value });
        let file = json!({ "path": "main.py", "content": "1" });
        let cases = [
            (plain("code", json!("print(1)")), long(json!({ "code": { "code": "print(1)" } }))),
            (
                plain("code", json!({ "base64": "/w==" })),
                long(json!({ "code": { "code": { "base64": "/w==" } } })),
            ),
            (plain("files", json!([file])), long(json!({ "files": { "files": [file] } }))),
            (
                plain("files", json!([{ "path": "a.bin", "base64": "/w==" }])),
                long(json!({ "files": { "files": [{ "path": "a.bin", "content": { "base64": "/w==" } }] } })),
            ),
        ];
        for (plain, long) in cases {
            let read = |value: &Value| read::<ExecutionRequest>(value.clone(), None).unwrap();
            assert_eq!(read(&plain), read(&long), "{plain}");
        }
        let entry = json!({ "files": [file], "entry": "main.py" });
        let request: ExecutionRequest = read(entry, None).unwrap();
        assert!(matches!(request.source, Source::Files { entry: Some(entry), .. } if entry == "main.py"));
    }

    #[test]
    fn what_is_wrong_is_refused_by_name() {
        let file = json!({ "path": "a.py", "content": "1" });
        let cases = [
            (json!({ "code": "1", "files": [file] }), "twice"),
            (json!({ "code": "1", "source": { "code": { "code": "1" } } }), "twice"),
            (json!({ "files": [file], "source": { "code": { "code": "1" } } }), "twice"),
            (json!({ "code": "1", "entry": "a.py" }), "entry"),
            (json!({ "code": 1 }), "invalid type"),
            (json!({ "code": ["1"] }), "list"),
            (json!({ "files": [["a.py", "1"]] }), "files.0"),
            (json!({ "files": [{ "path": "a.py" }] }), "neither"),
            (json!({ "files": [{ "path": "a.py", "base64": "!" }] }), "base64"),
            (json!({ "files": "a.py" }), "sequence"),
            (json!({ "code": "1", "langage": "python" }), "langage"),
        ];
        for (body, named) in cases {
            let failure = read::<ExecutionRequest>(body.clone(), None).unwrap_err();
            assert!(failure.message.contains(named), "{body}: {failure}");
        }
    }
}
