//! Rewriting through the façade: a preview first, then whole files, then the way back.

use super::place::{self, invalid};
use super::search::{Sought, pattern_failure, rule_failure, rules};
use crate::facade::Platform;
use formicary_model::patterns::{FileChange, RewriteReport, UndoReport};
use formicary_model::{Failure, FailureKind};
use formicary_patterns::rewrite::journal::JournalError;
use formicary_patterns::rewrite::{Change, Journal};
use formicary_patterns::search::{Pattern, Rule};
use formicary_patterns::{ASTTransformer, Source};
use formicary_review::engine::Watch;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// A rewrite, as a door was asked.
#[derive(Debug, Clone)]
pub struct RewriteOptions {
    /// Where the user stands; relative paths start there.
    pub working_folder: PathBuf,
    /// Files and folders; empty for where the user stands.
    pub paths: Vec<PathBuf>,
    /// The language; every one in which the pattern can be read, if none is named.
    pub language: Option<String>,
    /// What is looked for.
    pub sought: Sought,
    /// What takes its place; rules have their own fix.
    pub template: Option<String>,
    /// Whether the files are written.
    pub write: bool,
}

/// What a person says to one file's change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chosen {
    /// Take it.
    Yes,
    /// Leave it.
    No,
    /// Take it and all that follow.
    All,
    /// Leave it and all that follow.
    Stop,
}

impl Platform {
    /// Changes code by its shape; nothing is written unless it is asked for. `choose` is asked for every file.
    pub fn rewrite(
        &self,
        options: &RewriteOptions,
        watch: Watch<'_>,
        choose: &mut dyn FnMut(&FileChange) -> Chosen,
    ) -> Result<RewriteReport, Failure> {
        let transformer = ASTTransformer::new(with_fixes(options)?);
        let place = place::read(&options.working_folder, &options.paths, watch)?;
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
            let told = change.report();
            let chosen = always.unwrap_or_else(|| choose(&told));
            if matches!(chosen, Chosen::All | Chosen::Stop) {
                always = Some(chosen);
            }
            let taken = matches!(chosen, Chosen::Yes | Chosen::All);
            report.changes.extend(taken.then_some(told));
            taken
        });
        if options.write && !changes.is_empty() {
            let what = match &options.sought {
                Sought::Pattern(pattern) => {
                    format!("rewrite {pattern} to {}", options.template.as_deref().unwrap_or_default())
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
    pub fn undo(&self, working_folder: &Path, name: Option<&str>) -> Result<UndoReport, Failure> {
        let root = place::root(working_folder, &[])?;
        Journal::new(root).undo(name).map_err(|error| journal_failure(&error))
    }
}

pub(super) fn journal_failure(error: &JournalError) -> Failure {
    let hint = match error {
        JournalError::Changed(_) => "look at what changed, then try again",
        JournalError::Astray(_) => "links are not written through",
        JournalError::Nothing(_) => "what was written by `--write` in this project can be taken back",
        JournalError::Unreadable(..) => "remove it from .formicary/undo",
        JournalError::Io { .. } => "the folder must be one that you may write",
    };
    invalid(error.to_string(), hint)
}

fn with_fixes(options: &RewriteOptions) -> Result<Vec<Rule>, Failure> {
    let found = rules(&options.working_folder, &options.sought, options.language.as_deref())?;
    let Some(template) = &options.template else {
        if matches!(options.sought, Sought::Pattern(_)) {
            return Err(invalid("what takes the pattern's place is not said", "say it with --to TEMPLATE"));
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
