//! What other crates know of containers without an engine: names, settings, images as they are listed.

use serde::Serialize;
use std::collections::HashMap;
use std::path::PathBuf;

/// The provider's name.
pub const NAME: &str = "docker";
/// The name under which our images go.
pub const REPOSITORY: &str = "formicary";
/// The label of our images.
pub const LABEL: &str = "formicary.image";
/// The label that names where programs of an image work, where that is not `/work`.
pub const WORK_LABEL: &str = "formicary.work";

/// Settings of the Docker provider.
#[derive(Debug, Clone, Default)]
pub struct DockerSettings {
    /// The engine's socket; the usual ones of Docker and Podman are looked for when absent.
    pub socket: Option<PathBuf>,
    /// The image that containers start from; the host's own programs when absent.
    pub image: Option<String>,
    /// Another runtime of the engine's, such as `runsc`.
    pub runtime: Option<String>,
}

/// How an image is built.
#[derive(Debug, Clone, Default)]
pub struct BuildOptions {
    /// The network of its steps; the engine's default where absent.
    pub network: Option<String>,
    /// Values that its steps see and the image does not keep.
    pub arguments: HashMap<String, String>,
}

/// An image that the engine has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StockedImage {
    /// Its names.
    pub names: Vec<String>,
    /// The engine's own name for it.
    pub id: String,
    /// Bytes, those that it shares with others included.
    pub bytes: u64,
    /// What of ours it is: `skeleton`, `derived`, or the name that it was built under. Absent: not made by us.
    pub made_as: Option<String>,
}

/// Files that go with a Dockerfile, as (path, bytes).
pub type Context = Vec<(String, Vec<u8>)>;

/// Whether it is one that runs need and make by themselves.
pub fn is_internal(image: &StockedImage) -> bool {
    image.names.iter().all(|name| name.starts_with(&format!("{REPOSITORY}:")))
        && matches!(image.made_as.as_deref(), Some("skeleton" | "derived"))
}
