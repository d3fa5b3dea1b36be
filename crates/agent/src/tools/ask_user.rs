//! A question to the human.

use super::{Reply, Tool, text};
use crate::desk::Stop;
use crate::outcome::Ending;
use crate::redact::trimmed;
use serde_json::json;

pub(super) const TOOL: Tool = Tool {
    name: "ask_user",
    description: "Asks the user a question. Only where the task cannot be understood without an answer.",
    properties: || json!({"question": {"type": "string"}}),
    required: &["question"],
    run: |desk, arguments| {
        let question = trimmed(&text(arguments, "question"), 2_000);
        if !desk.order.rules.ask {
            return Ok(Reply::refused("nobody can be asked; decide by yourself"));
        }
        let world = desk.world;
        let answer: Option<String> = desk.journal.effect("human", json!({"question": question}), || {
            Ok(world.human.and_then(|human| human(&question)).map(|answer| world.redactor.clean(&answer)))
        })?;
        match answer {
            Some(answer) => Ok(Reply::ok(format!("The user answers: {answer}"))),
            None => Err(Stop::Ended(Ending::NeedsHuman, format!("nobody answered: {question}"))),
        }
    },
};
