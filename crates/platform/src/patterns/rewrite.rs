//! Rewriting through the façade: a preview first, then whole files, then the way back.

use super::place::{self, invalid};
use super::search::{Sought, pattern_failure, rule_failure, rules};
use crate::facade::Platform;
use crate::keys::Scope;
use crate::use_case::{Choice, Context, Effect, UseCase};
use crate::workspace::Workspace;
use formicary_files::Viewpoint;
use formicary_model::patterns::{FileChange, RewriteInput, RewriteReport, UndoInput, UndoReport};
use formicary_model::{Failure, FailureKind};
use formicary_review::engine::Watch;
use formicary_search::rewrite::journal::JournalError;
use formicary_search::rewrite::{Change, Journal};
use formicary_search::{ASTTransformer, Pattern, Rule, Source};
use rayon::prelude::*;
use std::path::Path;

/// Changes code by its shape.
pub struct Rewrite;

impl UseCase for Rewrite {
    const NAME: &'static str = "rewrite";
    const PATH: &'static str = "/v1/rewrite";
    const ABOUT: &'static str = "Rewrite code by its structure";
    const SCOPE: Option<Scope> = Some(Scope::Review);
    const EFFECT: Effect = Effect::Writes;
    type Input = RewriteInput;
    type Output = RewriteReport;

    fn run(_: &Platform, context: &Context<'_>, input: RewriteInput) -> Result<RewriteReport, Failure> {
        let sought = Sought::of(input.pattern.as_deref(), &input.rules)?;
        let workspace = context.workspace(&input.code)?;
        let mut choose = |change: &FileChange| context.choose(change);
        let done = context.watched(|watch| rewrite(&workspace, &input, &sought, watch, &mut choose));
        let mut report = done.map_err(|failure| workspace.explain(failure))?;
        if !workspace.is_project() {
            report.files = workspace.changed(report.changes.iter().map(|change| change.file.as_str()));
            // What was written is gone in a moment; the caller has the files.
            (report.written, report.undo) = (false, None);
        }
        Ok(report)
    }
}

fn rewrite(
    workspace: &Workspace,
    input: &RewriteInput,
    sought: &Sought,
    watch: Watch<'_>,
    choose: &mut dyn FnMut(&FileChange) -> Choice,
) -> Result<RewriteReport, Failure> {
    let transformer = ASTTransformer::new(with_fixes(workspace.directory(), input, sought)?);
    let place = place::read(workspace.directory(), workspace.paths(), watch)?;
    let reads = |source: &&Source| transformer.matcher().reads(source.dialect()) && !(watch.cancelled)();
    let done: Vec<_> =
        place.sources.par_iter().filter(reads).map(|source| transformer.rewrite(source)).collect();
    let mut report = RewriteReport { skipped: place.skipped, ..RewriteReport::default() };
    let mut changes: Vec<Change> = Vec::new();
    for one in done {
        match one {
            Ok(change) => changes.extend(change),
            Err(left) => report.left.push(left),
        }
    }
    if (watch.cancelled)() {
        return Err(Failure::new(FailureKind::Cancelled, "cancelled; nothing was written"));
    }
    let mut always = None;
    changes.retain(|change| {
        let shown = change.report(&place.viewpoint);
        let chosen = always.unwrap_or_else(|| choose(&shown));
        if matches!(chosen, Choice::All | Choice::Stop) {
            always = Some(chosen);
        }
        let taken = matches!(chosen, Choice::Yes | Choice::All);
        report.changes.extend(taken.then_some(shown));
        taken
    });
    let left = report.left.iter_mut().map(|left| &mut left.file);
    let skipped = report.skipped.iter_mut().map(|skipped| &mut skipped.file);
    left.chain(skipped).for_each(|file| place.viewpoint.rewrite(file));
    if (input.write || !workspace.is_project()) && !changes.is_empty() {
        let what = match sought {
            Sought::Pattern(pattern) => {
                format!("rewrite {pattern} to {}", input.to.as_deref().unwrap_or_default())
            }
            Sought::Rules(names) => format!("rewrite by {}", names.join(", ")),
        };
        let journal = Journal::new(&place.root);
        report.undo = Some(journal.write(&what, &changes).map_err(|error| journal_failure(&error))?);
        report.written = true;
    }
    Ok(report)
}

/// Takes back a rewrite or refactoring by its name, or the last one.
pub struct Undo;

impl UseCase for Undo {
    const NAME: &'static str = "undo";
    const PATH: &'static str = "/v1/undo";
    const ABOUT: &'static str = "Take back a rewrite or a refactoring";
    const SCOPE: Option<Scope> = Some(Scope::Review);
    const EFFECT: Effect = Effect::Writes;
    type Input = UndoInput;
    type Output = UndoReport;

    fn run(_: &Platform, context: &Context<'_>, input: UndoInput) -> Result<UndoReport, Failure> {
        let workspace = context.workspace(&input.code)?;
        let root = place::root(workspace.directory(), &[])?;
        let undone = Journal::new(&root).undo(input.name.as_deref());
        let mut undone = undone.map_err(|error| workspace.explain(journal_failure(&error)))?;
        let viewpoint = Viewpoint::new(workspace.directory(), &root);
        undone.restored.iter_mut().for_each(|file| viewpoint.rewrite(file));
        Ok(undone)
    }
}

pub(crate) fn journal_failure(error: &JournalError) -> Failure {
    let hint = match error {
        JournalError::Changed(_) => "look at what changed, then try again",
        JournalError::Astray(_) => "links are not written through",
        JournalError::Nothing(_) => "what was written by `--write` in this project can be taken back",
        JournalError::Unreadable(..) => "remove it from .formicary/undo",
        JournalError::Io { .. } => "the folder must be one that you may write",
    };
    invalid(error.to_string(), hint)
}

fn with_fixes(directory: &Path, input: &RewriteInput, sought: &Sought) -> Result<Vec<Rule>, Failure> {
    let found = rules(directory, sought, input.language.as_deref())?;
    let Some(template) = &input.to else {
        if matches!(sought, Sought::Pattern(_)) {
            return Err(invalid(
                "what takes the pattern's place is not given",
                "give it as `to`, with --to TEMPLATE on the command line",
            ));
        }
        if !found.iter().any(Rule::has_fix) {
            return Err(invalid("none of the rules has a fix", "add `fix:` to a rule, or use search"));
        }
        return Ok(found);
    };
    let with_fix = |rule: Rule| {
        rule.with_fix(template.as_str()).map_err(|error| {
            let message = rule_failure(&error).message;
            let message = message.strip_prefix("rule : ").map(str::to_owned).unwrap_or(message);
            invalid(message, "use metavariables of the pattern, or name them in it")
        })
    };
    let fixed: Vec<Rule> = found.into_iter().map(with_fix).collect::<Result<_, _>>()?;
    // A template that no language of the pattern understands would be refused file by file.
    let readable = |rule: &Rule| template.trim().is_empty() || Pattern::new(rule.dialect, template).is_ok();
    match fixed.iter().any(readable) {
        true => Ok(fixed.into_iter().filter(readable).collect()),
        false => {
            let error = fixed.first().and_then(|rule| Pattern::new(rule.dialect, template).err());
            match error {
                Some(error) => Err(invalid(
                    pattern_failure(&error).message.replace("pattern", "template"),
                    "write the template in the pattern's language",
                )),
                None => Ok(fixed),
            }
        }
    }
}
