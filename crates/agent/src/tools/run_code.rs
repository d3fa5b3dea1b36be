//! The program, or a command, in the sandbox.

use super::{Reply, Tool, text};
use crate::observe::Program;
use serde_json::json;

pub(super) const TOOL: Tool = Tool {
    name: "run_code",
    description: "Runs the program, or a shell command, on a copy of the workspace in the sandbox. Files that it writes are not kept. A failure comes with its diagnosis.",
    properties: || json!({"command": {"type": "string"}, "stdin": {"type": "string"}}),
    required: &[],
    run: |desk, arguments| {
        let command = arguments["command"].as_str().map(str::to_owned).or_else(|| desk.command.clone());
        let stdin = text(arguments, "stdin");
        let seen = desk.observe(&Program { purpose: "run", command, stdin, ..Program::default() })?;
        Ok(Reply { text: seen.told(), failed: !seen.succeeded() })
    },
};
