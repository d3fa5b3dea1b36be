//! A refactoring as it is requested: places by line and column, paths as whoever asks opens them; made on disk, checked by a
//! command and taken back where that newly fails.

use super::{Refactored, Refused, extract_function, extract_variable, inline, offset_of, rename};
use formicary_files::Viewpoint;
use formicary_model::patterns::{RefactorReport, Refactoring, Verification};
use formicary_model::{Failure, FailureKind};
use formicary_search::Source;
use formicary_search::rewrite::Journal;
use std::path::Path;

/// How much of what a failing command wrote is reported.
const MOST_OUTPUT: usize = 4_000;

/// A project in which a refactoring is made, for one who stands in a directory.
pub struct Project<'a> {
    /// Where the one stands.
    pub directory: &'a Path,
    /// The project's directory.
    pub root: &'a Path,
    /// How its files are shown.
    pub viewpoint: &'a Viewpoint,
    /// Its files.
    pub sources: &'a [Source],
}

/// How a command ended: its exit code, and what it wrote.
pub type Ended = (Option<i32>, String);

/// Runs a command in the project; nothing where there is none to run.
pub type Verify<'a> = dyn Fn(&[String]) -> Result<Option<Ended>, Failure> + 'a;

fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

impl Project<'_> {
    /// Works out the refactoring; nothing is written.
    pub fn plan(&self, refactoring: &Refactoring) -> Result<Refactored, Failure> {
        let done = match refactoring {
            Refactoring::Rename { file, line, column, to } => {
                let source = self.find(file)?;
                rename(self.sources, source.path(), offset(source, *line, *column)?, to)
            }
            Refactoring::ExtractVariable { file, line, column, end_line, end_column, name } => {
                let source = self.find(file)?;
                let (from, until) =
                    (offset(source, *line, *column)?, offset(source, *end_line, *end_column)?);
                extract_variable(source, from..until, name)
            }
            Refactoring::ExtractFunction { file, first, last, name } => {
                let source = self.find(file)?;
                let start = offset(source, *first, 1)?;
                let end = offset_of(source.text(), last + 1, 1).unwrap_or(source.text().len());
                extract_function(source, start..end.max(start), name)
            }
            Refactoring::Inline { file, line, column } => {
                let source = self.find(file)?;
                inline(source, offset(source, *line, *column)?)
            }
        };
        done.map_err(|refused| self.refusal(refused))
    }

    /// What is reported of it before it is written.
    pub fn preview(&self, done: &Refactored) -> RefactorReport {
        RefactorReport {
            what: done.what.clone(),
            changes: done.changes.iter().map(|change| change.report(self.viewpoint)).collect(),
            ..RefactorReport::default()
        }
    }

    /// Writes it, and takes it back if the command newly fails.
    pub fn write(
        &self,
        done: &Refactored,
        command: &[String],
        verify: &Verify<'_>,
    ) -> Result<RefactorReport, Failure> {
        let mut report = self.preview(done);
        let before = verify(command)?;
        let journal = Journal::new(self.root);
        let name = journal.write(&report.what, &done.changes)?;
        report.written = true;
        report.undo = Some(name.clone());
        let Some((before, _)) = before else { return Ok(report) };
        let (after, output) = match verify(command) {
            Ok(after) => after.unwrap_or((None, String::new())),
            Err(failure) => {
                journal.undo(Some(&name))?;
                return Err(failure);
            }
        };
        let rolled_back = before == Some(0) && after != Some(0);
        if rolled_back {
            journal.undo(Some(&name))?;
            (report.written, report.undo) = (false, None);
        }
        let output = if after == Some(0) { String::new() } else { end_of(&output).to_owned() };
        let command = command.to_vec();
        report.verification = Some(Verification { command, before, after, rolled_back, output });
        Ok(report)
    }

    fn find(&self, file: &str) -> Result<&Source, Failure> {
        let wrong = || invalid(format!("{file} is not a source file of the project"), "name a file of it");
        let full = self.directory.join(file).canonicalize().map_err(|_| wrong())?;
        let relative = full.strip_prefix(self.root).map_err(|_| wrong())?.to_string_lossy().into_owned();
        self.sources.iter().find(|source| source.path() == relative).ok_or_else(wrong)
    }

    fn refusal(&self, refused: Refused) -> Failure {
        let refused = match refused {
            Refused::Unsure { what, why } => Refused::Unsure { what: self.seen_place(&what), why },
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
    }

    /// `file:line:column` as the caller opens it.
    fn seen_place(&self, place: &str) -> String {
        let file_end = place.rmatch_indices(':').nth(1).map_or(place.len(), |(at, _)| at);
        let (file, rest) = place.split_at(file_end);
        format!("{}{rest}", self.viewpoint.path(file))
    }
}

fn offset(source: &Source, line: usize, column: usize) -> Result<usize, Failure> {
    offset_of(source.text(), line, column).ok_or_else(|| {
        let message = format!("{} has no place {line}:{column}", source.path());
        invalid(message, "lines and columns count from 1")
    })
}

fn end_of(output: &str) -> &str {
    let mut first = output.len().saturating_sub(MOST_OUTPUT);
    while !output.is_char_boundary(first) {
        first += 1;
    }
    &output[first..]
}
