//! `formicary run`: the request from the options, the run, and what is shown of it.

use crate::arguments::{GlobalArguments, run::RunArguments, session::CellArguments};
use crate::commands::{cluster, session};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::live::LiveOutput;
use crate::render::{events::EventFile, install::InstallProgress, summary};
use crate::source::{self, Wanted};
use crate::{neighbours, terminal};
use formicary_model::{Event, ExecutionRequest, ExecutionResult, Failure, Limits, Observer};
use formicary_platform::artifacts::OutputFolder;
use formicary_platform::config::ConfigSources;
use formicary_platform::execute::Execute;
use formicary_platform::{Platform, Stdin, exit, open_named};
use std::io::IsTerminal as _;
use std::os::fd::AsFd as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::sync::Arc;
use std::time::Duration;

/// Runs code and passes its exit code on.
pub fn run(mut arguments: RunArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    if !arguments.collect.is_empty() && arguments.out.is_none() && !global.json {
        let hint = "add --out DIR, or --json to have them in the result";
        return Err(invalid("--collect is given, but not where to put the files", hint).into());
    }
    if arguments.session.is_some() {
        return in_session(arguments, global);
    }
    let warnings = if arguments.quiet { Warnings::Hidden } else { Warnings::Told };
    let (platform, sources) = door::platform(global, warnings)?;
    let wanted = Wanted {
        code: arguments.code.take(),
        path: arguments.path.as_deref(),
        entry: arguments.entry.take(),
        has_command: arguments.command.is_some(),
        most: source::Most::of(platform.settings()),
    };
    let loaded = source::load(wanted)?;
    if !arguments.quiet {
        loaded.notes.iter().for_each(|note| terminal::tell_warning(note));
    }
    if arguments.cluster.url.is_some() && arguments.interactive {
        let hint = "leave --interactive out, or run it on this machine";
        return Err(invalid("a program on another machine shows its output at its end", hint).into());
    }
    let cluster = cluster::front(&arguments.cluster, platform.configuration())?;
    if let Some((cluster, _)) = &cluster {
        platform.send_to(Arc::clone(cluster));
    }
    let stdin = stdin(&arguments, loaded.from_stdin)?;
    let out = arguments.out.as_deref().map(OutputFolder::open).transpose()?;
    let events = arguments.events.as_deref().map(EventFile::create).transpose()?;
    let mut request = request(&arguments, &platform, &sources)?;
    request.source = loaded.source;
    if let Some(root) = arguments.path.as_deref().filter(|path| path.is_dir() && !platform.is_front()) {
        let notes = platform.complete(&source::absolute(root)?, &mut request);
        if !arguments.quiet {
            notes.iter().for_each(|note| terminal::tell_warning(note));
        }
    }
    let show = Show { json: global.json, quiet: arguments.quiet, no_summary: arguments.no_summary };
    let (result, written) = execute(&platform, &sources, request, stdin, events.as_ref(), show);
    if let Some(events) = events {
        events.finish()?;
    }
    written?;
    let result = result?;
    if let Some(trouble) = platform.audit_trouble() {
        terminal::tell_warning(&format!("this run is not in the audit log: {trouble}"));
    }
    if let Some(folder) = &out {
        folder.write(&result.artifacts)?;
    }
    present(&result, show)?;
    let file = arguments.path.as_deref().filter(|path| arguments.code.is_none() && path.is_file());
    if let (Some(file), false) = (file, show.json || show.quiet) {
        neighbours::of_run("run", file, &result).iter().for_each(|hint| terminal::tell_hint(hint));
    }
    Ok(exit::result_code(&result))
}

/// A cell of a session. What belongs to the sandbox was said when the session was made.
fn in_session(arguments: RunArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let protection = &arguments.protection;
    let isolation = &protection.isolation;
    let refused = [
        ("--mount", !protection.mounts.is_empty()),
        ("--insist-mount", !protection.insist_on_mounts.is_empty()),
        ("--env", !arguments.env.is_empty()),
        ("--venv", arguments.venv.is_some()),
        ("--requirements", !arguments.packages.requirements.is_empty()),
        ("--network", protection.network.is_some()),
        ("--require", isolation.require.is_some()),
        ("--best-effort", isolation.best_effort),
        ("--provider", isolation.provider.is_some()),
        ("--image", isolation.image.is_some()),
    ];
    if let Some((option, _)) = refused.iter().find(|(_, given)| *given) {
        let hint = format!("give {option} to `formicary session new`");
        return Err(invalid(format!("{option} does not go with --session"), hint).into());
    }
    let unsupported = [
        ("--command", arguments.command.is_some()),
        ("--entry", arguments.entry.is_some()),
        ("--flag", !arguments.flags.is_empty()),
        ("--stdin-file", arguments.stdin_file.is_some()),
        ("--interactive", arguments.interactive),
        ("--events", arguments.events.is_some()),
        ("--cluster", arguments.cluster.url.is_some()),
        ("--collect", !arguments.collect.is_empty()),
    ];
    if let Some((option, _)) = unsupported.iter().find(|(_, given)| *given) {
        let hint = "leave it out; `formicary session put` and `get` move files";
        return Err(invalid(format!("{option} does not go with --session"), hint).into());
    }
    let cell = CellArguments {
        id: arguments.session.unwrap_or_default(),
        path: arguments.path,
        code: arguments.code,
        timeout: arguments.limits.timeout,
        out: None,
        args: arguments.args,
    };
    session::run_cell(cell, global, &session::client(&door::sources(global))?)
}

#[derive(Clone, Copy)]
struct Show {
    json: bool,
    quiet: bool,
    no_summary: bool,
}

/// What came of the run, and whether its output could be written.
type Ended = (Result<ExecutionResult, Failure>, std::io::Result<()>);

fn execute(
    platform: &Platform,
    sources: &ConfigSources,
    request: ExecutionRequest,
    stdin: Stdin,
    events: Option<&EventFile>,
    show: Show,
) -> Ended {
    let context = door::context(sources);
    let settings = platform.settings();
    let wall = |configured: &Limits, own: Option<f64>| {
        Duration::from_secs_f64(own.unwrap_or(configured.wall_seconds).clamp(0.0, 86_400.0))
    };
    let live = LiveOutput::new(
        context.cancel.clone(),
        wall(&settings.compile_limits, request.compile_limits.wall_seconds),
        wall(&settings.limits, request.limits.wall_seconds),
    );
    let installing = InstallProgress::new(show.quiet || show.json);
    let observer = |event: &Event| {
        installing.event(event);
        if let Some(events) = events {
            events.event(event);
        }
        if !show.json {
            live.event(event);
        }
    };
    let result = platform.perform::<Execute>(&context.observed(&observer).with_stdin(stdin), request);
    (result, live.finish())
}

fn present(result: &ExecutionResult, show: Show) -> Result<(), Stop> {
    if show.json {
        terminal::print_json(result)?;
        return Ok(());
    }
    if !show.quiet {
        for skipped in &result.skipped_artifacts {
            terminal::tell_warning(&format!("{} was not collected: {}", skipped.path, skipped.why));
        }
        let wanted =
            if show.no_summary { summary::Wanted::FailuresOnly } else { summary::Wanted::ByTerminal };
        summary::tell(result, wanted);
    }
    Ok(())
}

// Piped stdin belongs to the program. A terminal's does not, unless the caller says so: a program that waits for
// input nobody thinks of would look as if it hung.
fn stdin(arguments: &RunArguments, used_up: bool) -> Result<Stdin, Failure> {
    if let Some(path) = &arguments.stdin_file {
        let file = open_named(path).map_err(|error| {
            let message = format!("stdin file {} cannot be read: {error}", path.display());
            invalid(message, "give a file that exists and that you may read")
        })?;
        return Ok(Stdin::Reader(Box::new(file)));
    }
    if used_up {
        if arguments.interactive {
            let hint = "give the code with -c CODE or as a FILE";
            return Err(invalid("--interactive wants the stdin that the code came from", hint));
        }
        return Ok(Stdin::Bytes(Vec::new()));
    }
    if (std::io::stdin().is_terminal() && !arguments.interactive) || stdin_is_the_null_device() {
        return Ok(Stdin::Bytes(Vec::new()));
    }
    Ok(Stdin::Reader(Box::new(std::io::stdin())))
}

// A reader costs a thread; the null device has nothing to read, and is what scripts and schedulers give.
fn stdin_is_the_null_device() -> bool {
    let Ok(stdin) = std::io::stdin().as_fd().try_clone_to_owned() else { return false };
    let Ok(metadata) = std::fs::File::from(stdin).metadata() else { return false };
    let null = std::fs::metadata("/dev/null").map(|null| null.rdev());
    metadata.file_type().is_char_device() && null.is_ok_and(|null| null == metadata.rdev())
}

fn request(
    arguments: &RunArguments,
    platform: &Platform,
    sources: &ConfigSources,
) -> Result<ExecutionRequest, Failure> {
    let mut request = platform.new_request();
    let settings = platform.settings();
    request.language.clone_from(&arguments.language);
    request.args.clone_from(&arguments.args);
    request.command = arguments.command.as_ref().map(|command| {
        // The word after the command is the shell's own name; arguments come after it as $1, $2.
        ["/bin/sh", "-c", command, "sh"].map(str::to_owned).to_vec()
    });
    request.env = arguments.env.iter().cloned().collect();
    request.limits = arguments.limits.of_the_run(settings.limits.cpu_seconds);
    request.compile_limits = arguments.limits.of_the_compile_step(settings.compile_limits.cpu_seconds);
    request.compiler_flags.clone_from(&arguments.flags);
    let base = sources.working_folder.as_deref();
    let python = (arguments.venv.as_deref(), &arguments.packages);
    arguments.protection.apply(platform, base, python, &mut request.environment)?;
    request.collect.globs.clone_from(&arguments.collect);
    Ok(request)
}
