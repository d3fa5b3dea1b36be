//! Clones of code in a project, or those that a change left behind.

use crate::facade::Platform;
use crate::keys::Scope;
use crate::use_case::{Context, declare};
use formicary_model::Failure;
use formicary_model::clones::{CloneReport, ClonesInput};
use formicary_review::clones::CloneSearch;

pub use formicary_clones::baseline::KNOWN_CLONES;

declare!(
    /// Finds clones of code; with a change also those that it edited here and not there.
    Clones, "clones", Post "/v1/clones", "Find clones of code", Some(Scope::Review), Writes,
    ClonesInput => CloneReport, clones
);

fn clones(platform: &Platform, context: &Context<'_>, input: ClonesInput) -> Result<CloneReport, Failure> {
    let workspace = context.workspace(&input.code)?;
    let found = context.watched(|watch| {
        CloneSearch::new(workspace.directory(), workspace.paths(), &input)?
            .run(&platform.review_host().git(), watch)
    });
    found.map_err(|failure| workspace.explain(failure))
}
