//! The steps of a larger task.

use super::{Reply, Tool};
use crate::plan::PlanStep;
use serde_json::json;

pub(super) const TOOL: Tool = Tool {
    name: "plan",
    description: "Lays down the steps of a task that needs more than one, or lays down anew those that are not done yet. `check` is a shell command that ends with exit code 0 once the step is done.",
    properties: || {
        json!({"steps": {"type": "array", "items": {
            "type": "object", "additionalProperties": false, "required": ["title"],
            "properties": {"title": {"type": "string"}, "check": {"type": "string"}},
        }}})
    },
    required: &["steps"],
    run: |desk, arguments| {
        let steps = arguments["steps"].as_array().into_iter().flatten().map(|step| PlanStep {
            title: step["title"].as_str().unwrap_or_default().to_owned(),
            check: step["check"].as_str().map(str::to_owned),
        });
        Ok(match desk.lay_plan(steps.collect())? {
            Ok(told) => Reply::ok(told),
            Err(why) => Reply::refused(why),
        })
    },
};
