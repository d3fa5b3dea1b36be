//! Running programs, and judging them.

use super::{Core, invalid, read, written};
use formicary_model::{Comparison, ExecutionRequest, Failure, JudgeResult, JudgeSummary};
use formicary_platform::judge::JudgeRequest;
use formicary_platform::judging::{Cases, JudgeOptions, Template, lines};
use formicary_platform::{Cancel, Live};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::io::Cursor;

/// A request as the configuration would have it, with what the caller says laid over it.
pub(crate) fn request(core: &Core, text: &str) -> Result<ExecutionRequest, Failure> {
    overlaid(core, read(text)?)
}

/// The same from what was read already.
pub(super) fn overlaid(core: &Core, given: Map<String, Value>) -> Result<ExecutionRequest, Failure> {
    let mut base = core.platform.new_request();
    base.assurance = core.platform.assurance_of(given.get("provider").and_then(Value::as_str));
    let base = serde_json::to_value(base).map_err(|error| invalid(error.to_string()))?;
    let Value::Object(mut request) = base else { return Err(invalid("the request is no object")) };
    for (name, value) in given {
        match (request.get_mut(&name), value) {
            // What to collect has bounds of its own that the caller need not repeat.
            (Some(Value::Object(known)), Value::Object(more)) if name == "collect" => known.extend(more),
            (_, value) => {
                request.insert(name, value);
            }
        }
    }
    serde_json::from_value(Value::Object(request))
        .map_err(|error| invalid(format!("the request is wrong: {error}")))
}

pub(super) fn execute(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let live = Live { cancel: cancel.clone(), ..Live::default() };
    written(&core.platform.execute(request(core, text)?, live)?)
}

pub(super) fn warm_up(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    core.platform.warm_up(&request(core, text)?)?;
    Ok("null".into())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judging {
    /// Items as JSON Lines.
    items: String,
    #[serde(default)]
    request: Map<String, Value>,
    #[serde(default)]
    compare: Comparison,
    #[serde(default)]
    fail_fast: bool,
    jobs: Option<usize>,
    #[serde(default)]
    pass_at: Vec<u64>,
}

#[derive(Serialize)]
struct Judged {
    results: Vec<JudgeResult>,
    summary: JudgeSummary,
}

pub(super) fn judge(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Judging = read(text)?;
    let template =
        Template { request: overlaid(core, asked.request)?, comparison: asked.compare, checker: None };
    let options = JudgeOptions {
        cases: if asked.fail_fast { Cases::UntilFailure } else { Cases::All },
        jobs: asked.jobs,
        ..JudgeOptions::default()
    };
    let request = JudgeRequest { options, pass_at: asked.pass_at, ..JudgeRequest::default() };
    let live = Live { cancel: cancel.clone(), ..Live::default() };
    let mut results = Vec::new();
    let source = lines::read(Cursor::new(asked.items.into_bytes()), template);
    let judged = core.platform.judge(source, request, &live, &mut |result, _| {
        results.push(result.clone());
        Ok(())
    })?;
    judged.ended?;
    written(&Judged { results, summary: judged.summary })
}
