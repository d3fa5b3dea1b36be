//! `formicary fix` and `formicary debug`.

use crate::arguments::GlobalArguments;
use crate::arguments::fix::{DebugArguments, FixArguments, MendingArguments};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::fix::{self as render, Shown};
use crate::terminal;
use formicary_model::use_case::Number;
use formicary_model::{FixInput, FixStatus};
use formicary_platform::debugging::{Fix, page};
use formicary_platform::exit;
use std::path::PathBuf;

/// Fixes a program, and shows how.
pub fn run(arguments: FixArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let code = door::code(&[arguments.target])?;
    fix(FixInput { code, ..FixInput::default() }, arguments.mending, global, Shown::Patches)
}

/// The same with the diagnosis first; a snippet or a command will do.
pub fn debug(arguments: DebugArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let mut mending = arguments.mending;
    let mut input = FixInput { snippet: arguments.code, language: arguments.language, ..FixInput::default() };
    if input.snippet.is_some() {
        if mending.write {
            return Err(invalid("a snippet has no file that could be written", "leave --write out").into());
        }
        return fix(input, mending, global, Shown::Everything);
    }
    let what = arguments.what.unwrap_or_default();
    let target = PathBuf::from(&what);
    if target.exists() {
        input.code = door::code(&[target])?;
        return fix(input, mending, global, Shown::Everything);
    }
    // A path that is not there is a slip of the pen, not a command.
    let looks_like_path = !what.contains(' ') && (what.contains('/') || target.extension().is_some());
    if looks_like_path || what.trim().is_empty() {
        return Err(invalid(
            format!("{what:?} does not exist, and is no command"),
            "name a file or folder that exists, or write a command with its arguments in quotes",
        )
        .into());
    }
    if mending.test.is_some() || mending.tests.is_some() {
        return Err(invalid(
            format!("{what:?} is a command, and another test is given"),
            "leave one of both out",
        )
        .into());
    }
    mending.test = Some(what);
    fix(input, mending, global, Shown::Everything)
}

fn fix(
    what: FixInput,
    arguments: MendingArguments,
    global: &GlobalArguments,
    shown: Shown,
) -> Result<u8, Stop> {
    let warnings = if arguments.quiet { Warnings::Hidden } else { Warnings::Told };
    let (platform, sources) = door::platform(global, warnings)?;
    let path = |path: &Option<PathBuf>| path.as_deref().map(door::path).transpose();
    let mut environment = platform.new_request().environment;
    environment.packages = arguments.packages.request(sources.working_folder.as_deref())?;
    let model = arguments.model;
    let input = FixInput {
        test: arguments.test,
        tests: path(&arguments.tests)?,
        expect_file: path(&arguments.expect)?,
        stdin_file: path(&arguments.stdin)?,
        seconds: Number::new(arguments.time)?,
        candidates: Number::new(arguments.max_attempts as f64)?,
        write: arguments.write,
        install: arguments.install,
        model: model.model,
        record: path(&model.record)?,
        rounds: Number::new(f64::from(model.rounds))?,
        tokens: Number::new(model.tokens as f64)?,
        money: model.money,
        environment,
        ..what
    };
    let progress = render::Progress::new(arguments.quiet || global.json);
    let report = platform.perform::<Fix>(&door::context(&sources).observed(&progress), input);
    progress.finish();
    let report = report?;
    if let Some(path) = &arguments.html {
        door::write(path, page(&report).as_bytes())?;
    }
    terminal::show(global.json, &report, || render::report(&report, shown))?;
    Ok(match report.status {
        FixStatus::Fixed => 0,
        FixStatus::NothingWrong => exit::NOTHING_WRONG,
        FixStatus::NotFixed | FixStatus::Suggested => exit::NOT_FIXED,
    })
}
