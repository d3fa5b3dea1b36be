//! `formicary agent`.

use crate::arguments::GlobalArguments;
use crate::arguments::agent::{AgentArguments, AgentVerb, ResultArguments, StartArguments};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::agent as render;
use crate::{signals, terminal};
use formicary_model::Failure;
use formicary_platform::agent::{
    Acceptance, AgentDone, AgentHooks, AgentOptions, Checker, Ending, ExpectedOutput, Progress, Rules, Task,
};
use formicary_platform::artifacts::OutputFolder;
use formicary_platform::config::ConfigSources;
use formicary_platform::{Cancel, Platform, exit};
use std::io::{BufRead as _, IsTerminal as _, Read as _};
use std::path::Path;

/// Bytes of a file that is read for a task or an expectation.
const MOST: u64 = 64 * 1024 * 1024;

/// Solves a task, or looks at a run.
pub fn run(arguments: AgentArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    match arguments.verb {
        None => start(arguments.start, global),
        Some(AgentVerb::Resume { id, result }) => {
            let (platform, sources) = door::platform(global, Warnings::Told)?;
            let done =
                with_hooks(&result, global, true, |hooks| platform.agent_resume(&id, &sources, hooks))?;
            finish(&platform, &sources, &done, &result, global)
        }
        Some(AgentVerb::Replay { id }) => {
            let (platform, sources) = door::platform(global, Warnings::Told)?;
            let done = platform.agent_replay(&id, &sources)?;
            if global.json {
                terminal::print_json(&done.outcome)?;
            } else {
                terminal::print(&render::replayed(&done))?;
            }
            Ok(exit::agent_code(done.outcome.ending))
        }
        Some(AgentVerb::Show { id, html }) => {
            let (platform, sources) = door::platform(global, Warnings::Told)?;
            let view = platform.agent_show(&id, &sources)?;
            if let Some(path) = &html {
                let path = folder(&sources)?.join(path);
                std::fs::write(&path, &view.page).map_err(|error| {
                    invalid(format!("{}: {error}", path.display()), "name a file that you may write")
                })?;
            }
            match (global.json, html.is_some()) {
                (true, _) => terminal::print_json(&view)?,
                (false, true) => {}
                (false, false) => terminal::print(&render::view(&view))?,
            }
            Ok(0)
        }
        Some(AgentVerb::List) => {
            let (platform, sources) = door::platform(global, Warnings::Told)?;
            let runs = platform.agent_runs(&sources)?;
            if global.json {
                terminal::print_json(&runs)?;
            } else {
                terminal::print(&render::list(&runs))?;
            }
            Ok(0)
        }
    }
}

fn folder(sources: &ConfigSources) -> Result<&Path, Failure> {
    sources
        .working_folder
        .as_deref()
        .ok_or_else(|| invalid("the folder where you stand is gone", "change into a folder that exists"))
}

fn start(arguments: StartArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let warnings = if arguments.result.quiet { Warnings::Hidden } else { Warnings::Told };
    let (platform, sources) = door::platform(global, warnings)?;
    if arguments.result.apply && arguments.folder.is_none() {
        return Err(invalid(
            "--apply changes the folder of --in, and there is none",
            "give --in DIR, or use --out DIR",
        )
        .into());
    }
    let here = folder(&sources)?;
    // Where the result cannot be put is told before anything is spent on it.
    if let Some(out) = &arguments.result.out {
        OutputFolder::open(&here.join(out))?;
    }
    let text = match (&arguments.task, &arguments.task_file) {
        (Some(task), _) => task.clone(),
        (None, Some(path)) if path == Path::new("-") => {
            let mut text = String::new();
            std::io::stdin().lock().take(MOST).read_to_string(&mut text)?;
            text
        }
        (None, Some(path)) => read(here, path)?,
        (None, None) => String::new(),
    };
    let stdin = arguments.stdin.as_deref().map(|path| read(here, path)).transpose()?.unwrap_or_default();
    let expected = match &arguments.expect {
        Some(path) => vec![ExpectedOutput { stdin, stdout: read(here, path)? }],
        None => Vec::new(),
    };
    let checker = match &arguments.check {
        Some(path) => {
            let name = path.file_name().map(|name| {
                name.to_string_lossy().replace(|c: char| !(c.is_ascii_alphanumeric() || c == '.'), "_")
            });
            Some(Checker { name: name.unwrap_or_default(), text: read(here, path)? })
        }
        None => None,
    };
    let mut budget = platform.agent_budget();
    budget.steps = arguments.steps.unwrap_or(budget.steps);
    budget.attempts = arguments.attempts.unwrap_or(budget.attempts);
    budget.seconds = arguments.time.unwrap_or(budget.seconds);
    budget.tokens = arguments.tokens.unwrap_or(budget.tokens);
    budget.money = arguments.money.or(budget.money);
    budget.sandbox_seconds = arguments.sandbox_time.unwrap_or(budget.sandbox_seconds);
    let mut packages = platform.agent_packages();
    packages.extend(arguments.allow_packages);
    let options = AgentOptions {
        working_folder: here.to_owned(),
        task: Task {
            text,
            acceptance: Acceptance { expected, tests: arguments.test, checker },
            command: arguments.run,
        },
        model: arguments.model,
        record: arguments.record,
        folder: arguments.folder,
        rules: Rules {
            packages,
            edit_tests: arguments.allow_test_edits,
            fixer: !arguments.no_fixer,
            gate: arguments.gate.0,
            ask: arguments.ask,
        },
        budget,
        base: platform.new_request(),
    };
    let done = with_hooks(&arguments.result, global, arguments.ask, |hooks| {
        platform.agent(options, &sources, hooks)
    })?;
    finish(&platform, &sources, &done, &arguments.result, global)
}

fn read(here: &Path, path: &Path) -> Result<String, Failure> {
    let wrong =
        |why: String| invalid(format!("{}: {why}", path.display()), "name a text file that you may read");
    let full = here.join(path);
    let size = full.metadata().map_err(|error| wrong(error.to_string()))?.len();
    if size > MOST {
        return Err(wrong(format!("{size} bytes are too many")));
    }
    std::fs::read_to_string(full).map_err(|error| wrong(error.to_string()))
}

fn with_hooks(
    result: &ResultArguments,
    global: &GlobalArguments,
    ask: bool,
    work: impl FnOnce(&AgentHooks<'_>) -> Result<AgentDone, Failure>,
) -> Result<AgentDone, Stop> {
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let hidden = result.quiet || global.json;
    let watch = |progress: Progress| {
        if !hidden {
            render::progress(&progress);
        }
    };
    let human = |question: &str| {
        render::question(question);
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line).ok()?;
        (read > 0).then(|| line.trim().to_owned())
    };
    let human: &dyn Fn(&str) -> Option<String> = &human;
    let somebody = ask && std::io::stdin().is_terminal();
    Ok(work(&AgentHooks { cancel: &cancel, watch: &watch, human: somebody.then_some(human) })?)
}

fn finish(
    platform: &Platform,
    sources: &ConfigSources,
    done: &AgentDone,
    result: &ResultArguments,
    global: &GlobalArguments,
) -> Result<u8, Stop> {
    let written = hand_over(platform, sources, done, result);
    if global.json && written.is_ok() {
        terminal::print_json(&done.outcome)?;
    } else if !global.json {
        terminal::print(&render::report(done, written.as_deref().unwrap_or_default()))?;
    }
    // What was paid for is not lost with the folder that it was meant for.
    written.map_err(|failure| {
        let remedy = failure.hint.clone().unwrap_or_default();
        failure.hint(format!("{remedy}; the files are kept in {}", done.folder.join("files").display()))
    })?;
    Ok(exit::agent_code(done.outcome.ending))
}

/// Writes the result where it is wanted. Gives the files of the user's own folder that were changed.
fn hand_over(
    platform: &Platform,
    sources: &ConfigSources,
    done: &AgentDone,
    result: &ResultArguments,
) -> Result<Vec<String>, Failure> {
    if let Some(out) = &result.out {
        platform.agent_write(done, &folder(sources)?.join(out))?;
    }
    match result.apply && done.outcome.ending == Ending::Solved {
        true => platform.agent_apply(done),
        false => Ok(Vec::new()),
    }
}
