//! `formicary fix` and `formicary debug`.

use crate::arguments::GlobalArguments;
use crate::arguments::fix::FixArguments;
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::fix as render;
use crate::{signals, terminal};
use formicary_model::FixStatus;
use formicary_platform::debugging::FixOptions;
use formicary_platform::{Cancel, exit};

/// Mends a program, and shows how.
pub fn run(arguments: FixArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let warnings = if arguments.quiet { Warnings::Hidden } else { Warnings::Told };
    let (platform, sources) = door::platform(global, warnings)?;
    let working_folder = sources
        .working_folder
        .clone()
        .ok_or_else(|| invalid("the folder where you stand is gone", "change into a folder that exists"))?;
    let options = FixOptions {
        working_folder,
        target: arguments.target,
        test: arguments.test,
        tests: arguments.tests,
        expect: arguments.expect,
        stdin: arguments.stdin,
        most_candidates: arguments.max_attempts,
        seconds: arguments.time,
        write: arguments.write,
        base: platform.new_request(),
    };
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let progress = render::Progress::new(arguments.quiet || global.json);
    let done = platform.mend(&options, &cancel, &|step| progress.show(&step));
    progress.finish();
    let done = done?;
    if global.json {
        terminal::print_json(&done.report)?;
    } else {
        terminal::print(&render::report(&done))?;
    }
    Ok(match done.report.status {
        FixStatus::Fixed | FixStatus::NothingWrong => 0,
        FixStatus::NotFixed => exit::NOT_FIXED,
    })
}
