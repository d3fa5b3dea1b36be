//! `formicary doctor`.

use crate::arguments::GlobalArguments;
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::{render, terminal};
use formicary_model::NoInput;
use formicary_platform::exit;
use formicary_platform::operation::Doctor;

/// Prints the examination; the exit code tells whether untrusted code can be isolated here.
pub fn run(global: &GlobalArguments, details: bool) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let report = platform.perform::<Doctor>(&door::context(&sources), NoInput {})?.0;
    if global.json {
        terminal::print_json(&report)?;
    } else if details {
        terminal::print(&render::doctor::details(&report))?;
    } else {
        terminal::print(&render::doctor::summary(&report))?;
    }
    Ok(if report.isolated { 0 } else { exit::ISOLATION_UNAVAILABLE })
}
