//! `formicary diagnose`: runs something or reads a log, and tells what went wrong.

use crate::arguments::GlobalArguments;
use crate::arguments::diagnose::DiagnoseArguments;
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::diagnosis as render;
use crate::source;
use crate::{neighbours, terminal};
use formicary_model::{
    DiagnoseInput, DiagnoseReport, ExecutionRequest, Failure, Language, Source, SourceFile,
};
use formicary_platform::config::ConfigSources;
use formicary_platform::debugging::Diagnose;
use formicary_platform::{Platform, Said, exit, open_named};
use std::path::Path;

/// Diagnoses, and shows what was found.
pub fn run(arguments: DiagnoseArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let file = arguments.path.clone().filter(|path| arguments.code.is_none() && path.is_file());
    let report = match is_log(&arguments) {
        true => read(&arguments, &platform, &sources)?,
        false => execute(arguments, &platform, &sources)?,
    };
    if global.json {
        terminal::print_json(&report)?;
    } else {
        terminal::print(&render::text(&report.diagnosis))?;
        let result = report.result.as_ref();
        let beside = file.zip(result).and_then(|(file, run)| neighbours::of_run("diagnose", &file, run));
        beside.iter().for_each(|hint| terminal::tell_hint(hint));
    }
    Ok(exit::diagnosis_code(&report.diagnosis))
}

/// Whether the caller means a log: he says so, gives stdin, or a file that is no program.
fn is_log(arguments: &DiagnoseArguments) -> bool {
    if arguments.code.is_some() || arguments.command.is_some() {
        return false;
    }
    let Some(path) = &arguments.path else { return true };
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let program = path.is_dir() || Language::from_extension(ending).is_some();
    arguments.log || !program
}

fn read(
    arguments: &DiagnoseArguments,
    platform: &Platform,
    sources: &ConfigSources,
) -> Result<DiagnoseReport, Failure> {
    let unreadable = |path: &Path, error: &std::io::Error| {
        invalid(format!("{} cannot be read: {error}", path.display()), "give a file that you may read")
    };
    let said = match arguments.path.as_deref().filter(|path| *path != Path::new("-")) {
        Some(path) => open_named(path).and_then(Said::read).map_err(|error| unreadable(path, &error))?,
        None => Said::read(std::io::stdin().lock()).map_err(|error| unreadable(Path::new("-"), &error))?,
    };
    let mut files = Vec::new();
    for path in &arguments.sources {
        let bytes = source::read_named(path).map_err(|error| unreadable(path, &error))?;
        files.push(SourceFile::new(door::path(path)?, bytes));
    }
    let program = ExecutionRequest {
        language: arguments.language.clone(),
        source: Source::Files { files, entry: None },
        ..ExecutionRequest::default()
    };
    let input = DiagnoseInput { program, text: Some(said.text()) };
    let mut report = platform.perform::<Diagnose>(&door::context(sources), input)?;
    report.diagnosis.notes.extend(said.gap());
    Ok(report)
}

fn execute(
    mut arguments: DiagnoseArguments,
    platform: &Platform,
    sources: &ConfigSources,
) -> Result<DiagnoseReport, Failure> {
    let (code, path) = (arguments.code.take(), arguments.path.as_deref());
    let mut request =
        arguments.start.program(platform, (code, path), arguments.command.take(), arguments.language)?;
    if let Some(root) = arguments.path.as_deref().filter(|path| path.is_dir()) {
        let notes = platform.complete(&source::absolute(root)?, &mut request);
        notes.iter().for_each(|note| terminal::tell_warning(note));
    }
    let input = DiagnoseInput { program: request, text: None };
    platform.perform::<Diagnose>(&door::context(sources), input)
}
