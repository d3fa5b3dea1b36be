//! One stretch of a file, or a diff.

use super::{Reply, Tool, apply, text};
use crate::generate::Change;
use serde_json::json;

pub(super) const TOOL: Tool = Tool {
    name: "edit_file",
    description: "Changes files: either replaces `search`, which must stand in the file exactly once, by `replace`, or applies the unified `diff`.",
    properties: || {
        json!({
            "path": {"type": "string"}, "search": {"type": "string"}, "replace": {"type": "string"},
            "diff": {"type": "string"},
        })
    },
    required: &[],
    run: |desk, arguments| {
        let given = |name: &str| arguments.get(name).is_some();
        let change = match (given("diff"), given("path") && given("search") && given("replace")) {
            (true, false) => Change::Diff(text(arguments, "diff")),
            (false, true) => Change::Replace {
                path: text(arguments, "path"),
                search: text(arguments, "search"),
                replace: text(arguments, "replace"),
            },
            _ => return Ok(Reply::refused("edit_file: give path, search and replace, or a diff alone")),
        };
        Ok(apply(desk, change))
    },
};
