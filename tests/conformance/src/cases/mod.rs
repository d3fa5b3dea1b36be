//! Every case, by area. One file an area, and this page lists them.

use crate::case::Case;

mod files;
mod memory;
mod namespaces;
mod network;
mod output;
mod processes;
mod system_calls;
mod verdicts;

/// The areas with their cases.
pub fn all() -> Vec<(&'static str, Vec<Case>)> {
    vec![
        ("processes", processes::cases()),
        ("memory", memory::cases()),
        ("output", output::cases()),
        ("files", files::cases()),
        ("namespaces", namespaces::cases()),
        ("system_calls", system_calls::cases()),
        ("network", network::cases()),
        ("verdicts", verdicts::cases()),
    ]
}
