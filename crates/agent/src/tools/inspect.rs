//! The program, stopped where the model wants to look into it.

use super::{Reply, Tool, text};
use crate::inspect::Look;
use formicary_model::{Breakpoint, InspectRequest};
use serde_json::json;

/// Stops that are looked at, unless fewer are asked for.
const MOST_STOPS: u64 = 5;

pub(super) const TOOL: Tool = Tool {
    name: "inspect",
    description: "Runs the program in the sandbox under a debugger and stops at breakpoints, `FILE:LINE` or a function's name, each with ` if CONDITION` behind it where wanted, and where it fails. Tells the stack, the variables, and what the expressions of `print` give.",
    properties: || {
        let words = json!({"type": "array", "items": {"type": "string"}});
        json!({"breakpoints": words, "print": words, "file": {"type": "string"}, "stdin": {"type": "string"}, "most_stops": {"type": "integer"}})
    },
    required: &["breakpoints"],
    run: |desk, arguments| {
        let words = |name: &str| -> Vec<String> {
            let all = arguments[name].as_array().into_iter().flatten();
            all.filter_map(|word| word.as_str().map(str::to_owned)).take(20).collect()
        };
        let looked_for = InspectRequest {
            breakpoints: words("breakpoints").iter().map(|word| Breakpoint::read(word)).collect(),
            print: words("print"),
            most_stops: arguments["most_stops"].as_u64().unwrap_or(MOST_STOPS).clamp(1, 20) as u32,
            ..InspectRequest::default()
        };
        let file = arguments["file"].as_str().map(crate::tree::confine).transpose();
        let file = match file {
            Ok(file) => file,
            Err(why) => return Ok(Reply::refused(why)),
        };
        if let Some(path) = file.as_ref().filter(|path| !desk.tree.contains(path)) {
            return Ok(Reply::refused(format!("{path} does not exist")));
        }
        let look = Look { looked_for, file, stdin: text(arguments, "stdin") };
        let seen = desk.inspect(&look)?;
        Ok(Reply { text: seen.told, failed: seen.failed })
    },
};
