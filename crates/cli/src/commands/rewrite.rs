//! `formicary rewrite`.

use super::search::{folder, sought};
use crate::arguments::GlobalArguments;
use crate::arguments::patterns::RewriteArguments;
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::patterns as render;
use crate::{signals, terminal};
use formicary_model::patterns::FileChange;
use formicary_platform::patterns::{Chosen, RewriteOptions};
use formicary_platform::reviewing::engine::Watch;
use formicary_platform::{Cancel, exit};
use std::io::{BufRead as _, IsTerminal as _};

/// Changes code by its shape, or takes a change back.
pub fn run(arguments: RewriteArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let working_folder = folder(sources.working_folder)?;
    if let Some(name) = &arguments.undo {
        let undone = platform.undo(&working_folder, (!name.is_empty()).then_some(name.as_str()))?;
        if global.json {
            terminal::print_json(&undone)?;
        } else {
            terminal::print(&render::undone(&undone))?;
        }
        return Ok(0);
    }
    if arguments.interactive && (global.json || !std::io::stdin().is_terminal()) {
        return Err(invalid(
            "--interactive needs a terminal to ask on",
            "use --write, or look at the diff first",
        )
        .into());
    }
    let (sought, paths) = sought(arguments.pattern, arguments.rule, arguments.paths)?;
    let options = RewriteOptions {
        working_folder,
        paths,
        language: arguments.language,
        sought,
        template: arguments.to,
        write: arguments.write || arguments.interactive,
    };
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let watch = Watch { progress: &|_, _, _| (), cancelled: &|| cancel.is_cancelled() };
    let interactive = arguments.interactive;
    let report = platform
        .rewrite(&options, watch, &mut |change| if interactive { ask(change) } else { Chosen::Yes })?;
    if global.json {
        terminal::print_json(&report)?;
    } else {
        terminal::print(&render::rewritten(&report, interactive))?;
    }
    Ok(if report.left.is_empty() { 0 } else { exit::NOT_DONE })
}

/// Shows one file's change and asks. Whoever cannot be asked has not agreed.
fn ask(change: &FileChange) -> Chosen {
    let question = format!("{}take it? [y]es, [n]o, [a]ll, [q]uit ", render::diff(&change.diff));
    if terminal::print(&question).is_err() {
        return Chosen::Stop;
    }
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(0) | Err(_) => Chosen::Stop,
        Ok(_) => match line.trim() {
            "y" | "yes" => Chosen::Yes,
            "a" | "all" => Chosen::All,
            "q" | "quit" => Chosen::Stop,
            _ => Chosen::No,
        },
    }
}
