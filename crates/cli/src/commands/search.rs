//! `formicary search` and `rules test`.

use crate::arguments::GlobalArguments;
use crate::arguments::patterns::SearchArguments;
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::patterns as render;
use crate::{signals, terminal};
use formicary_platform::patterns::{SearchOptions, Sought};
use formicary_platform::reviewing::engine::Watch;
use formicary_platform::{Cancel, exit};
use std::path::PathBuf;

/// Finds code by its shape.
pub fn run(arguments: SearchArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let (sought, paths) = sought(arguments.pattern, arguments.rule, arguments.paths)?;
    let options = SearchOptions {
        working_folder: folder(sources.working_folder)?,
        paths,
        language: arguments.language,
        sought,
        explain: arguments.explain,
    };
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let watch = Watch { progress: &|_, _, _| (), cancelled: &|| cancel.is_cancelled() };
    let report = platform.search(&options, watch)?;
    if global.json {
        terminal::print_json(&report)?;
    } else if arguments.files {
        terminal::print(&render::files(&report))?;
    } else {
        terminal::print(&render::matches(&report, arguments.limit))?;
    }
    Ok(if report.matches.is_empty() { exit::NOT_DONE } else { 0 })
}

/// Judges rules by the tests that they carry.
pub fn test_rules(names: &[String], global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let report = platform.test_rules(&folder(sources.working_folder)?, names)?;
    if global.json {
        terminal::print_json(&report)?;
    } else {
        terminal::print(&render::rule_tests(&report))?;
    }
    Ok(if report.failures.is_empty() { 0 } else { exit::NOT_DONE })
}

/// With `--rule` nothing is a pattern.
pub(super) fn sought(
    pattern: Option<String>,
    rules: Vec<String>,
    mut paths: Vec<PathBuf>,
) -> Result<(Sought, Vec<PathBuf>), Stop> {
    if rules.is_empty() {
        let pattern = pattern.ok_or_else(|| {
            invalid("what to look for is not said", "write a pattern, as in 'print($X)', or --rule RULE")
        })?;
        return Ok((Sought::Pattern(pattern), paths));
    }
    if let Some(path) = pattern {
        paths.insert(0, PathBuf::from(path));
    }
    Ok((Sought::Rules(rules), paths))
}

pub(super) fn folder(folder: Option<PathBuf>) -> Result<PathBuf, Stop> {
    Ok(folder
        .ok_or_else(|| invalid("the folder where you stand is gone", "change into a folder that exists"))?)
}
