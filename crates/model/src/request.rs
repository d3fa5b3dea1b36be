//! What to run.

use crate::{Assurance, LimitOverrides};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One request to run code, as every door sends it. Nothing in it is trusted: the guard checks it first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ExecutionRequest {
    /// A language's identifier or alias. Absent: detected from shebang, file name and content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The code.
    pub source: Source,
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
    /// Environment variables, besides the few that the sandbox sets.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Limits of the run that differ from the configured ones.
    pub limits: LimitOverrides,
    /// Limits of the compile step that differ from the configured ones.
    pub compile_limits: LimitOverrides,
    /// Extra flags for the compiler (`-std=c++20`, `-O0`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compiler_flags: Vec<String>,
    /// The network that the program sees.
    pub network: Network,
    /// Host folders and files made visible inside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mounts: Vec<Mount>,
    /// Mounts of places that are refused unless named here again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub insist_on_mounts: Vec<String>,
    /// A Python virtual environment on the host whose packages the program may import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub venv: Option<String>,
    /// Python packages that the program may import, installed in a phase of their own before it runs.
    #[serde(skip_serializing_if = "PackageRequest::is_empty")]
    pub packages: PackageRequest,
    /// The image whose tools and files it sees in the place of the host's, or `default` for the language's own. Needs a
    /// provider that has images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Which produced files to bring back.
    pub collect: CollectRequest,
    /// How much protection must hold.
    pub assurance: Assurance,
    /// The session to run in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The isolation provider: `native` unless configured otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// Path relative to the working folder.
    pub path: String,
    /// Its bytes.
    #[serde(with = "crate::request::bytes")]
    #[schemars(with = "crate::request::bytes::Wire")]
    pub content: Vec<u8>,
    /// Whether it may be executed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
}

/// What the program sees of the network.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// Nothing but its own loopback.
    #[default]
    None,
    /// The host's network, all of it.
    Host,
    /// These domains only, through an egress proxy. Not available yet: the guard refuses it.
    Domains(Vec<String>),
}

/// Read-only or writable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MountAccess {
    /// The program can read.
    #[default]
    ReadOnly,
    /// The program can change the host's files there.
    ReadWrite,
}

/// A host path made visible inside the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mount {
    /// Absolute path on the host.
    pub host: String,
    /// Absolute path inside.
    pub guest: String,
    /// Read-only unless said otherwise.
    #[serde(default)]
    pub access: MountAccess,
}

/// Packages of the language's index.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PackageRequest {
    /// Requirements as in a `requirements.txt`: `numpy`, `pandas>=2,<3`, `six==1.17.0 --hash=sha256:…`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
    /// The same for packages that are only wanted by others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// Whether packages may be built from source where there is no built one. Building runs their code, confined.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub from_source: bool,
}

impl PackageRequest {
    /// Whether nothing is wanted.
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }
}

/// Which files to bring back from the working folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CollectRequest {
    /// Globs relative to the working folder; empty: nothing is collected.
    pub globs: Vec<String>,
    /// Files at the most.
    pub max_files: u64,
    /// Bytes at the most, all files together.
    pub max_bytes: u64,
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
    #[serde(untagged)]
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

    /// Writes text as a string, anything else as base64.
    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Wire::Binary { base64: STANDARD.encode(bytes) }.serialize(serializer),
        }
    }

    /// Reads either form.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        match Wire::deserialize(deserializer)? {
            Wire::Text(text) => Ok(text.into_bytes()),
            Wire::Binary { base64 } => STANDARD.decode(base64).map_err(serde::de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn unknown_fields_are_refused() {
        assert!(serde_json::from_str::<ExecutionRequest>(r#"{"langage":"python"}"#).is_err());
    }
}
