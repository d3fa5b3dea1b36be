//! Refactorings through the façade: a preview first, then whole files, then a command in the sandbox that must not newly
//! fail; otherwise the change is taken back.

use super::place::{self, invalid};
use super::rewrite::journal_failure;
use crate::facade::Platform;
use crate::review::tools::SandboxedTools;
use formicary_model::Failure;
use formicary_model::patterns::{RefactorReport, Verification};
use formicary_patterns::Source;
use formicary_patterns::operations::{
    Refactored, Refused, extract_function, extract_variable, inline, offset_of, rename,
};
use formicary_patterns::rewrite::Journal;
use formicary_review::engine::Watch;
use formicary_review::tools::ToolRunner as _;
use std::path::{Path, PathBuf};

/// How much of what a failing command said is told.
const TOLD_BYTES: usize = 4_000;

/// What is done. Lines and columns count from one, columns in characters.
#[derive(Debug, Clone)]
pub enum Refactoring {
    /// The name at a place gets another name.
    Rename {
        /// The file.
        file: PathBuf,
        /// Line and column.
        at: (usize, usize),
        /// The new name.
        to: String,
    },
    /// An expression gets a name.
    ExtractVariable {
        /// The file.
        file: PathBuf,
        /// Line and column of its first character.
        from: (usize, usize),
        /// Line and column after its last.
        until: (usize, usize),
        /// The name.
        name: String,
    },
    /// Statements become a function.
    ExtractFunction {
        /// The file.
        file: PathBuf,
        /// The first line.
        first: usize,
        /// The last line.
        last: usize,
        /// The name.
        name: String,
    },
    /// A variable becomes what it stands for.
    Inline {
        /// The file.
        file: PathBuf,
        /// Line and column of the variable.
        at: (usize, usize),
    },
}

/// A refactoring, as a door was asked.
#[derive(Debug, Clone)]
pub struct RefactorOptions {
    /// Where the user stands; relative paths start there.
    pub working_folder: PathBuf,
    /// What is done.
    pub refactoring: Refactoring,
    /// Whether the files are written.
    pub write: bool,
    /// A program with its arguments that must not newly fail.
    pub verify: Vec<String>,
}

impl Platform {
    /// Makes a refactoring, or refuses it with the reason.
    pub fn refactor(&self, options: &RefactorOptions, watch: Watch<'_>) -> Result<RefactorReport, Failure> {
        let place = place::read(&options.working_folder, &[], watch)?;
        let done = work(options, &place.root, &place.sources)?;
        let mut report = RefactorReport {
            what: done.what,
            changes: done.changes.iter().map(formicary_patterns::rewrite::Change::report).collect(),
            ..RefactorReport::default()
        };
        if !options.write {
            return Ok(report);
        }
        let before = self.verified(&options.verify, &place.root)?;
        let journal = Journal::new(&place.root);
        let name = journal.write(&report.what, &done.changes).map_err(|error| journal_failure(&error))?;
        report.written = true;
        report.undo = Some(name.clone());
        if let Some((before, _)) = before {
            let after = self.verified(&options.verify, &place.root);
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
            let command = options.verify.clone();
            report.verification = Some(Verification { command, before, after, rolled_back, output });
        }
        Ok(report)
    }

    /// The exit code of the command in the sandbox, and the end of what it said. The project is read-only there.
    fn verified(&self, command: &[String], root: &Path) -> Result<Option<(Option<i32>, String)>, Failure> {
        let Some((program, arguments)) = command.split_first() else { return Ok(None) };
        let tools = SandboxedTools {
            providers: &self.providers,
            provider: self.configuration().word("provider"),
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

fn work(options: &RefactorOptions, root: &Path, sources: &[Source]) -> Result<Refactored, Failure> {
    let find = |file: &Path| -> Result<&Source, Failure> {
        let wrong = || {
            invalid(format!("{} is not a source file of the project", file.display()), "name a file of it")
        };
        let full = options.working_folder.join(file).canonicalize().map_err(|_| wrong())?;
        let relative = full.strip_prefix(root).map_err(|_| wrong())?.to_string_lossy().into_owned();
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
    let done = match &options.refactoring {
        Refactoring::Rename { file, at, to } => {
            let source = find(file)?;
            rename(sources, source.path(), offset(source, *at)?, to)
        }
        Refactoring::ExtractVariable { file, from, until, name } => {
            let source = find(file)?;
            extract_variable(source, offset(source, *from)?..offset(source, *until)?, name)
        }
        Refactoring::ExtractFunction { file, first, last, name } => {
            let source = find(file)?;
            let start = offset(source, (*first, 1))?;
            let end = offset_of(source.text(), last + 1, 1).unwrap_or(source.text().len());
            extract_function(source, start..end.max(start), name)
        }
        Refactoring::Inline { file, at } => {
            let source = find(file)?;
            inline(source, offset(source, *at)?)
        }
    };
    done.map_err(|refused| {
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
