//! `formicary refactor`.

use super::search::folder;
use crate::arguments::GlobalArguments;
use crate::arguments::refactor::{How, Place, RefactorArguments, RefactorCommand};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::patterns as render;
use crate::{signals, terminal};
use formicary_model::Failure;
use formicary_platform::patterns::{RefactorOptions, Refactoring};
use formicary_platform::reviewing::engine::Watch;
use formicary_platform::{Cancel, exit};

/// Makes a refactoring, or refuses it.
pub fn run(arguments: RefactorArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (refactoring, how) = asked(arguments.what)?;
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let verify = how.verify.as_deref().unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let options = RefactorOptions {
        working_folder: folder(sources.working_folder)?,
        refactoring,
        write: how.write,
        verify,
    };
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let watch = Watch { progress: &|_, _, _| (), cancelled: &|| cancel.is_cancelled() };
    let report = platform.refactor(&options, watch)?;
    if global.json {
        terminal::print_json(&report)?;
    } else {
        terminal::print(&render::refactored(&report))?;
    }
    let taken_back = report.verification.is_some_and(|verification| verification.rolled_back);
    Ok(if taken_back { exit::NOT_DONE } else { 0 })
}

fn asked(command: RefactorCommand) -> Result<(Refactoring, How), Failure> {
    Ok(match command {
        RefactorCommand::Rename { place, name, how } => {
            let (file, at) = point(&place)?;
            (Refactoring::Rename { file, at, to: name }, how)
        }
        RefactorCommand::Inline { place, how } => {
            let (file, at) = point(&place)?;
            (Refactoring::Inline { file, at }, how)
        }
        RefactorCommand::ExtractVariable { place, name, how } => {
            let wrong = || invalid(format!("{place} is no place"), "write FILE:LINE:COLUMN-LINE:COLUMN");
            let read = Place::read(&place).ok_or_else(wrong)?;
            let ([line, column], [end_line, end_column]) = (read.first.as_slice(), read.last.as_slice())
            else {
                return Err(wrong());
            };
            let (from, until) = ((*line, *column), (*end_line, *end_column));
            (Refactoring::ExtractVariable { file: read.file, from, until, name }, how)
        }
        RefactorCommand::ExtractFunction { place, name, how } => {
            let wrong = || invalid(format!("{place} is no range of lines"), "write FILE:LINE-LINE");
            let read = Place::read(&place).ok_or_else(wrong)?;
            let (first, last) = match (read.first.as_slice(), read.last.as_slice()) {
                ([first], [last]) => (*first, *last),
                ([only], []) => (*only, *only),
                _ => return Err(wrong()),
            };
            (Refactoring::ExtractFunction { file: read.file, first, last, name }, how)
        }
    })
}

fn point(place: &str) -> Result<(std::path::PathBuf, (usize, usize)), Failure> {
    let read = Place::read(place).filter(|read| read.last.is_empty());
    match read.as_ref().map(|read| read.first.as_slice()) {
        Some([line, column]) => {
            let at = (*line, *column);
            read.map(|read| (read.file, at)).ok_or_else(|| invalid("no place", "write FILE:LINE:COLUMN"))
        }
        _ => Err(invalid(format!("{place} is no place"), "write FILE:LINE:COLUMN")),
    }
}
