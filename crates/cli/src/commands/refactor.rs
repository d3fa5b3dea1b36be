//! `formicary refactor`.

use crate::arguments::GlobalArguments;
use crate::arguments::refactor::{How, Place, RefactorArguments, RefactorCommand};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::patterns as render;
use crate::terminal;
use formicary_model::Failure;
use formicary_model::patterns::{RefactorInput, Refactoring};
use formicary_model::use_case::Code;
use formicary_platform::exit;
use formicary_platform::patterns::Refactor;

/// Makes a refactoring, or refuses it.
pub fn run(arguments: RefactorArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (refactoring, how) = asked(arguments.what)?;
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let verify = how.verify.as_deref().unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let input = RefactorInput { code: Code::default(), refactoring, write: how.write, verify };
    let report = platform.perform::<Refactor>(&door::context(&sources), input)?;
    terminal::show(global.json, &report, || render::refactored(&report))?;
    let taken_back = report.verification.is_some_and(|verification| verification.rolled_back);
    Ok(if taken_back { exit::NOT_DONE } else { 0 })
}

fn asked(command: RefactorCommand) -> Result<(Refactoring, How), Failure> {
    Ok(match command {
        RefactorCommand::Rename { place, name, how } => {
            let (file, line, column) = point(&place)?;
            (Refactoring::Rename { file, line, column, to: name }, how)
        }
        RefactorCommand::Inline { place, how } => {
            let (file, line, column) = point(&place)?;
            (Refactoring::Inline { file, line, column }, how)
        }
        RefactorCommand::ExtractVariable { place, name, how } => {
            let wrong = || invalid(format!("{place} is no place"), "write FILE:LINE:COLUMN-LINE:COLUMN");
            let read = Place::read(&place).ok_or_else(wrong)?;
            let ([line, column], [end_line, end_column]) = (read.first.as_slice(), read.last.as_slice())
            else {
                return Err(wrong());
            };
            let (line, column, end_line, end_column) = (*line, *column, *end_line, *end_column);
            let file = door::path(&read.file)?;
            (Refactoring::ExtractVariable { file, line, column, end_line, end_column, name }, how)
        }
        RefactorCommand::ExtractFunction { place, name, how } => {
            let wrong = || invalid(format!("{place} is no range of lines"), "write FILE:LINE-LINE");
            let read = Place::read(&place).ok_or_else(wrong)?;
            let (first, last) = match (read.first.as_slice(), read.last.as_slice()) {
                ([first], [last]) => (*first, *last),
                ([only], []) => (*only, *only),
                _ => return Err(wrong()),
            };
            (Refactoring::ExtractFunction { file: door::path(&read.file)?, first, last, name }, how)
        }
    })
}

fn point(place: &str) -> Result<(String, usize, usize), Failure> {
    let wrong = || invalid(format!("{place} is no place"), "write FILE:LINE:COLUMN");
    let read = Place::read(place).filter(|read| read.last.is_empty()).ok_or_else(wrong)?;
    match read.first.as_slice() {
        [line, column] => Ok((door::path(&read.file)?, *line, *column)),
        _ => Err(wrong()),
    }
}
