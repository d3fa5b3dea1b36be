//! Words in files, documentation too.

use super::{Reply, Tool, text};
use crate::redact::{as_data, trimmed};
use serde_json::json;

const MOST: usize = 80;

pub(super) const TOOL: Tool = Tool {
    name: "find_text",
    description: "Finds lines that hold a text, in all files of the workspace: code, documentation, data.",
    properties: || json!({"text": {"type": "string"}}),
    required: &["text"],
    run: |desk, arguments| {
        let wanted = text(arguments, "text").to_lowercase();
        if wanted.trim().is_empty() {
            return Ok(Reply::refused("find_text: the text is empty"));
        }
        let mut found = Vec::new();
        for path in desk.tree.paths() {
            for (at, line) in desk.tree.text(path).unwrap_or_default().lines().enumerate() {
                if found.len() < MOST && line.to_lowercase().contains(&wanted) {
                    found.push(format!("{path}:{}: {}", at + 1, trimmed(line.trim(), 200)));
                }
            }
        }
        match found.is_empty() {
            true => Ok(Reply::ok("nothing holds it")),
            false => Ok(Reply::ok(as_data("lines found", &found.join("\n")))),
        }
    },
};
