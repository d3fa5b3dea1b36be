//! The language model that the settings and the caller mean, as an adviser of the loop.

use crate::agent::model;
use crate::facade::Platform;
use formicary_model::Failure;
use std::path::Path;

pub(super) use formicary_agent::adviser::{AskedModel, ModelAdviser, ModelOptions};

impl Platform {
    /// The model that these options mean. Nothing is sent yet.
    pub(super) fn fix_model(&self, options: ModelOptions, here: &Path) -> Result<AskedModel, Failure> {
        let llm = &self.settings().llm;
        let chosen = model::choose(llm, &self.sources, &options.model, options.record.as_deref(), here)?;
        AskedModel::new(chosen, self.prices()?, options)
    }
}
