//! `formicary doctor`.

use crate::arguments::GlobalArguments;
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::{render, terminal};
use formicary_platform::exit;

/// Prints the examination; the exit code tells whether untrusted code can be isolated here.
pub fn run(global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, _) = door::platform(global, Warnings::Told)?;
    let report = platform.doctor();
    if global.json {
        terminal::print_json(&report)?;
    } else {
        terminal::print(&render::doctor::render(&report))?;
    }
    Ok(if report.isolated { 0 } else { exit::ISOLATION_UNAVAILABLE })
}
