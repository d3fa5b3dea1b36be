//! The model says that a step of its plan is done.

use super::{Reply, Tool};
use crate::plan::Stepped;
use serde_json::json;

pub(super) const TOOL: Tool = Tool {
    name: "step_done",
    description: "Says that the step of the plan that is under way is done; its check is then run. Without a check, a run after the last change must have succeeded.",
    properties: || json!({}),
    required: &[],
    run: |desk, _| {
        Ok(match desk.end_step()? {
            Stepped::Done(told) => Reply::ok(told),
            Stepped::NotDone(why) => Reply::refused(why),
        })
    },
};
