//! The model says that it is done, or that it cannot be done.

use super::{Reply, Tool, text};
use serde_json::json;

pub(super) const TOOL: Tool = Tool {
    name: "finish",
    description: "Says that the task is done; the acceptance is then run. With give_up, says that it cannot be done and why.",
    properties: || json!({"summary": {"type": "string"}, "give_up": {"type": "boolean"}}),
    required: &["summary"],
    run: |desk, arguments| {
        let summary = text(arguments, "summary");
        if arguments["give_up"] == true {
            desk.gave_up = Some(summary);
        } else {
            desk.claim = Some(summary);
        }
        Ok(Reply::ok("noted; the acceptance is run"))
    },
};
