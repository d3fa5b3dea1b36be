//! `formicary refactorings`.

use crate::arguments::GlobalArguments;
use crate::arguments::refactorings::RefactoringsArguments;
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::refactorings as render;
use crate::{signals, terminal};
use formicary_platform::Cancel;
use formicary_platform::patterns::refactorings::RefactoringRequest;
use formicary_platform::reviewing::engine::Watch;

/// Compares two versions and shows what happened.
pub fn run(arguments: RefactoringsArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let working_folder = sources
        .working_folder
        .ok_or_else(|| invalid("the folder where you stand is gone", "change into a folder that exists"))?;
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let watch = Watch { progress: &|_, _, _| (), cancelled: &|| cancel.is_cancelled() };
    let request = RefactoringRequest { working_folder, before: arguments.before, after: arguments.after };
    let report = platform.refactorings(&request, watch)?;
    if global.json {
        terminal::print_json(&report)?;
    } else {
        terminal::print(&render::report(&report))?;
    }
    Ok(0)
}
