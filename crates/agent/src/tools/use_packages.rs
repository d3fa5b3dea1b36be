//! Packages that the user allowed, for the runs that follow.

use super::{Reply, Tool};
use serde_json::{Value, json};

pub(super) const TOOL: Tool = Tool {
    name: "use_packages",
    description: "Makes Python packages that the user allowed available to the program. They are installed apart from it, before it runs.",
    properties: || json!({"names": {"type": "array", "items": {"type": "string"}}}),
    required: &["names"],
    run: |desk, arguments| {
        let names: Vec<String> = arguments["names"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
        match desk.use_packages(&names) {
            Ok(()) => Ok(Reply::ok(format!("available from the next run on: {}", desk.packages.join(", ")))),
            Err(why) => Ok(Reply::refused(why)),
        }
    },
};
