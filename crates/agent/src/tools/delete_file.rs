//! A file goes.

use super::{Tool, apply, text};
use crate::generate::Change;
use serde_json::json;

pub(super) const TOOL: Tool = Tool {
    name: "delete_file",
    description: "Deletes a file of the workspace.",
    properties: || json!({"path": {"type": "string"}}),
    required: &["path"],
    run: |desk, arguments| Ok(apply(desk, Change::Delete { path: text(arguments, "path") })),
};
