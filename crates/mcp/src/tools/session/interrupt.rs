//! `session_interrupt`.

use crate::answer::Answer;
use crate::call::Call;
use crate::schema;
use crate::tools::{Nature, Spec};
use formicary_model::{Failure, SessionId};
use formicary_platform::sessions::InterruptSession;
use serde_json::{Map, Value, json};

pub(in crate::tools) const TOOL: Spec = Spec {
    name: "session_interrupt",
    about: "Interrupt the cell that runs in a session; variables are kept.",
    nature: Nature::Settles,
    input: schema::of::<SessionId>,
    output: None,
    run,
};

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let running = call.perform::<InterruptSession>(arguments, &[])?.interrupted;
    let text = if running { "interrupted\n" } else { "nothing runs there\n" };
    Answer::new(call, &json!({ "interrupted": running }), text.to_owned())
}
