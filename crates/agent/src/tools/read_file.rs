//! A file, or some of its lines.

use super::{Reply, Tool, text};
use crate::redact::{as_data, trimmed};
use crate::tree::confine;
use serde_json::json;

pub(super) const TOOL: Tool = Tool {
    name: "read_file",
    description: "Reads a file of the workspace, or the lines from `first` to `last` of it.",
    properties: || json!({"path": {"type": "string"}, "first": {"type": "integer"}, "last": {"type": "integer"}}),
    required: &["path"],
    run: |desk, arguments| {
        let path = match confine(&text(arguments, "path")) {
            Ok(path) => path,
            Err(why) => return Ok(Reply::refused(why)),
        };
        let Some(content) = desk.tree.text(&path) else {
            let why = if desk.tree.contains(&path) { "is not text" } else { "does not exist" };
            return Ok(Reply::refused(format!("{path} {why}")));
        };
        let first = arguments["first"].as_u64().unwrap_or(1).max(1) as usize;
        let last = arguments["last"].as_u64().map_or(usize::MAX, |last| last as usize);
        let lines: Vec<&str> = content.lines().skip(first - 1).take(last.saturating_sub(first - 1)).collect();
        Ok(Reply::ok(as_data(&format!("file {path}"), &trimmed(&lines.join("\n"), 10_000))))
    },
};
