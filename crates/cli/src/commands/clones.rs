//! `formicary clones`.

use crate::arguments::GlobalArguments;
use crate::arguments::clones::ClonesArguments;
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::clones as render;
use crate::{signals, terminal};
use formicary_platform::patterns::clones::CloneRequest;
use formicary_platform::reviewing::engine::Watch;
use formicary_platform::{Cancel, exit};

/// Finds copies and shows them.
pub fn run(arguments: ClonesArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let working_folder = sources
        .working_folder
        .ok_or_else(|| invalid("the folder where you stand is gone", "change into a folder that exists"))?;
    let request = CloneRequest {
        working_folder,
        paths: arguments.paths,
        types: arguments.types,
        lines: arguments.min_lines,
        tokens: arguments.min_tokens,
        similarity: arguments.similarity,
        without_tests: arguments.no_tests,
        new: arguments.new,
        baseline: arguments.baseline,
    };
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let watch = Watch { progress: &|_, _, _| (), cancelled: &|| cancel.is_cancelled() };
    let report = platform.clones(&request, watch)?;
    if arguments.write_baseline {
        let path = platform.write_known_clones(&request, &report)?;
        let path = terminal::printable(&path.display().to_string());
        terminal::print(&format!("{} groups are in {path}\n", report.groups.len()))?;
        return Ok(0);
    }
    if global.json {
        terminal::print_json(&report)?;
    } else {
        terminal::print(&render::report(&report, arguments.limit))?;
    }
    let fails = arguments.fail_above.is_some_and(|most| report.duplication_percent > most);
    Ok(if fails { exit::NOT_PASSED } else { 0 })
}
