//! Containers, by the names of the first documents.

use super::{Core, written};
use formicary_model::Failure;
use formicary_platform::Cancel;
use formicary_platform::seeds::DockerSandbox;

pub(super) fn docker_available(core: &Core, _: &str, _: &Cancel) -> Result<String, Failure> {
    written(&core.platform.check_docker_available())
}

/// Makes sure that the image for Python programs is there, and names it.
pub(super) fn docker_image(core: &Core, _: &str, _: &Cancel) -> Result<String, Failure> {
    let sandbox = DockerSandbox::new(&core.platform, [], "true");
    sandbox.setup_image()?;
    written(&sandbox.image())
}
