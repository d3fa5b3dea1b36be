//! `formicary agent`.

use crate::arguments::GlobalArguments;
use crate::arguments::agent::{AgentArguments, AgentVerb, ResultArguments, StartArguments};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::agent as render;
use crate::terminal;
use formicary_model::agent::{Checker, ResultInput, ResumeInput, RunId, SolveInput};
use formicary_model::use_case::Code;
use formicary_model::{AgentStep, Event, Failure, NoInput, Observer};
use formicary_platform::agent::{AgentDone, ListRuns, ReplayRun, ResumeRun, ShowRun, SolveTask};
use formicary_platform::config::ConfigSources;
use formicary_platform::use_case::{Human, UseCase};
use formicary_platform::{Platform, exit, open_named};
use std::io::{BufRead as _, IsTerminal as _, Read as _};
use std::path::Path;

/// Bytes of a file that is read for a task or an expectation.
const MOST: u64 = 64 * 1024 * 1024;

/// Solves a task, or looks at a run.
pub fn run(arguments: AgentArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let Some(verb) = arguments.verb else { return start(arguments.start, global) };
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    match verb {
        AgentVerb::Resume { id, result } => {
            let input = ResumeInput { id, result: wanted(&result)? };
            work::<ResumeRun>(&platform, &sources, input, &result, Asking::Allowed, global)
        }
        AgentVerb::Replay { id } => {
            let done = platform.perform::<ReplayRun>(&door::context(&sources), RunId { id })?;
            terminal::show(global.json, &done.outcome, || render::replayed(&done))?;
            Ok(exit::agent_code(done.outcome.ending))
        }
        AgentVerb::Show { id, html } => {
            let view = platform.perform::<ShowRun>(&door::context(&sources), RunId { id })?;
            if let Some(path) = &html {
                door::write(path, view.page.as_bytes())?;
            }
            match (global.json, html.is_some()) {
                (true, _) => terminal::print_json(&view)?,
                (false, true) => {}
                (false, false) => terminal::print(&render::view(&view))?,
            }
            Ok(0)
        }
        AgentVerb::List => {
            let runs = platform.perform::<ListRuns>(&door::context(&sources), NoInput {})?.items;
            terminal::show(global.json, &runs, || render::list(&runs))?;
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
    let text_of =
        |path: &Option<std::path::PathBuf>| path.as_deref().map(|path| read(here, path)).transpose();
    let checker = match &arguments.check {
        Some(path) => {
            let name = path.file_name().map(|name| {
                name.to_string_lossy().replace(|c: char| !(c.is_ascii_alphanumeric() || c == '.'), "_")
            });
            Some(Checker { name: name.unwrap_or_default(), text: read(here, path)? })
        }
        None => None,
    };
    let asking = if arguments.ask { Asking::Allowed } else { Asking::Refused };
    let input = SolveInput {
        task: text,
        code: match &arguments.folder {
            Some(folder) => door::code(std::slice::from_ref(folder))?,
            None => Code::default(),
        },
        environment: platform.new_request().environment,
        test: arguments.test,
        run: arguments.run,
        expect: text_of(&arguments.expect)?,
        stdin: text_of(&arguments.stdin)?,
        cases: Vec::new(),
        checker,
        model: arguments.model,
        record: arguments.record.as_deref().map(door::path).transpose()?,
        allow_packages: arguments.allow_packages,
        allow_test_edits: arguments.allow_test_edits,
        without_fixer: arguments.no_fixer,
        gate: arguments.gate.0.into(),
        steps: arguments.steps,
        attempts: arguments.attempts,
        seconds: arguments.time,
        tokens: arguments.tokens,
        money: arguments.money,
        sandbox_seconds: arguments.sandbox_time,
        result: wanted(&arguments.result)?,
    };
    work::<SolveTask>(&platform, &sources, input, &arguments.result, asking, global)
}

fn wanted(arguments: &ResultArguments) -> Result<ResultInput, Failure> {
    let out = arguments.out.as_deref().map(door::path).transpose()?;
    Ok(ResultInput { apply: arguments.apply, out })
}

fn read(here: &Path, path: &Path) -> Result<String, Failure> {
    let wrong =
        |why: String| invalid(format!("{}: {why}", path.display()), "name a text file that you may read");
    let full = here.join(path);
    let file = open_named(&full).map_err(|error| wrong(error.to_string()))?;
    let mut text = String::new();
    file.take(MOST + 1).read_to_string(&mut text).map_err(|error| wrong(error.to_string()))?;
    if text.len() as u64 > MOST {
        Err(wrong(format!("more than {MOST} bytes are too many")))
    } else {
        Ok(text)
    }
}

/// Whether the model may ask whoever stands at this terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asking {
    Allowed,
    Refused,
}

/// Whoever stands at this terminal: hears of steps, and answers questions.
struct Terminal {
    hidden: bool,
}

impl Observer for Terminal {
    fn event(&self, _: &Event) {}

    fn step(&self, step: &AgentStep) {
        if !self.hidden {
            render::step(step);
        }
    }
}

impl Human for Terminal {
    fn answer(&self, question: &str) -> Option<String> {
        if !std::io::stdin().is_terminal() {
            return None;
        }
        render::question(question);
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line).ok()?;
        (read > 0).then(|| line.trim().to_owned())
    }
}

/// Performs a run of the agent, and shows what came of it.
fn work<U: UseCase<Output = AgentDone>>(
    platform: &Platform,
    sources: &ConfigSources,
    input: U::Input,
    result: &ResultArguments,
    asking: Asking,
    global: &GlobalArguments,
) -> Result<u8, Stop> {
    let terminal = Terminal { hidden: result.quiet || global.json };
    let context = door::context(sources).observed(&terminal);
    let context = if asking == Asking::Allowed { context.asking(&terminal) } else { context };
    let mut done = platform.perform::<U>(&context, input)?;
    if let Some(failure) = done.not_written.take() {
        // What was paid for is shown, whatever became of it.
        if !global.json {
            terminal::print(&render::report(&done))?;
        }
        return Err(failure.into());
    }
    terminal::show(global.json, &done.outcome, || render::report(&done))?;
    Ok(exit::agent_code(done.outcome.ending))
}
