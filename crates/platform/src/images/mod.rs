//! Images through the façade: which are the defaults, which are here, fetching, building and removing them.
//!
//! | module | what it holds |
//! |---|---|
//! | [`recipe`] | Dockerfiles that Formicary writes |

pub mod recipe;

use crate::facade::{Platform, sandbox_settings};
use formicary_execution::guard;
use formicary_model::{Failure, FailureKind};
use formicary_sandbox::providers::docker::Docker;
use formicary_sandbox::providers::docker::engine::Engine;
use formicary_sandbox::providers::docker::image::BuildOptions;
use formicary_sandbox::providers::docker::stock::{self, StockedImage};
use serde::Serialize;
use std::collections::HashMap;

pub use recipe::ImageRecipe;

/// What the engine has of what runs may want.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImageReport {
    /// The image of each language.
    pub defaults: Vec<DefaultImage>,
    /// Images that Formicary made.
    pub ours: Vec<StockedImage>,
}

/// The image of one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DefaultImage {
    /// The language's identifier.
    pub language: String,
    /// The image's name.
    pub image: String,
    /// What the engine knows of it, if it is here.
    pub here: Option<StockedImage>,
}

/// What to remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PruneImages {
    /// What runs make by themselves and would make again.
    Internal,
    /// Every image that Formicary made.
    All,
}

impl Platform {
    /// The default image of each language and the images that Formicary made.
    pub fn images(&self) -> Result<ImageReport, Failure> {
        let engine = self.engine()?;
        let mut defaults = Vec::new();
        for (language, image) in self.settings().images.clone() {
            let here = stock::find(&engine, &image)?;
            defaults.push(DefaultImage { language, image, here });
        }
        let mut ours = stock::ours(&engine)?;
        ours.sort_by(|a, b| (&a.names, &a.id).cmp(&(&b.names, &b.id)));
        Ok(ImageReport { defaults, ours })
    }

    /// Fetches an image, by its name or as the default of a language. Its name.
    pub fn pull_image(&self, word: &str, watch: &mut dyn FnMut(&str)) -> Result<String, Failure> {
        let name = self.settings().images.get(word).cloned().unwrap_or_else(|| word.to_string());
        guard::check_image(&name)?;
        stock::pull(&self.engine()?, &name, watch)?;
        Ok(name)
    }

    /// Builds an image. Packages are installed now, never when it runs.
    pub fn build_image(
        &self,
        recipe: &ImageRecipe,
        watch: &mut dyn FnMut(&str),
    ) -> Result<StockedImage, Failure> {
        let written = recipe.write(&self.settings().images, self.certificates())?;
        let engine = self.engine()?;
        let how = BuildOptions {
            network: self.settings().docker.build_network.clone(),
            arguments: self.build_arguments()?,
        };
        stock::build(&engine, &recipe.name, &written.dockerfile, &written.context, how, watch)?;
        let built = stock::find(&engine, &recipe.name)?;
        built.ok_or_else(|| Failure::new(FailureKind::Internal, "the image that was built vanished"))
    }

    /// The Dockerfile that [`Self::build_image`] would use.
    pub fn dockerfile(&self, recipe: &ImageRecipe) -> Result<String, Failure> {
        Ok(recipe.write(&self.settings().images, self.certificates())?.dockerfile)
    }

    /// Removes images that Formicary made and that no container uses. Those that went.
    pub fn prune_images(&self, prune: PruneImages) -> Result<Vec<StockedImage>, Failure> {
        let keep = |image: &StockedImage| prune == PruneImages::Internal && !stock::is_internal(image);
        Ok(stock::prune(&self.engine()?, keep)?)
    }

    pub(crate) fn engine(&self) -> Result<Engine, Failure> {
        Ok(Docker::new(sandbox_settings(self.settings(), None).docker).engine()?)
    }

    /// Certificates that this host's pip or uv was told of: an index behind a proxy of one's own is known by no others.
    fn certificates(&self) -> Option<Vec<u8>> {
        let env = &self.execution.packages.as_ref()?.env;
        let path =
            ["PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"].iter().find_map(|name| env.get(*name))?;
        std::fs::read(path).ok()
    }

    /// Index and proxies for the steps of a build. They stay in the image's history, so no password may be among them.
    fn build_arguments(&self) -> Result<HashMap<String, String>, Failure> {
        let packages =
            self.execution.packages.as_ref().map(|packages| packages.env.clone()).unwrap_or_default();
        let passed = packages.into_iter().filter(|(name, _)| recipe::ARGUMENTS.contains(&name.as_str()));
        let arguments: HashMap<String, String> = passed.collect();
        let secret = |value: &String| {
            value
                .split("://")
                .nth(1)
                .is_some_and(|rest| rest.split('/').next().is_some_and(|host| host.contains('@')))
        };
        match arguments.iter().find(|(_, value)| secret(value)) {
            None => Ok(arguments),
            Some((name, _)) => Err(Failure::new(
                FailureKind::InvalidConfiguration,
                format!("{name} holds a password, which would stay in the image's history"),
            )
            .hint(
                "name an index without one, or use --requirements at the run, which keeps it out of sight",
            )),
        }
    }
}
