//! The tests, in the sandbox.

use super::{Reply, Tool};
use serde_json::json;

pub(super) const TOOL: Tool = Tool {
    name: "run_tests",
    description: "Runs the tests in the sandbox: the user's test command, or the one given.",
    properties: || json!({"command": {"type": "string"}}),
    required: &[],
    run: |desk, arguments| {
        let own = desk.order.task.acceptance.tests.clone();
        let Some(command) = arguments["command"].as_str().map(str::to_owned).or(own) else {
            return Ok(Reply::refused("the user gave no test command; give one, as in `python3 -m pytest`"));
        };
        let seen = desk.test(&command)?;
        let head = if seen.succeeded() { "The tests pass." } else { "The tests do not pass." };
        Ok(Reply { text: format!("{head}\n{}", seen.told()), failed: !seen.succeeded() })
    },
};
