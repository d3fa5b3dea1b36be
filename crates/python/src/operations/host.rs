//! What this host offers, what its runs did, and its containers.

use super::{Core, read, written};
use formicary_model::Failure;
use formicary_platform::Cancel;
use formicary_platform::seeds::DockerSandbox;
use serde::Deserialize;
use serde_json::json;

pub(super) fn languages(core: &Core, _: &str, _: &Cancel) -> Result<String, Failure> {
    written(&core.platform.languages())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unknown {
    code: String,
    file_name: Option<String>,
}

pub(super) fn detect(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: Unknown = read(text)?;
    let found = core.platform.detect(asked.file_name.as_deref(), asked.code.as_bytes());
    written(&found.map(|detection| detection.language))
}

pub(super) fn doctor(core: &Core, _: &str, _: &Cancel) -> Result<String, Failure> {
    written(&core.platform.doctor())
}

/// The runs of this process: those under way, and those that ended, latest first.
pub(super) fn runs(core: &Core, _: &str, _: &Cancel) -> Result<String, Failure> {
    let executions = &core.platform.monitors().executions;
    written(&json!({"active": executions.active(), "ended": executions.ended()}))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    run_id: String,
}

pub(super) fn timeline(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: Run = read(text)?;
    written(&core.platform.monitors().resources.timeline(&asked.run_id))
}

pub(super) fn metrics(core: &Core, _: &str, _: &Cancel) -> Result<String, Failure> {
    written(&core.platform.monitors().metrics.snapshot())
}

pub(super) fn docker_available(core: &Core, _: &str, _: &Cancel) -> Result<String, Failure> {
    written(&core.platform.check_docker_available())
}

/// Makes sure that the image for Python programs is there, and names it.
pub(super) fn docker_image(core: &Core, _: &str, _: &Cancel) -> Result<String, Failure> {
    let sandbox = DockerSandbox::new(&core.platform, [], "true");
    sandbox.setup_image()?;
    written(&sandbox.image())
}
