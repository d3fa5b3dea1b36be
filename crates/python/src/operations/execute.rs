//! What runs need besides the registry: a request as the configuration would have it, and warmth.

use super::{Core, read};
use formicary_model::{ExecutionRequest, Failure};
use formicary_platform::Cancel;
use formicary_platform::execute::Execute;
use serde_json::{Map, Value};

/// A request as the configuration would have it, with what the caller says laid over it.
pub(crate) fn request(core: &Core, text: &str) -> Result<ExecutionRequest, Failure> {
    overlaid(core, read(text)?)
}

/// The same from what was read already.
pub(super) fn overlaid(core: &Core, given: Map<String, Value>) -> Result<ExecutionRequest, Failure> {
    core.platform.read::<Execute>(Value::Object(given))
}

pub(super) fn warm_up(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    core.platform.warm_up(&request(core, text)?)?;
    Ok("null".into())
}
