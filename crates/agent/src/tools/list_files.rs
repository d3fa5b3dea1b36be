//! Which files there are.

use super::{Reply, Tool};
use crate::redact::as_data;
use serde_json::json;

pub(super) const TOOL: Tool = Tool {
    name: "list_files",
    description: "Lists the files of the workspace with their sizes.",
    properties: || json!({}),
    required: &[],
    run: |desk, _| {
        let line = |path: &str| format!("{path} ({} bytes)", desk.tree.bytes(path).map_or(0, <[u8]>::len));
        let lines: Vec<String> = desk.tree.paths().take(1_000).map(line).collect();
        Ok(Reply::ok(as_data("list of files", &lines.join("\n"))))
    },
};
