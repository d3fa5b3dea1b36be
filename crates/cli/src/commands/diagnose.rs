//! `formicary diagnose`: runs something or reads a log, and tells what went wrong.

use crate::arguments::GlobalArguments;
use crate::arguments::diagnose::DiagnoseArguments;
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::diagnosis as render;
use crate::source::{self, Wanted};
use crate::{neighbours, signals, terminal};
use formicary_model::{Diagnosis, Failure, Language};
use formicary_platform::{Cancel, Live, Platform, Said, SourceText, Stdin, exit};
use std::fs::File;
use std::path::Path;

/// Diagnoses, and shows what was found.
pub fn run(arguments: DiagnoseArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, _) = door::platform(global, Warnings::Told)?;
    let log = is_log(&arguments);
    let mut beside = None;
    let diagnosis = if log {
        let diagnosis = read(&arguments, &platform)?;
        if global.json {
            terminal::print_json(&diagnosis)?;
        }
        diagnosis
    } else {
        let file = arguments.path.clone().filter(|path| arguments.code.is_none() && path.is_file());
        let diagnosed = execute(arguments, &platform)?;
        if global.json {
            terminal::print_json(&diagnosed)?;
        }
        beside = file.and_then(|file| neighbours::of_run("diagnose", &file, &diagnosed.result));
        diagnosed.diagnosis
    };
    if !global.json {
        terminal::print(&render::text(&diagnosis))?;
        beside.iter().for_each(|hint| terminal::tell_hint(hint));
    }
    Ok(if diagnosis.errors.is_empty() { 0 } else { exit::ERROR_FOUND })
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

fn read(arguments: &DiagnoseArguments, platform: &Platform) -> Result<Diagnosis, Failure> {
    let unreadable = |path: &Path, error: &std::io::Error| {
        invalid(format!("{} cannot be read: {error}", path.display()), "give a file that you may read")
    };
    let said = match arguments.path.as_deref().filter(|path| *path != Path::new("-")) {
        Some(path) => File::open(path).and_then(Said::read).map_err(|error| unreadable(path, &error))?,
        None => Said::read(std::io::stdin().lock()).map_err(|error| unreadable(Path::new("-"), &error))?,
    };
    let mut sources = Vec::new();
    for path in &arguments.sources {
        let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        sources.push(SourceText { path: path.display().to_string(), text });
    }
    platform.diagnose_text(&said, arguments.language.as_deref(), &sources)
}

fn execute(
    mut arguments: DiagnoseArguments,
    platform: &Platform,
) -> Result<formicary_platform::debugging::Diagnosed, Failure> {
    let loaded = source::load(Wanted {
        code: arguments.code.take(),
        path: arguments.path.as_deref(),
        entry: arguments.entry.take(),
        has_command: arguments.command.is_some(),
        most: source::Most::of(platform.configuration()),
    })?;
    loaded.notes.iter().for_each(|note| terminal::tell_warning(note));
    let configuration = platform.configuration();
    let mut request = platform.new_request();
    request.source = loaded.source;
    request.language = arguments.language;
    request.args = arguments.args;
    request.command =
        arguments.command.map(|command| ["/bin/sh", "-c", &command, "sh"].map(str::to_owned).to_vec());
    request.limits = arguments.limits.of_the_run(configuration.number("limits.cpu_seconds"));
    request.compile_limits =
        arguments.limits.of_the_compile_step(configuration.number("compile_limits.cpu_seconds"));
    if let Some(path) = &arguments.stdin_file {
        request.stdin = std::fs::read(path).map_err(|error| {
            let message = format!("stdin file {} cannot be read: {error}", path.display());
            invalid(message, "give a file that exists and that you may read")
        })?;
    }
    let stdin = Stdin::Bytes(request.stdin.clone());
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    platform.diagnose(request, Live { stdin: Some(stdin), observer: &(), cancel })
}
