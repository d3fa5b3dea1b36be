//! `formicary search` and `rules test`.

use crate::arguments::GlobalArguments;
use crate::arguments::patterns::SearchArguments;
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::patterns as render;
use crate::terminal;
use formicary_model::patterns::SearchInput;
use formicary_platform::exit;
use formicary_platform::patterns::Search;
use std::path::PathBuf;

/// Finds code by its shape.
pub fn run(arguments: SearchArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let (pattern, rules, paths) = pattern_or_rules(arguments.pattern, arguments.rule, arguments.paths)?;
    let input = SearchInput {
        code: door::code(&paths)?,
        pattern,
        rules,
        language: arguments.language,
        explain: arguments.explain,
    };
    let report = platform.perform::<Search>(&door::context(&sources), input)?;
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
    terminal::show(global.json, &report, || render::rule_tests(&report))?;
    Ok(if report.failures.is_empty() { 0 } else { exit::NOT_DONE })
}

/// A pattern, or rules; and the paths.
type LookedFor = (Option<String>, Vec<String>, Vec<PathBuf>);

/// With `--rule` nothing is a pattern.
pub(super) fn pattern_or_rules(
    pattern: Option<String>,
    rules: Vec<String>,
    mut paths: Vec<PathBuf>,
) -> Result<LookedFor, Stop> {
    if rules.is_empty() {
        if pattern.is_none() {
            let message = "what to look for is not given";
            return Err(invalid(message, "write a pattern, as in 'print($X)', or --rule RULE").into());
        }
        return Ok((pattern, rules, paths));
    }
    if let Some(path) = pattern {
        paths.insert(0, PathBuf::from(path));
    }
    Ok((None, rules, paths))
}

pub(super) fn folder(folder: Option<PathBuf>) -> Result<PathBuf, Stop> {
    Ok(folder
        .ok_or_else(|| invalid("the folder where you stand is gone", "change into a folder that exists"))?)
}
