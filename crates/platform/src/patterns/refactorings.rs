//! What a change consists of, between two revisions, two directories or two files.

use crate::facade::Platform;
use crate::keys::Scope;
use crate::use_case::{Context, declare};
use formicary_model::refactorings::{RefactoringReport, RefactoringsInput, Version};
use formicary_model::{Failure, FailureKind};
use formicary_refactor::detection::declarations::VersionFile;
use formicary_refactor::detection::detect;
use formicary_review::change::versions::Named;

declare!(
    /// Lists which refactorings lead from one version to the other.
    Refactorings, "refactorings", Post "/v1/refactorings", "List which refactorings lead from one version to another",
    Some(Scope::Review), Reads, RefactoringsInput => RefactoringReport, refactorings
);

fn refactorings(
    platform: &Platform,
    context: &Context<'_>,
    input: RefactoringsInput,
) -> Result<RefactoringReport, Failure> {
    let (workspace, named) = match (input.before, input.after) {
        (Version::Files(before), Some(Version::Files(after))) => {
            let workspace = context.versions(&before, &after)?;
            (workspace, Named { before: "before".into(), after: Some("after".into()) })
        }
        (Version::Named(before), None) => (context.workspace(&input.code)?, Named { before, after: None }),
        (Version::Named(before), Some(Version::Named(after))) => {
            (context.workspace(&input.code)?, Named { before, after: Some(after) })
        }
        (Version::Named(name), Some(Version::Files(_))) | (Version::Files(_), Some(Version::Named(name))) => {
            return Err(Named::not_a_pair(&name, "files that come along"));
        }
        (Version::Files(_), None) => {
            return Err(Failure::new(FailureKind::InvalidInput, "the version after is not given")
                .hint("send files as `after`, too"));
        }
    };
    let read =
        context.watched(|watch| named.read(workspace.directory(), &platform.review_host().git(), watch));
    let versions = read.map_err(|failure| workspace.explain(failure))?;
    let mut report = detect(&files(&versions.before), &files(&versions.after));
    report.notes.extend(versions.notes);
    Ok(report)
}

fn files(texts: &[(String, String)]) -> Vec<VersionFile<'_>> {
    texts.iter().map(|(path, text)| VersionFile { path, text }).collect()
}
