//! What stands for a language model as an adviser in a build without the feature `agent`.

use crate::facade::Platform;
use formicary_model::{Diagnosis, Failure, FailureKind, ModelUse};
use formicary_repair::{Advice, Adviser, Question};
use std::path::{Path, PathBuf};

/// Which model may be asked, and what that may cost: none.
#[derive(Debug, Clone)]
#[expect(dead_code, reason = "read only where a model can be asked")]
pub(super) struct ModelOptions {
    pub model: String,
    pub record: Option<PathBuf>,
    pub rounds: u32,
    pub tokens: u64,
    pub money: Option<f64>,
}

/// A model that is ready to be asked: there is none.
#[derive(Debug)]
pub(super) enum AskedModel {}

impl Platform {
    /// Says what this build is without.
    pub(super) fn fix_model(&self, _: ModelOptions, _: &Path) -> Result<AskedModel, Failure> {
        let message = "this build is without language models; the feature `agent` brings them";
        Err(Failure::new(FailureKind::InvalidInput, message).hint("leave the model out"))
    }
}

impl AskedModel {
    pub(super) fn rounds(&self) -> u32 {
        match *self {}
    }
}

/// A model together with a second look at the failure.
#[expect(dead_code, reason = "read only where a model can be asked")]
pub(super) struct ModelAdviser<'a> {
    pub model: &'a AskedModel,
    pub look: &'a (dyn Fn() -> Option<Diagnosis> + Sync),
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl Adviser for ModelAdviser<'_> {
    fn name(&self) -> String {
        match *self.model {}
    }

    fn advise(&self, _: &Question<'_>) -> Result<Advice, Failure> {
        match *self.model {}
    }

    fn used(&self) -> ModelUse {
        match *self.model {}
    }
}
