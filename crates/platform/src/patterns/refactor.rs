//! Refactorings through the façade: a preview first, then whole files, then a command in the sandbox that must not newly
//! fail; otherwise the change is taken back.

use super::place::{self, Place, invalid};
use super::rewrite::journal_failure;
use crate::facade::Platform;
use crate::keys::Scope;
use crate::policy::Files;
use crate::review::tools::SandboxedTools;
use crate::use_case::{Context, Effect, UseCase};
use crate::workspace::Workspace;
use formicary_files::Viewpoint;
use formicary_model::Failure;
use formicary_model::patterns::{RefactorInput, RefactorReport, Refactoring, Verification};
use formicary_refactor::operations::{
    Refactored, Refused, extract_function, extract_variable, inline, offset_of, rename,
};
use formicary_review::engine::Watch;
use formicary_review::tools::ToolRunner as _;
use formicary_search::Source;
use formicary_search::rewrite::Journal;
use std::path::{Path, PathBuf};

/// How much of what a failing command said is told.
const TOLD_BYTES: usize = 4_000;

/// Makes a refactoring, or refuses it with the reason.
pub struct Refactor;

impl UseCase for Refactor {
    const NAME: &'static str = "refactor";
    const PATH: &'static str = "/v1/refactor";
    const ABOUT: &'static str = "Rename, extract or inline if it is proven safe";
    const SCOPE: Option<Scope> = Some(Scope::Review);
    const EFFECT: Effect = Effect::Writes;
    type Input = RefactorInput;
    type Output = RefactorReport;

    fn run(
        platform: &Platform,
        context: &Context<'_>,
        input: RefactorInput,
    ) -> Result<RefactorReport, Failure> {
        let workspace = context.workspace(&input.code)?;
        // A rename that stops at the directory where the caller stands would break what lies beside it. Who may see a part of
        // the host's files alone gets no further.
        let all = match context.policy.files() {
            Files::Beneath(_) => Vec::new(),
            Files::From(_) | Files::Sent => vec![place::root(workspace.directory(), &[])?],
        };
        let done = context.watched(|watch| platform.refactor(&workspace, &all, &input, watch));
        let mut report = done.map_err(|failure| workspace.explain(failure))?;
        if !workspace.is_project() {
            report.files = workspace.changed(report.changes.iter().map(|change| change.file.as_str()));
            // What was written is gone in a moment; the caller has the files.
            (report.written, report.undo) = (false, None);
        }
        Ok(report)
    }
}

impl Platform {
    fn refactor(
        &self,
        workspace: &Workspace,
        paths: &[PathBuf],
        input: &RefactorInput,
        watch: Watch<'_>,
    ) -> Result<RefactorReport, Failure> {
        let place = place::read(workspace.directory(), paths, watch)?;
        let done = work(workspace.directory(), &input.refactoring, &place)?;
        let mut report = RefactorReport {
            what: done.what,
            changes: done.changes.iter().map(|change| change.report(&place.viewpoint)).collect(),
            ..RefactorReport::default()
        };
        if !input.write && workspace.is_project() {
            return Ok(report);
        }
        let before = self.verified(&input.verify, &place.root)?;
        let journal = Journal::new(&place.root);
        let name = journal.write(&report.what, &done.changes).map_err(|error| journal_failure(&error))?;
        report.written = true;
        report.undo = Some(name.clone());
        if let Some((before, _)) = before {
            let after = self.verified(&input.verify, &place.root);
            let (after, output) = match after {
                Ok(after) => after.unwrap_or((None, String::new())),
                Err(failure) => {
                    journal.undo(Some(&name)).map_err(|error| journal_failure(&error))?;
                    return Err(failure);
                }
            };
            let rolled_back = before == Some(0) && after != Some(0);
            if rolled_back {
                journal.undo(Some(&name)).map_err(|error| journal_failure(&error))?;
                (report.written, report.undo) = (false, None);
            }
            let output = if after == Some(0) { String::new() } else { output };
            let command = input.verify.clone();
            report.verification = Some(Verification { command, before, after, rolled_back, output });
        }
        Ok(report)
    }

    /// The exit code of the command in the sandbox, and the end of what it said. The project is read-only there.
    fn verified(&self, command: &[String], root: &Path) -> Result<Option<(Option<i32>, String)>, Failure> {
        let Some((program, arguments)) = command.split_first() else { return Ok(None) };
        let tools = SandboxedTools {
            providers: &self.providers,
            provider: &self.settings().provider,
            search: &self.execution.toolchains,
            root,
        };
        let environment = [("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned())];
        let output = tools.run(program, arguments, &environment)?;
        let output = output.ok_or_else(|| {
            invalid(format!("{program} is not on this host"), "name a program that is on the PATH")
        })?;
        let said = format!("{}{}", output.stdout, output.stderr);
        let mut first = said.len().saturating_sub(TOLD_BYTES);
        while !said.is_char_boundary(first) {
            first += 1;
        }
        Ok(Some((output.code, said[first..].to_owned())))
    }
}

fn work(directory: &Path, refactoring: &Refactoring, place: &Place) -> Result<Refactored, Failure> {
    let sources = place.sources.as_slice();
    let find = |file: &str| -> Result<&Source, Failure> {
        let wrong = || invalid(format!("{file} is not a source file of the project"), "name a file of it");
        let full = directory.join(file).canonicalize().map_err(|_| wrong())?;
        let relative = full.strip_prefix(&place.root).map_err(|_| wrong())?.to_string_lossy().into_owned();
        sources.iter().find(|source| source.path() == relative).ok_or_else(wrong)
    };
    let offset = |source: &Source, (line, column): (usize, usize)| {
        offset_of(source.text(), line, column).ok_or_else(|| {
            invalid(
                format!("{} has no place {line}:{column}", source.path()),
                "lines and columns count from 1",
            )
        })
    };
    let done = match refactoring {
        Refactoring::Rename { file, line, column, to } => {
            let source = find(file)?;
            rename(sources, source.path(), offset(source, (*line, *column))?, to)
        }
        Refactoring::ExtractVariable { file, line, column, end_line, end_column, name } => {
            let source = find(file)?;
            let (from, until) =
                (offset(source, (*line, *column))?, offset(source, (*end_line, *end_column))?);
            extract_variable(source, from..until, name)
        }
        Refactoring::ExtractFunction { file, first, last, name } => {
            let source = find(file)?;
            let start = offset(source, (*first, 1))?;
            let end = offset_of(source.text(), last + 1, 1).unwrap_or(source.text().len());
            extract_function(source, start..end.max(start), name)
        }
        Refactoring::Inline { file, line, column } => {
            let source = find(file)?;
            inline(source, offset(source, (*line, *column))?)
        }
    };
    done.map_err(|refused| {
        let refused = match refused {
            Refused::Unsure { what, why } => {
                Refused::Unsure { what: seen_place(&place.viewpoint, &what), why }
            }
            other => other,
        };
        let hint = match &refused {
            Refused::Unsure { .. } => {
                "it is refused because it could not be proven safe; change that place first"
            }
            Refused::Wrong(_) | Refused::Language { .. } => {
                "`formicary refactor --help` tells how it is used"
            }
        };
        invalid(refused.to_string(), hint)
    })
}

/// `file:line:column` as the caller opens it.
fn seen_place(viewpoint: &Viewpoint, place: &str) -> String {
    let file_end = place.rmatch_indices(':').nth(1).map_or(place.len(), |(at, _)| at);
    let (file, rest) = place.split_at(file_end);
    format!("{}{rest}", viewpoint.path(file))
}
