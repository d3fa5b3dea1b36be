//! Refactorings: a preview first, then whole files, then a command in the sandbox that must not newly fail; otherwise the
//! change is taken back.

use super::written_back;
use crate::facade::Platform;
use crate::keys::Scope;
use crate::policy::Files;
use crate::use_case::{Context, declare};
use crate::workspace::Workspace;
use formicary_model::patterns::{RefactorInput, RefactorReport};
use formicary_model::{Failure, FailureKind};
use formicary_refactor::operations::requested::{Ended, Project};
use formicary_review::engine::Watch;
use formicary_review::sources;
use formicary_review::tools::ToolRunner as _;
use std::path::{Path, PathBuf};

declare!(
    /// Makes a refactoring, or refuses it with the reason.
    Refactor, "refactor", Post "/v1/refactor", "Rename, extract or inline if it is proven safe", Some(Scope::Review), Writes,
    RefactorInput => RefactorReport, refactor
);

fn refactor(
    platform: &Platform,
    context: &Context<'_>,
    input: RefactorInput,
) -> Result<RefactorReport, Failure> {
    let workspace = context.workspace(&input.code)?;
    // A rename that stops at the directory where the caller stands would break what lies beside it. Who may see a part of
    // the host's files alone gets no further.
    let all = match context.policy.files() {
        Files::Beneath(_) => Vec::new(),
        Files::From(_) | Files::Sent => vec![sources::root(workspace.directory(), &[])?],
    };
    let done = context.watched(|watch| make(platform, &workspace, &all, &input, watch));
    let mut report = done.map_err(|failure| workspace.explain(failure))?;
    written_back(&workspace, &report.changes, &mut report.files, (&mut report.written, &mut report.undo));
    Ok(report)
}

fn make(
    platform: &Platform,
    workspace: &Workspace,
    paths: &[PathBuf],
    input: &RefactorInput,
    watch: Watch<'_>,
) -> Result<RefactorReport, Failure> {
    let directory = workspace.directory();
    let read = sources::read(directory, paths, watch)?;
    let (root, viewpoint) = (&read.root, &read.viewpoint);
    let project = Project { directory, root, viewpoint, sources: &read.sources };
    let done = project.plan(&input.refactoring)?;
    if !input.write && workspace.is_project() {
        return Ok(project.preview(&done));
    }
    project.write(&done, &input.verify, &|command| verify(platform, command, root))
}

/// The exit code of the command in the sandbox, and what it wrote. The project is read-only there.
fn verify(platform: &Platform, command: &[String], root: &Path) -> Result<Option<Ended>, Failure> {
    let Some((program, arguments)) = command.split_first() else { return Ok(None) };
    let environment = [("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned())];
    let output = platform.review_host().tools(root).run(program, arguments, &environment)?;
    let output = output.ok_or_else(|| {
        Failure::new(FailureKind::InvalidInput, format!("{program} is not on this host"))
            .hint("name a program that is on the PATH")
    })?;
    Ok(Some((output.code, format!("{}{}", output.stdout, output.stderr))))
}
