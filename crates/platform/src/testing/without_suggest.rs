//! What stands for tests with a model's help in a build without the feature `agent`.

use crate::facade::Platform;
use crate::use_case::Context;
use formicary_model::{ExecutionRequest, Failure, FailureKind, GenerationReport};
use formicary_testing::python::generate::GenerationWanted;
use formicary_testing::{Project, Run};

/// Says what this build is without.
pub(super) fn suggest_tests(
    _: &Platform,
    _: &Context<'_>,
    _: &Run<'_>,
    _: (&ExecutionRequest, &Project, &GenerationWanted),
    _: &str,
) -> Result<GenerationReport, Failure> {
    let message = "this build is without language models; the feature `agent` brings them";
    Err(Failure::new(FailureKind::InvalidInput, message).hint("leave the model out"))
}
