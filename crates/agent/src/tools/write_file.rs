//! A whole file.

use super::{Tool, apply, text};
use crate::generate::Change;
use serde_json::json;

pub(super) const TOOL: Tool = Tool {
    name: "write_file",
    description: "Writes a whole file of the workspace, a new one or in the place of an old one.",
    properties: || json!({"path": {"type": "string"}, "content": {"type": "string"}}),
    required: &["path", "content"],
    run: |desk, arguments| {
        let change = Change::Whole { path: text(arguments, "path"), text: text(arguments, "content") };
        Ok(apply(desk, change))
    },
};
