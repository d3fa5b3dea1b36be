//! What the operator of a host asks: what it offers, what its runs did, what it keeps.

use crate::use_case::{Input, Judge, Number};
use crate::{Failure, FailureKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Code of which nobody knows the language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DetectInput {
    /// The code.
    pub code: String,
    /// The name of its file, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
}

/// The language that code seems to be in.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Detected {
    /// The language's identifier; absent if nothing tells.
    pub language: Option<String>,
    /// From 0 to 1.
    pub confidence: f64,
    /// What it was recognized by, for people.
    pub why: String,
}

/// Which runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RunsInput {
    /// At most so many of those that ended.
    pub most: Number<200, 0, 10_000>,
}

/// A run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunId {
    /// Its name.
    pub run_id: String,
}

/// Which records of the audit log.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AuditInput {
    /// Not before this: `2026-11-16`, `2026-11-16T09:30:00Z`, or how long ago: `36h`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Before this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Of callers of this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// Of this tenant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// Of this language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// With this status, kind of failure, or kind of record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Of this run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// With this in their text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// At most so many.
    pub most: Number<100, 0, 4_294_967_295>,
    /// What `next` of the page before said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// What must be among the records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct VerifyAuditInput {
    /// Ends of the chain that were noted earlier, `SEQ:HASH` each.
    pub expected: Vec<String>,
}

/// An image.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImageName {
    /// Its name, or a language, whose default image is meant.
    pub name: String,
}

/// An image to be built.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(extend("required" = ["name"]))]
pub struct BuildImageInput {
    /// The name that it gets.
    pub name: String,
    /// What it starts from; the default image of Python if not given.
    pub base: Option<String>,
    /// Python packages: names with versions, or files of requirements.
    pub requirements: Vec<String>,
    /// Whether packages may be built from source if there is no built one.
    pub from_source: bool,
    /// Whether uv and uvx are in it.
    pub uv: bool,
}

/// How much is removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PruneInput {
    /// All of it, rather than what would be made again or exceeds its bounds.
    pub all: bool,
}

impl Input for BuildImageInput {
    fn parts(&mut self, _: &mut dyn Judge) -> Result<(), Failure> {
        if self.name.is_empty() {
            return Err(Failure::new(FailureKind::InvalidInput, "the image has no name").hint("give one"));
        }
        Ok(())
    }
}

/// Who may ask, the scope and the route of the use case say; nothing in these is a matter of degree.
macro_rules! without_parts {
    ($($input:ty),*) => {$(
        impl Input for $input {
            fn parts(&mut self, _: &mut dyn Judge) -> Result<(), Failure> {
                Ok(())
            }
        }
    )*};
}

without_parts!(DetectInput, RunsInput, RunId, AuditInput, VerifyAuditInput, ImageName, PruneInput);
