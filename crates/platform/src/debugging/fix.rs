//! Fixing a program by its tests: the use case behind `fix` and `debug`.

use super::adviser::{AskedModel, ModelAdviser, ModelOptions};
use crate::beside;
use crate::facade::Platform;
use crate::keys::Scope;
use crate::use_case::{Context, Effect, UseCase};
use formicary_diagnose::project::surroundings::{self, Beside};
use formicary_diagnose::project::{self, Project, ProjectOptions};
use formicary_execution::Live;
use formicary_files::Viewpoint;
use formicary_model::use_case::Code;
use formicary_model::{
    Diagnosis, ErrorDiagnosis, ExecutionRequest, Failure, FailureKind, FixInput, FixReport, FixStatus,
    Language, PatchedFile, SourceFile,
};
use formicary_repair::remedies::Remedies;
use formicary_repair::{Adviser, FixRequest, Help, Installing, Packages, Purpose, Step, look};
use formicary_review::project::file_or_directory;
use formicary_search::rewrite::{Change, Journal};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

/// Seconds beyond the budget in which a run that was under way may end.
const FOR_THE_END: f64 = 1.0;
/// A run in less would only say that there was no time.
const SHORTEST_RUN: f64 = 0.3;

/// Fixes a program by its tests. The tree is touched only if that is asked for and a patch is verified.
pub struct Fix;

impl UseCase for Fix {
    const NAME: &'static str = "fix";
    const PATH: &'static str = "/v1/fix";
    const ABOUT: &'static str = "Fix a program by its tests: find patches and verify each";
    const SCOPE: Option<Scope> = Some(Scope::Debug);
    const EFFECT: Effect = Effect::Writes;
    type Input = FixInput;
    type Output = FixReport;

    fn run(platform: &Platform, context: &Context<'_>, input: FixInput) -> Result<FixReport, Failure> {
        let code = match &input.snippet {
            Some(snippet) => Code { files: vec![platform.snippet(snippet, &input)?], ..Code::default() },
            None => input.code.clone(),
        };
        let workspace = context.workspace(&code)?;
        let target = match input.snippet {
            Some(_) => PathBuf::from(&code.files[0].path),
            // Of one file that came along with what it should print there is no doubt which one is run.
            None if code.paths.is_empty() && code.files.len() == 1 => PathBuf::from(&code.files[0].path),
            None => workspace.first_path(),
        };
        let options = FixOptions {
            working_folder: workspace.directory().to_owned(),
            target,
            write: input.write && workspace.is_project(),
            model: platform.adviser_of(&input, &context.directory().unwrap_or_default())?,
            base: platform.base(input.environment.clone()),
            input,
        };
        platform.fix(context, &options).map_err(|failure| workspace.explain(failure))
    }
}

/// What is to be fixed, and how.
#[derive(Debug)]
pub(super) struct FixOptions {
    /// Where relative paths begin.
    pub working_folder: PathBuf,
    /// The file or directory to fix.
    pub target: PathBuf,
    /// Whether the best verified patch is written into the tree.
    pub write: bool,
    /// The model that is asked where rules and search find nothing.
    pub model: Option<AskedModel>,
    /// How much protection must hold, and by which provider: as for runs.
    pub base: ExecutionRequest,
    /// The tests and the bounds.
    pub input: FixInput,
}

impl Platform {
    /// A snippet as a file of its language.
    fn snippet(&self, code: &str, input: &FixInput) -> Result<SourceFile, Failure> {
        let word = match &input.language {
            Some(word) => Some(word.clone()),
            None => self.detect(None, code.as_bytes()).map(|found| found.language),
        };
        let language = word.as_deref().and_then(Language::from_word).ok_or_else(|| {
            let known: Vec<&str> = Language::ALL.iter().map(|language| language.id()).collect();
            Failure::new(FailureKind::InvalidInput, "it cannot be told in which language the snippet is")
                .hint(format!("name it as language: {}", known.join(", ")))
        })?;
        let stem = if language == Language::Java { "Main" } else { "main" };
        let extension = language.extensions().first().copied().unwrap_or("txt");
        Ok(SourceFile::new(format!("{stem}.{extension}"), code))
    }

    /// The model that may be asked, if one is named.
    fn adviser_of(&self, input: &FixInput, here: &Path) -> Result<Option<AskedModel>, Failure> {
        let Some(model) = &input.model else { return Ok(None) };
        let options = ModelOptions {
            model: model.clone(),
            record: input.record.as_ref().map(PathBuf::from),
            rounds: input.rounds.count() as u32,
            tokens: input.tokens.get() as u64,
            money: input.money,
        };
        self.fix_model(options, here).map(Some)
    }

    fn fix(&self, context: &Context<'_>, options: &FixOptions) -> Result<FixReport, Failure> {
        let (caller, cancel) = (&context.caller, &context.cancel);
        let input = &options.input;
        let started = Instant::now();
        let target = file_or_directory(&options.working_folder.join(&options.target), &options.target)?;
        let project = project::read(&ProjectOptions {
            working_directory: &options.working_folder,
            target: &target,
            input,
            most: self.settings().max_code_bytes as usize,
        })?;
        let mut base = options.base.clone();
        let root = &project.root;
        let beside = Beside {
            node_modules: beside::node_modules(root),
            vendor: beside::vendor(root),
            venv: beside::venv(root),
        };
        surroundings::show(root, beside, project.case.language, &mut base, input.install);
        let base = Mutex::new(base);
        // Candidates are many short runs: they are accounted for, and none is shown.
        let aside = context.aside();
        let run = |mut request: ExecutionRequest| {
            if cancel.is_cancelled() {
                return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
            }
            bounded(&mut request, input.seconds.get() - started.elapsed().as_secs_f64());
            let live = Live { cancel: cancel.clone(), observer: &aside, stdin: None };
            self.execute_as(caller, request, live)
        };
        let looked: OnceLock<Option<Diagnosis>> = OnceLock::new();
        let plain = input.test.is_none() && input.tests.is_none();
        let look = || {
            let seen = || {
                let around = base.lock().map_or_else(|held| held.into_inner().clone(), |held| held.clone());
                let left = input.seconds.get() - started.elapsed().as_secs_f64() + FOR_THE_END;
                if left < SHORTEST_RUN {
                    return None;
                }
                let request = look::request(&project, &around, plain, left)?;
                let live = Live { cancel: cancel.clone(), ..Live::default() };
                look::seen(self.diagnose_as(caller, request, live).ok()?.0)
            };
            looked.get_or_init(seen).clone()
        };
        let cancelled = || cancel.is_cancelled();
        let adviser = options.model.as_ref();
        let adviser = adviser.map(|model| ModelAdviser { model, look: &look, cancelled: &cancelled });
        let help = Help {
            packages: if input.install { Packages::Installable } else { Packages::Refused },
            adviser: adviser.as_ref().map(|adviser| adviser as &dyn Adviser),
            rounds: options.model.as_ref().map_or(0, |model| model.rounds()),
        };
        let mut request = FixRequest {
            case: project.case.clone(),
            command: project.command.clone(),
            purpose: if plain && project.named.is_some() { Purpose::Run } else { Purpose::Tests },
            cases: project.cases.clone(),
            seconds: input.seconds.get() - started.elapsed().as_secs_f64(),
            most_candidates: input.candidates.count(),
            most_patches: 5,
        };
        let install = |request: &ExecutionRequest| {
            let live = Live { cancel: cancel.clone(), ..Live::default() };
            self.install(&request.packages, request.assurance, &live).map(drop)
        };
        let installing = Installing {
            run: &run,
            base: &base,
            strategies: &|| vec![Box::new(Remedies)],
            workers: std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8),
            watch: &|step| report_step(context, step),
            install: input.install.then_some(&install as &dyn Fn(&ExecutionRequest) -> Result<(), Failure>),
            cancelled: &cancelled,
        };
        let mut report = installing.fix(&mut request, &help)?;
        // Where no tests judge, why the program fails is most of what can be known.
        if matches!(report.status, FixStatus::NotFixed | FixStatus::Suggested)
            && let Some(seen) = look()
            && (report.status == FixStatus::NotFixed || is_same_failure(report.diagnosis.as_ref(), &seen))
        {
            report.diagnosis = Some(seen);
        }
        if options.write && report.status == FixStatus::Suggested {
            report.notes.push("nothing was written: no test verifies the patch".into());
        }
        report.notes.splice(0..0, project.notes.iter().cloned());
        report.seconds = started.elapsed().as_secs_f64();
        write(options, &project, &mut report)?;
        Ok(report)
    }
}

/// Whether two diagnoses are of the same error at the same place.
fn is_same_failure(first: Option<&Diagnosis>, seen: &Diagnosis) -> bool {
    let place = |error: &ErrorDiagnosis| error.place.as_ref().map(|place| (place.file.clone(), place.line));
    match (first.and_then(Diagnosis::main), seen.main()) {
        (Some(one), Some(other)) => one.error_type == other.error_type && place(one) == place(other),
        _ => false,
    }
}

/// No run outlasts the time that there is, however long its own limits and however slow the machine.
fn bounded(request: &mut ExecutionRequest, left: f64) {
    let left = (left + FOR_THE_END).max(SHORTEST_RUN);
    let bounded = |own: Option<f64>| Some(own.map_or(left, |own| own.min(left)));
    request.limits.wall_seconds = bounded(request.limits.wall_seconds);
    request.compile_limits.wall_seconds = bounded(request.compile_limits.wall_seconds);
}

/// What happens, for who looks on.
fn report_step(context: &Context<'_>, step: Step) {
    match step {
        Step::Testing => context.step("testing the program as it is"),
        Step::Localising => context.step("looking for the failing lines"),
        Step::Searching(judged, passed) => {
            context.count(&format!("{passed} patches pass; candidates judged"), judged, 0);
        }
        Step::Verifying(_) => context.step("verifying a patch"),
        Step::Asking(model, round) => context.step(format!("asking {model} (round {round})")),
        Step::Installing(packages) => context.step(format!("installing {packages}")),
    }
}

/// Writes the best patch if that is asked for, so that it can be taken back like any other change of ours. A stranger's project
/// may hold links: only its own regular files are replaced.
fn write(options: &FixOptions, project: &Project, report: &mut FixReport) -> Result<(), Failure> {
    let Some(patch) = report.patches.first().filter(|_| options.write && report.status == FixStatus::Fixed)
    else {
        return Ok(());
    };
    let whole = formicary_review::sources::root(&options.working_folder, &[])
        .unwrap_or_else(|_| project.root.clone());
    let root = if project.root.starts_with(&whole) { whole } else { project.root.clone() };
    let below = project.root.strip_prefix(&root).unwrap_or(Path::new(""));
    let change = |file: &PatchedFile| -> Option<Change> {
        let before = project.case.files.iter().find(|known| known.path == file.path)?;
        let path = below.join(&file.path).to_str()?.to_owned();
        Some(Change::whole(path, before.text.as_str().into(), file.text.clone()))
    };
    let changes: Vec<Change> = patch.files.iter().filter_map(change).collect();
    let undo = Journal::new(&root).write("fix", &changes)?;
    let viewpoint = Viewpoint::new(&options.working_folder, &root);
    report.written = changes.iter().map(|change| viewpoint.path(&change.path)).collect();
    report.undo = Some(undo);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_run_outlasts_the_budget() {
        for (own, left, expected) in [
            (Some(290.0), 3.0, 3.0 + FOR_THE_END),
            (None, 3.0, 3.0 + FOR_THE_END),
            (Some(2.0), 30.0, 2.0),
            (Some(290.0), -20.0, SHORTEST_RUN),
        ] {
            let mut request = ExecutionRequest::default();
            request.limits.wall_seconds = own;
            request.compile_limits.wall_seconds = own;
            bounded(&mut request, left);
            for limits in [&request.limits, &request.compile_limits] {
                assert_eq!(limits.wall_seconds, Some(expected), "{own:?} {left}");
            }
        }
    }
}
