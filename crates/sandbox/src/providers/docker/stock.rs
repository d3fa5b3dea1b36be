//! The engine's stock of images: listing, fetching, building and removing them.

use super::engine::{self, Engine, failed};
use super::image::{BuildOptions, LABEL, Tar, build_watched};
pub use super::terms::{Context, StockedImage, is_internal};
use crate::SandboxError;
use bollard::errors::Error;
use bollard::query_parameters::{CreateImageOptions, ListImagesOptions, RemoveImageOptions};
use futures_util::StreamExt;
use std::collections::HashMap;

/// The image of this name, if the engine has it.
pub fn find(engine: &Engine, name: &str) -> Result<Option<StockedImage>, SandboxError> {
    match engine::block(engine.client().inspect_image(name))? {
        Ok(image) => Ok(Some(StockedImage {
            names: image.repo_tags.unwrap_or_default(),
            id: image.id.unwrap_or_default(),
            bytes: image.size.unwrap_or(0).try_into().unwrap_or(0),
            made_as: image.config.and_then(|config| config.labels?.remove(LABEL)),
        })),
        Err(Error::DockerResponseServerError { status_code: 404, .. }) => Ok(None),
        Err(error) => Err(failed("look for an image", error)),
    }
}

/// Every image that we made.
pub fn ours(engine: &Engine) -> Result<Vec<StockedImage>, SandboxError> {
    let filters = HashMap::from([("label".to_string(), vec![LABEL.to_string()])]);
    let options = ListImagesOptions { filters: Some(filters), ..Default::default() };
    let images = engine::block(engine.client().list_images(Some(options)))?;
    let images = images.map_err(|error| failed("list images", error))?;
    let image = |image: bollard::models::ImageSummary| StockedImage {
        names: image.repo_tags,
        id: image.id,
        bytes: image.size.try_into().unwrap_or(0),
        made_as: image.labels.get(LABEL).cloned(),
    };
    Ok(images.into_iter().map(image).collect())
}

/// Fetches an image; what the engine says on the way is shown to `watch`.
pub fn pull(engine: &Engine, name: &str, watch: &mut dyn FnMut(&str)) -> Result<(), SandboxError> {
    // Without a tag the engine would fetch every one of them.
    let has_tag = name.rsplit('/').next().is_some_and(|last| last.contains(':')) || name.contains('@');
    let from = if has_tag { name.to_string() } else { format!("{name}:latest") };
    let options = CreateImageOptions { from_image: Some(from), ..Default::default() };
    let work = async {
        let mut steps = engine.client().create_image(Some(options), None, None);
        while let Some(step) = steps.next().await {
            let step = step?;
            if let Some(error) = step.error_detail {
                return Err(Error::DockerStreamError { error: error.message.unwrap_or_default() });
            }
            let words = [step.id, step.status].into_iter().flatten().collect::<Vec<_>>();
            watch(&words.join(": "));
        }
        Ok::<_, Error>(())
    };
    engine::block(work)?.map_err(|error| failed(&format!("fetch the image {name:?}"), error))
}

/// Builds an image from a Dockerfile and files beside it.
pub fn build(
    engine: &Engine,
    name: &str,
    dockerfile: &str,
    context: &Context,
    how: BuildOptions,
    watch: &mut dyn FnMut(&str),
) -> Result<(), SandboxError> {
    let mut tar = Tar::default();
    tar.file("Dockerfile", dockerfile.as_bytes(), 0o644);
    for (path, bytes) in context {
        tar.file(path, bytes, 0o644);
    }
    build_watched(engine, name, tar.finish(), how, watch)
}

/// Removes images of ours that `keep` does not want kept, and that no container uses. Those that went.
pub fn prune(
    engine: &Engine,
    keep: impl Fn(&StockedImage) -> bool,
) -> Result<Vec<StockedImage>, SandboxError> {
    let mut gone = Vec::new();
    for image in ours(engine)?.into_iter().filter(|image| !keep(image)) {
        let names = if image.names.is_empty() { vec![image.id.clone()] } else { image.names.clone() };
        let removed = names.iter().all(|name| {
            let removal = engine.client().remove_image(name, None::<RemoveImageOptions>, None);
            matches!(engine::block(removal), Ok(Ok(_)))
        });
        if removed {
            gone.push(image);
        }
    }
    Ok(gone)
}
