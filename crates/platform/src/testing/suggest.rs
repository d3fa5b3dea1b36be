//! Tests with a model's help, by the agent's crate.

use crate::agent::model;
use crate::facade::Platform;
use crate::use_case::Context;
use formicary_agent::suggest::{self, Wanted};
use formicary_model::{ExecutionRequest, Failure, GenerationReport};
use formicary_testing::python::generate::GenerationWanted;
use formicary_testing::{Project, Run};

/// Writes tests, then asks the model of this name for more.
pub(super) fn suggest_tests(
    platform: &Platform,
    context: &Context<'_>,
    run: &Run<'_>,
    (base, project, wanted): (&ExecutionRequest, &Project, &GenerationWanted),
    spec: &str,
) -> Result<GenerationReport, Failure> {
    let directory = platform.sources.working_folder.clone().unwrap_or_default();
    let chosen = model::choose(&platform.settings().llm, &platform.sources, spec, None, &directory)?;
    suggest::suggest_tests(Wanted { run, base, project, wanted }, &chosen, &|| context.cancel.is_cancelled())
}
