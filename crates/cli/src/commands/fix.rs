//! `formicary fix` and `formicary debug`.

use crate::arguments::GlobalArguments;
use crate::arguments::fix::{DebugArguments, FixArguments, MendingArguments};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::fix::{self as render, Shown};
use crate::{signals, terminal};
use formicary_model::{Failure, FixStatus, Language};
use formicary_platform::debugging::{FixOptions, ModelOptions, page};
use formicary_platform::uploads::{UploadLimits, UploadedFile, Uploads};
use formicary_platform::{Cancel, exit};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Mends a program, and shows how.
pub fn run(arguments: FixArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    mend(None, arguments.target, arguments.mending, global, Shown::Patches)
}

/// The same with the diagnosis first; a snippet or a command will do.
pub fn debug(arguments: DebugArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let mut mending = arguments.mending;
    if let Some(code) = arguments.code {
        let (folder, file) = snippet(code, arguments.language.as_deref(), global)?;
        return mend(Some(&folder), file, mending, global, Shown::Everything);
    }
    let what = arguments.what.unwrap_or_default();
    let target = PathBuf::from(&what);
    if target.exists() {
        return mend(None, target, mending, global, Shown::Everything);
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
    mend(None, PathBuf::from("."), mending, global, Shown::Everything)
}

/// A snippet as a file in a folder of its own, which goes with the first of the two.
fn snippet(
    code: String,
    language: Option<&str>,
    global: &GlobalArguments,
) -> Result<(Uploads, PathBuf), Stop> {
    let (platform, _) = door::platform(global, Warnings::Hidden)?;
    let word = match language {
        Some(word) => Some(word.to_owned()),
        None => platform.detect(None, code.as_bytes()).map(|found| found.language),
    };
    let language = word.as_deref().and_then(Language::from_word).ok_or_else(|| {
        let known: Vec<&str> = Language::ALL.iter().map(|language| language.id()).collect();
        invalid(
            "it cannot be told in which language the snippet is",
            format!("name it with --language: {}", known.join(", ")),
        )
    })?;
    let stem = if language == Language::Java { "Main" } else { "main" };
    let name = format!("{stem}.{}", language.extensions().first().copied().unwrap_or("txt"));
    let folder = Uploads::write(&[UploadedFile::text(&name, code)], UploadLimits::default())?;
    Ok((folder, PathBuf::from(name)))
}

fn mend(
    folder: Option<&Uploads>,
    target: PathBuf,
    arguments: MendingArguments,
    global: &GlobalArguments,
    shown: Shown,
) -> Result<u8, Stop> {
    let warnings = if arguments.quiet { Warnings::Hidden } else { Warnings::Told };
    let (platform, sources) = door::platform(global, warnings)?;
    let here = sources
        .working_folder
        .clone()
        .ok_or_else(|| invalid("the folder where you stand is gone", "change into a folder that exists"))?;
    if folder.is_some() && arguments.write {
        return Err(invalid("a snippet has no file that could be written", "leave --write out").into());
    }
    let mut base = platform.new_request();
    base.packages = arguments.packages.request(Some(&here))?;
    let model = match arguments.model.model {
        None => None,
        named => Some(Arc::new(platform.fix_model(
            ModelOptions {
                model: named,
                record: arguments.model.record,
                rounds: arguments.model.rounds,
                tokens: arguments.model.tokens,
                money: arguments.model.money,
            },
            &sources,
        )?)),
    };
    let options = FixOptions {
        working_folder: folder.map_or(here, |folder| folder.folder().to_owned()),
        target,
        test: arguments.test,
        tests: arguments.tests,
        expect: arguments.expect,
        stdin: arguments.stdin,
        most_candidates: arguments.max_attempts,
        seconds: arguments.time,
        write: arguments.write,
        install: arguments.install,
        model,
        base,
    };
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let progress = render::Progress::new(arguments.quiet || global.json);
    let done = platform.mend(&options, &cancel, &|step| progress.show(&step));
    progress.finish();
    let done = done?;
    if let Some(path) = &arguments.html {
        write_page(path, &page(&done.report))?;
    }
    if global.json {
        terminal::print_json(&done.report)?;
    } else {
        terminal::print(&render::report(&done, shown))?;
    }
    Ok(match done.report.status {
        FixStatus::Fixed => 0,
        FixStatus::NothingWrong => exit::NOTHING_WRONG,
        FixStatus::NotFixed => exit::NOT_FIXED,
    })
}

fn write_page(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| {
        invalid(
            format!("{} cannot be written: {error}", path.display()),
            "name a file in a folder that exists and in which you may write",
        )
    })
}
