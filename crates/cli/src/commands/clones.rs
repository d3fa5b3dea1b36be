//! `formicary clones`.

use crate::arguments::GlobalArguments;
use crate::arguments::clones::ClonesArguments;
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::render::clones as render;
use crate::terminal;
use formicary_model::clones::ClonesInput;
use formicary_model::visible::one_line;
use formicary_platform::exit;
use formicary_platform::patterns::Clones;
use formicary_platform::patterns::clones::KNOWN_CLONES;

/// Finds copies and shows them.
pub fn run(arguments: ClonesArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let baseline = arguments.baseline.as_deref().map(door::path).transpose()?;
    let input = ClonesInput {
        code: door::code(&arguments.paths)?,
        types: arguments.types,
        lines: arguments.min_lines,
        tokens: arguments.min_tokens,
        similarity: arguments.similarity,
        without_tests: arguments.no_tests,
        new: arguments.new,
        write_baseline: arguments.write_baseline,
        baseline: baseline.clone(),
    };
    let report = platform.perform::<Clones>(&door::context(&sources), input)?;
    if arguments.write_baseline {
        let path = baseline.unwrap_or_else(|| KNOWN_CLONES.to_owned());
        terminal::print(&format!("{} groups are in {}\n", report.groups.len(), one_line(&path)))?;
        return Ok(0);
    }
    terminal::show(global.json, &report, || render::report(&report, arguments.limit))?;
    let fails = arguments.fail_above.is_some_and(|most| report.duplication_percent > most);
    Ok(if fails { exit::NOT_PASSED } else { 0 })
}
