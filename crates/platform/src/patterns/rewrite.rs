//! Rewriting code by its structure: a preview first, then whole files, then the way back.

use super::written_back;
use crate::facade::Platform;
use crate::keys::Scope;
use crate::use_case::{Choice, Context, declare};
use crate::workspace::Workspace;
use formicary_files::Viewpoint;
use formicary_model::patterns::{RewriteInput, RewriteReport, UndoInput, UndoReport};
use formicary_model::{Failure, FailureKind};
use formicary_review::engine::Watch;
use formicary_review::sources;
use formicary_search::Sought;
use formicary_search::rewrite::{Journal, fixes};

declare!(
    /// Changes code by its shape.
    Rewrite, "rewrite", Post "/v1/rewrite", "Rewrite code by its structure", Some(Scope::Review), Writes,
    RewriteInput => RewriteReport, |_: &Platform, context: &Context<'_>, input: RewriteInput| {
        let workspace = context.workspace(&input.code)?;
        let done = context.watched(|watch| rewrite(context, &workspace, &input, watch));
        let mut report = done.map_err(|failure| workspace.explain(failure))?;
        written_back(&workspace, &report.changes, &mut report.files, (&mut report.written, &mut report.undo));
        Ok(report)
    }
);
declare!(
    /// Takes back a rewrite or refactoring by its name, or the last one.
    Undo, "undo", Post "/v1/undo", "Take back a rewrite or a refactoring", Some(Scope::Review), Writes,
    UndoInput => UndoReport, |_: &Platform, context: &Context<'_>, input: UndoInput| {
        let workspace = context.workspace(&input.code)?;
        let root = sources::root(workspace.directory(), &[])?;
        let undone = Journal::new(&root).undo(input.name.as_deref());
        let mut undone = undone.map_err(|error| workspace.explain(error.into()))?;
        let viewpoint = Viewpoint::new(workspace.directory(), &root);
        undone.restored.iter_mut().for_each(|file| viewpoint.rewrite(file));
        Ok(undone)
    }
);

fn rewrite(
    context: &Context<'_>,
    workspace: &Workspace,
    input: &RewriteInput,
    watch: Watch<'_>,
) -> Result<RewriteReport, Failure> {
    let sought = Sought::of(input.pattern.as_deref(), &input.rules)?;
    let rules = sought.rules(workspace.directory(), input.language.as_deref())?;
    let rules = fixes::with_fixes(&sought, rules, input.to.as_deref())?;
    let read = sources::read(workspace.directory(), workspace.paths(), watch)?;
    let (mut changes, left) = fixes::changes(rules, &read.sources, watch.cancelled);
    if (watch.cancelled)() {
        return Err(Failure::new(FailureKind::Cancelled, "cancelled; nothing was written"));
    }
    let mut report = RewriteReport { skipped: read.skipped, left, ..RewriteReport::default() };
    let mut always = None;
    changes.retain(|change| {
        let shown = change.report(&read.viewpoint);
        let chosen = always.unwrap_or_else(|| context.choose(&shown));
        if matches!(chosen, Choice::All | Choice::Stop) {
            always = Some(chosen);
        }
        let taken = matches!(chosen, Choice::Yes | Choice::All);
        report.changes.extend(taken.then_some(shown));
        taken
    });
    let left = report.left.iter_mut().map(|left| &mut left.file);
    let skipped = report.skipped.iter_mut().map(|skipped| &mut skipped.file);
    left.chain(skipped).for_each(|file| read.viewpoint.rewrite(file));
    if (input.write || !workspace.is_project()) && !changes.is_empty() {
        let what = match &sought {
            Sought::Pattern(pattern) => {
                format!("rewrite {pattern} to {}", input.to.as_deref().unwrap_or_default())
            }
            Sought::Rules(names) => format!("rewrite by {}", names.join(", ")),
        };
        report.undo = Some(Journal::new(&read.root).write(&what, &changes)?);
        report.written = true;
    }
    Ok(report)
}
