//! What the model may do, one file each: a schema, and what happens. A call that does not fit its schema does nothing.

mod ask_user;
mod delete_file;
mod diagnose;
mod edit_file;
mod find_text;
mod finish;
mod inspect;
mod list_files;
mod plan;
mod read_file;
pub(crate) mod review;
mod run_code;
mod run_tests;
mod search_code;
mod search_docs;
mod step_done;
mod symbols;
mod use_packages;
mod write_file;

use crate::desk::{Desk, Stop};
use crate::redact::trimmed;
use crate::schema;
use formicary_llm::{ToolCall, ToolSpec};
use formicary_model::agent::AgentStep;
use serde_json::{Value, json};

/// Bytes that a tool may give.
const MOST: usize = 12_000;

/// A tool.
struct Tool {
    name: &'static str,
    description: &'static str,
    properties: fn() -> Value,
    required: &'static [&'static str],
    run: fn(&mut Desk<'_>, &Value) -> Result<Reply, Stop>,
}

/// What a tool gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// For the model.
    pub text: String,
    /// Whether it refused or failed.
    pub failed: bool,
}

impl Reply {
    fn ok(text: impl Into<String>) -> Self {
        Self { text: text.into(), failed: false }
    }

    fn refused(text: impl Into<String>) -> Self {
        Self { text: text.into(), failed: true }
    }
}

impl Tool {
    fn schema(&self) -> Value {
        json!({"type": "object", "properties": (self.properties)(), "required": self.required, "additionalProperties": false})
    }
}

/// Every tool on one page.
const ALL: [&Tool; 19] = [
    &plan::TOOL,
    &step_done::TOOL,
    &list_files::TOOL,
    &read_file::TOOL,
    &write_file::TOOL,
    &edit_file::TOOL,
    &delete_file::TOOL,
    &run_code::TOOL,
    &run_tests::TOOL,
    &find_text::TOOL,
    &search_docs::TOOL,
    &search_code::TOOL,
    &symbols::TOOL,
    &review::TOOL,
    &diagnose::TOOL,
    &inspect::TOOL,
    &use_packages::TOOL,
    &ask_user::TOOL,
    &finish::TOOL,
];

/// The tools as a model is told of them.
pub fn specs(desk: &Desk<'_>) -> Vec<ToolSpec> {
    let offered = |tool: &&&Tool| match tool.name {
        "ask_user" => desk.order.rules.ask,
        "use_packages" => !desk.order.rules.packages.is_empty(),
        _ => true,
    };
    let spec = |tool: &&Tool| ToolSpec {
        name: tool.name.to_owned(),
        description: tool.description.to_owned(),
        schema: tool.schema(),
    };
    ALL.iter().filter(offered).map(spec).collect()
}

/// Does what a call says, if it may be done.
pub fn call(desk: &mut Desk<'_>, call: &ToolCall) -> Result<Reply, Stop> {
    let reply = match ALL.iter().find(|tool| tool.name == call.name) {
        None => {
            let names: Vec<&str> = ALL.iter().map(|tool| tool.name).collect();
            Reply::refused(format!("there is no tool {:?}; there are {}", call.name, names.join(", ")))
        }
        Some(tool) => match schema::check(&call.arguments, &tool.schema()) {
            Err(why) => Reply::refused(format!("{}: {why}", tool.name)),
            Ok(()) => (tool.run)(desk, &call.arguments)?,
        },
    };
    let reply = Reply { text: trimmed(&desk.world.redactor.clean(&reply.text), MOST), ..reply };
    let tree = desk.tree.hash();
    desk.journal.note(
        "tool",
        json!({"name": call.name, "arguments": call.arguments, "reply": reply.text, "failed": reply.failed, "tree": tree}),
    )?;
    let first = reply.text.lines().next().unwrap_or_default().to_owned();
    desk.tell(AgentStep::Tool { tool: call.name.clone(), text: first });
    Ok(reply)
}

fn text(arguments: &Value, name: &str) -> String {
    arguments[name].as_str().unwrap_or_default().to_owned()
}

/// A tree of one changed file, judged and applied.
fn apply(desk: &mut Desk<'_>, change: crate::generate::Change) -> Reply {
    let proposal = crate::generate::Proposal { changes: vec![change], ..Default::default() };
    let changed = proposal.applied(&desk.tree).and_then(|changes| desk.change(&changes));
    match changed {
        Ok(paths) => Reply::ok(format!("done: {}", paths.join(", "))),
        Err(wrong) => Reply::refused(format!("nothing was changed: {}", wrong.join("; "))),
    }
}
