//! `session_interrupt`.

use crate::answer::Answer;
use crate::call::Call;
use crate::tools::Spec;
use formicary_model::Failure;
use formicary_platform::sessions::InterruptSession;
use serde_json::{Map, Value, json};

pub(in crate::tools) const TOOL: Spec = Spec::of::<InterruptSession>(
    "session_interrupt",
    "Interrupt the cell that runs in a session; variables are kept.",
    None,
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let running = call.perform::<InterruptSession>(arguments, &[])?.interrupted;
    let text = if running { "interrupted\n" } else { "nothing runs there\n" };
    Answer::new(call, &json!({ "interrupted": running }), text.to_owned())
}
