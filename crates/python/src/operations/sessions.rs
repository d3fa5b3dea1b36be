//! Sessions of this process.

use super::{Core, invalid, read, written};
use formicary_model::{CellRequest, Failure, SessionRequest, SourceFile};
use formicary_platform::Cancel;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How often it is looked whether a cell was called off.
const TICK: Duration = Duration::from_millis(20);

/// A session as the configuration would have it, with what the caller says laid over it.
pub(super) fn create(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let given: Map<String, Value> = read(text)?;
    let language = given.get("language").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut base = core.platform.new_session(&language);
    base.assurance = core.platform.assurance_of(given.get("provider").and_then(Value::as_str));
    let base = serde_json::to_value(base).map_err(|error| invalid(error.to_string()))?;
    let Value::Object(mut request) = base else { return Err(invalid("the request is no object")) };
    for (name, value) in given {
        match (request.get_mut(&name), value) {
            (Some(Value::Object(known)), Value::Object(more)) if name == "limits" => known.extend(more),
            (_, value) => {
                request.insert(name, value);
            }
        }
    }
    let request: SessionRequest = serde_json::from_value(Value::Object(request))
        .map_err(|error| invalid(format!("the session's request is wrong: {error}")))?;
    written(&core.platform.sessions()?.create(request)?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cell {
    id: String,
    cell: CellRequest,
}

/// Runs a cell; called off, it is interrupted from inside, so that the session lives on.
pub(super) fn run(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Cell = read(text)?;
    let session = core.platform.sessions()?.find(&asked.id)?;
    let (done, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(TICK) {
                if cancel.is_cancelled() {
                    session.interrupt();
                }
            }
        });
        let result = core.platform.run_cell(&asked.id, &asked.cell, &mut |_, _| {});
        drop(done);
        written(&result?)
    })
}

pub(super) fn list(core: &Core, _: &str, _: &Cancel) -> Result<String, Failure> {
    written(&core.platform.sessions()?.list())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    id: String,
    path: Option<String>,
    #[serde(default)]
    files: Vec<SourceFile>,
}

pub(super) fn files(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: Named = read(text)?;
    written(&core.platform.sessions()?.find(&asked.id)?.files()?)
}

pub(super) fn put(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: Named = read(text)?;
    core.platform.sessions()?.find(&asked.id)?.put(&asked.files)?;
    Ok("null".into())
}

pub(super) fn get(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: Named = read(text)?;
    let path = asked.path.ok_or_else(|| invalid("which file is not said"))?;
    written(&core.platform.sessions()?.find(&asked.id)?.get(&path)?)
}

pub(super) fn reset(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: Named = read(text)?;
    core.platform.sessions()?.find(&asked.id)?.reset()?;
    Ok("null".into())
}

pub(super) fn close(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: Named = read(text)?;
    core.platform.sessions()?.close(&asked.id)?;
    Ok("null".into())
}
