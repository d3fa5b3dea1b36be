//! `formicary refactorings`.

use crate::arguments::GlobalArguments;
use crate::arguments::refactorings::RefactoringsArguments;
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::render::refactorings as render;
use crate::terminal;
use formicary_model::refactorings::{RefactoringsInput, Version};
use formicary_model::use_case::Code;
use formicary_platform::patterns::Refactorings;
use std::path::Path;

/// Compares two versions and shows what happened.
pub fn run(arguments: RefactoringsArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let input = RefactoringsInput {
        code: Code::default(),
        before: Version::Named(arguments.before.clone()),
        after: arguments.after.clone().map(Version::Named),
    };
    let report = platform.perform::<Refactorings>(&door::context(&sources), input)?;
    if global.json {
        terminal::print_json(&report)?;
    } else {
        let (before, after) = (Path::new(&arguments.before), arguments.after.as_deref().map(Path::new));
        // Two that exist are compared as they are; else both are revisions.
        let on_disk = before.exists() && after.is_some_and(Path::exists);
        let versions =
            render::Versions { before: Some(before).filter(|_| on_disk), after: after.filter(|_| on_disk) };
        terminal::print(&render::report(&report, versions))?;
    }
    Ok(0)
}
