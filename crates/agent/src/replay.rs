//! A run computed anew from its transcript alone: no model, no sandbox.

use crate::desk::World;
use crate::journal::{Journal, Mode};
use crate::model::Absent;
use crate::redact::Redactor;
use crate::store::{RunFile, TRANSCRIPT};
use crate::{Outcome, orchestrator};
use formicary_llm::Prices;
use formicary_model::{ExecutionRequest, Failure, FailureKind, InspectRequest};
use std::path::Path;

/// Computes the run that is kept in `place`. An error where it comes out differently.
pub fn replay(
    run: &RunFile,
    place: &Path,
    prices: &Prices,
    secrets: Vec<String>,
) -> Result<Outcome, Failure> {
    let nothing = || Failure::new(FailureKind::Internal, "a replay runs nothing");
    let world = World {
        model: &Absent { name: run.model_name.clone(), capabilities: run.capabilities },
        observe: &|_: ExecutionRequest| Err(nothing()),
        inspect: &|_: &ExecutionRequest, _: &InspectRequest| Err(nothing()),
        run: &|_: ExecutionRequest| Err(nothing()),
        base: &run.request,
        prices,
        human: None,
        cancelled: &|| false,
        watch: &|_| (),
        redactor: Redactor::new(secrets),
        workers: 1,
    };
    let journal = Journal::open(&place.join(TRANSCRIPT), Mode::Replay)?;
    orchestrator::drive(&world, &run.order, run.base.clone(), journal)
}
