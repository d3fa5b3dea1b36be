//! `formicary judge`: items from programs or lines, their results as they come, and the figures at the end.

use crate::arguments::GlobalArguments;
use crate::arguments::judge::{JudgeArguments, ResultOrder};
use crate::commands::cluster;
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::install::InstallProgress;
use crate::render::judge::{self as render, Progress};
use crate::source::{self, Wanted};
use crate::{signals, terminal};
use formicary_model::visible;
use formicary_model::{
    Environment, ExecutionRequest, Failure, FailureKind, JudgeResult, JudgeSummary, PackageRequest, Source,
};
use formicary_platform::judge::JudgeRequest;
use formicary_platform::judging::{
    self, Cases, Earlier, Feed, Item, JudgeOptions, Order, Outputs, Problems, ResultFile, Template, folder,
    lines, unit_tests,
};
use formicary_platform::{Cancel, Live, Platform, exit, local_caller, open_named};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

/// Judges programs and tells how they fared.
pub fn run(arguments: JudgeArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let warnings = if arguments.quiet { Warnings::Hidden } else { Warnings::Told };
    let (platform, sources) = door::platform_to_stay(global, warnings)?;
    let packages = arguments.packages.request(sources.working_folder.as_deref())?;
    if let Some((cluster, _)) = cluster::front(&arguments.cluster, platform.configuration())? {
        platform.send_to(cluster);
    }
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let (source, total) = items(&arguments, &packages, &platform)?;
    // On a cluster each worker installs what it needs.
    if !packages.is_empty() && !platform.is_front() {
        let installing = InstallProgress::new(arguments.quiet);
        let live = Live { observer: &installing, cancel: cancel.clone(), ..Live::default() };
        let assurance = platform.assurance_of(arguments.isolation.provider.as_deref());
        platform.install(&packages, assurance, &live)?;
    }
    let (mut results, earlier) = results(&arguments, total.is_some(), global.json)?;
    let request = JudgeRequest {
        options: JudgeOptions {
            cases: if arguments.fail_fast { Cases::UntilFailure } else { Cases::All },
            order: match arguments.order {
                ResultOrder::Input => Order::Input,
                ResultOrder::Completion => Order::Completion,
            },
            jobs: arguments.jobs.map(usize::from),
        },
        earlier,
        pass_at: arguments.pass_at.clone(),
    };
    let progress = Progress::new(total, arguments.quiet);
    let live = Live { cancel, ..Live::default() };
    let mut unwritten = None;
    let caller = local_caller().through("cli");
    let judged = platform.judge(&caller, source, request, &live, &mut |result, tally| {
        let written = match &mut results {
            Results::File(file) => file.write(result).map_err(Unwritten::File),
            // What goes to a terminal must not run into the bar.
            Results::Lines => progress.aside(|| line(result)).map_err(Unwritten::Stdout),
            Results::Tables => {
                let table = render::table(result);
                progress.aside(|| terminal::print(&table)).map_err(Unwritten::Stdout)
            }
        };
        progress.show(tally);
        written.map_err(|error| match error {
            Unwritten::File(failure) => failure,
            Unwritten::Stdout(error) => {
                unwritten = Some(error);
                Failure::new(FailureKind::Internal, "stdout is closed")
            }
        })
    })?;
    progress.finish();
    if let Some(error) = unwritten {
        return Err(error.into());
    }
    present(&judged.summary, &results, &arguments, global)?;
    judged.ended.map_err(|failure| with_resume(failure, &arguments))?;
    Ok(exit::judge_code(&judged.summary))
}

fn present(
    summary: &JudgeSummary,
    results: &Results,
    arguments: &JudgeArguments,
    global: &GlobalArguments,
) -> Result<(), Stop> {
    if global.json {
        return Ok(terminal::print_json(&SummaryOnTheWire { summary })?);
    }
    let (text, reasons) = (render::summary(summary), render::not_judged(summary));
    match results {
        // Results are on stdout for a program to read: the figures stand beside them.
        Results::Lines if arguments.quiet => {}
        Results::Lines => terminal::stderr().write_all((reasons + &text).as_bytes())?,
        Results::File(_) => terminal::print(&(reasons + &text))?,
        // Each table says its own reason.
        Results::Tables => terminal::print(&text)?,
    }
    Ok(())
}

#[derive(serde::Serialize)]
struct SummaryOnTheWire<'a> {
    summary: &'a JudgeSummary,
}

fn with_resume(failure: Failure, arguments: &JudgeArguments) -> Failure {
    match arguments.out.as_ref().or(arguments.resume.as_ref()) {
        Some(path) if failure.hint.is_none() => {
            failure.hint(format!("--resume {} goes on where this ended", path.display()))
        }
        _ => failure,
    }
}

/// Where results go.
enum Results {
    File(ResultFile),
    Lines,
    Tables,
}

enum Unwritten {
    File(Failure),
    Stdout(io::Error),
}

fn line(result: &JudgeResult) -> io::Result<()> {
    terminal::print_data(&(visible::json(serde_json::to_string(result)?) + "\n"))
}

fn results(arguments: &JudgeArguments, programs: bool, json: bool) -> Result<(Results, Earlier), Failure> {
    if let Some(path) = &arguments.resume {
        let (file, earlier) = ResultFile::resume(path)?;
        return Ok((Results::File(file), earlier));
    }
    let results = match &arguments.out {
        Some(path) => Results::File(ResultFile::create(path)?),
        None if programs && !json => Results::Tables,
        None => Results::Lines,
    };
    Ok((results, Earlier::default()))
}

/// The items, and how many there are where that is known.
fn items(
    arguments: &JudgeArguments,
    packages: &PackageRequest,
    platform: &Platform,
) -> Result<(judging::Source, Option<u64>), Failure> {
    let most = source::Most::of(platform.settings());
    let mut template = template(arguments, platform, most)?;
    template.request.packages.clone_from(packages);
    for path in &arguments.paths {
        refuse_compressed(path)?;
    }
    if let Some(path) = arguments.paths.iter().find(|path| holds_items(path)) {
        if arguments.paths.len() > 1 || arguments.cases.is_some() || arguments.test.is_some() {
            let message = format!("items in {} bring their own cases and stand alone", path.display());
            return Err(invalid(message, "give one file of items and neither programs, --cases nor --test"));
        }
        return Ok((read_lines(path, template)?, None));
    }
    if arguments.problems.is_some() {
        return Err(invalid(
            "--problems goes with a file of samples",
            "give the samples in a file named *.jsonl",
        ));
    }
    let mut cases: Arc<[judging::Case]> = match (&arguments.cases, &arguments.test) {
        (Some(path), _) => {
            let outputs = if template.checker.is_some() { Outputs::Optional } else { Outputs::Needed };
            folder::cases(path, outputs)?.into()
        }
        (None, Some(_)) => Arc::new([]),
        (None, None) => {
            return Err(invalid(
                "what to judge by is not said",
                "give --cases DIR with *.in and *.out files, or --test FILE; items come in a file named *.jsonl",
            ));
        }
    };
    let test = arguments.test.as_deref().map(|path| load(path, most)).transpose()?;
    let mut items = Vec::new();
    for (index, path) in arguments.paths.iter().enumerate() {
        let mut source = load(path, most)?;
        if let Some(test) = &test {
            (source, cases) = unit_tests::beside(source, test.clone())?;
        }
        items.push(Feed::Item(Box::new(Item {
            id: path.display().to_string(),
            line: index as u64 + 1,
            group: None,
            request: ExecutionRequest { source, ..template.request.clone() },
            cases: Arc::clone(&cases),
            comparison: template.comparison,
            checker: template.checker.clone(),
        })));
    }
    let total = items.len() as u64;
    Ok((Box::new(items.into_iter()), Some(total)))
}

fn holds_items(path: &Path) -> bool {
    path == Path::new("-") || path.extension().is_some_and(|ending| ending == "jsonl" || ending == "ndjson")
}

fn read_lines(path: &Path, template: Template) -> Result<judging::Source, Failure> {
    if path == Path::new("-") {
        return Ok(lines::read(io::stdin(), template));
    }
    let file = open_named(path).map_err(|error| {
        let message = format!("items in {} cannot be read: {error}", path.display());
        invalid(message, "give a file that exists and that you may read, or - for stdin")
    })?;
    Ok(lines::read(file, template))
}

fn template(
    arguments: &JudgeArguments,
    platform: &Platform,
    most: source::Most,
) -> Result<Template, Failure> {
    let mut request = platform.new_request();
    arguments.isolation.apply(platform, &mut request.environment);
    let settings = platform.settings();
    request.language.clone_from(&arguments.language);
    request.compiler_flags.clone_from(&arguments.flags);
    request.limits = arguments.limits.of_the_run(settings.limits.cpu_seconds);
    request.compile_limits = arguments.limits.of_the_compile_step(settings.compile_limits.cpu_seconds);
    let mut checker = None;
    if let Some(path) = &arguments.checker {
        let source = load(path, most)?;
        let confined = platform.new_request();
        let (assurance, provider) = (request.assurance, request.provider.clone());
        checker = Some(Arc::new(ExecutionRequest {
            source,
            environment: Environment { assurance, provider, ..confined.environment },
            ..confined
        }));
    }
    let problems = arguments.problems.as_deref().map(problems).transpose()?;
    Ok(Template { request, comparison: arguments.comparison(), checker, problems })
}

/// The problems that samples answer.
fn problems(path: &Path) -> Result<Arc<Problems>, Failure> {
    refuse_compressed(path)?;
    let file = open_named(path).map_err(|error| {
        let message = format!("problems in {} cannot be read: {error}", path.display());
        invalid(message, "give a file that exists and that you may read")
    })?;
    let named =
        |failure: Failure| Failure { message: format!("{}: {}", path.display(), failure.message), ..failure };
    Ok(Arc::new(Problems::read(file).map_err(named)?))
}

/// Data sets often come compressed; their lines cannot be read then.
fn refuse_compressed(path: &Path) -> Result<(), Failure> {
    if path.extension().is_some_and(|extension| extension == "gz") {
        let hint = format!("unpack it first: gunzip -k {}", path.display());
        return Err(invalid(format!("{} is compressed", path.display()), hint));
    }
    Ok(())
}

fn load(path: &Path, most: source::Most) -> Result<Source, Failure> {
    let wanted = Wanted { code: None, path: Some(path), entry: None, has_command: false, most };
    Ok(source::load(wanted)?.source)
}
