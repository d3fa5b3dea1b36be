//! Fixing a program by its tests: the use case behind `fix` and `debug`.

use super::adviser::{AskedModel, ModelAdviser, ModelOptions};
use super::project::{self, Project};
use super::surroundings;
use crate::facade::Platform;
use crate::keys::Scope;
use crate::use_case::{Context, Effect, UseCase};
use formicary_execution::Live;
use formicary_files::Viewpoint;
use formicary_model::use_case::Code;
use formicary_model::{
    Diagnosis, Enforcement, ExecutionRequest, Failure, FailureKind, FixInput, FixReport, FixStatus, Language,
    MissingPackage, PatchEvidence, PatchedFile, SourceFile,
};
use formicary_repair::debugger::{installed_alone, name_requirements};
use formicary_repair::remedies::Rules;
use formicary_repair::{Adviser, Debugger, FixRequest, Help, Packages, Purpose, Step};
use formicary_search::rewrite::{Change, Journal};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

/// Packages that are installed for one program at the most.
const MOST_PACKAGES: usize = 12;

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
        let watch = |step| report_step(context, step);
        let seconds = options.input.seconds.get();
        let started = Instant::now();
        let most = self.settings().max_code_bytes as usize;
        let project = project::read(options, most)?;
        let mut base = options.base.clone();
        surroundings::show(&project.root, project.case.language, &mut base, options.input.install);
        // What a second look needs around the program: with what was installed until then.
        let around = Mutex::new(base.clone());
        let enforced: Mutex<Option<Enforcement>> = Mutex::new(None);
        // Candidates are many short runs: they are accounted for, and none is shown.
        let aside = context.aside();
        let run = |request: ExecutionRequest| {
            if cancel.is_cancelled() {
                return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
            }
            let live = Live { cancel: cancel.clone(), observer: &aside, stdin: None };
            let result = self.execute_as(caller, request, live)?;
            if let Ok(mut enforced) = enforced.lock() {
                *enforced = Some(result.enforcement.clone());
            }
            Ok(result)
        };
        let looked: OnceLock<Option<Diagnosis>> = OnceLock::new();
        let look = || {
            let around = || around.lock().map_or_else(|held| held.into_inner().clone(), |held| held.clone());
            let seen = || {
                let left = seconds - started.elapsed().as_secs_f64();
                self.second_look(caller, options, &around(), &project, left, cancel)
            };
            looked.get_or_init(seen).clone()
        };
        let adviser = options.model.as_ref().map(|model| ModelAdviser { model, look: &look, cancel });
        let help = Help {
            packages: if options.input.install { Packages::Installable } else { Packages::Refused },
            adviser: adviser.as_ref().map(|adviser| adviser as &dyn Adviser),
            rounds: options.model.as_ref().map_or(0, |model| model.rounds()),
        };
        let names_tests =
            options.input.test.is_some() || options.input.tests.is_some() || project.named.is_none();
        let purpose = if names_tests { Purpose::Tests } else { Purpose::Run };
        let mut request = FixRequest {
            case: project.case.clone(),
            command: project.command.clone(),
            purpose,
            cases: project.cases.clone(),
            seconds,
            most_candidates: options.input.candidates.count(),
            most_patches: 5,
        };
        let mut installed: Vec<MissingPackage> = Vec::new();
        let mut first: Option<FixReport> = None;
        let mut report = loop {
            let workers = std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8);
            let debugger = Debugger {
                run: &run,
                base: &base,
                strategies: vec![Box::new(Rules)],
                workers,
                watch: &watch,
            };
            let left = seconds - started.elapsed().as_secs_f64();
            request.seconds = ((left * 10.0).round() / 10.0).max(1.0);
            let mut report = debugger.fix_with(&mut request, &help)?;
            let wanted: Vec<MissingPackage> = report
                .missing
                .iter()
                .filter(|missing| !installed.iter().any(|known| known.package == missing.package))
                .cloned()
                .collect();
            let may = options.input.install && report.language == "python" && report.patches.is_empty();
            if !may || wanted.is_empty() || installed.len() + wanted.len() > MOST_PACKAGES {
                break report;
            }
            let names: Vec<&str> = wanted.iter().map(|missing| missing.package.as_str()).collect();
            watch(Step::Installing(names.join(", ")));
            base.packages.requirements.extend(names.iter().map(|name| (*name).to_owned()));
            let live = Live { cancel: cancel.clone(), ..Live::default() };
            if let Err(failure) = self.install(&base.packages, base.assurance, &live) {
                if cancel.is_cancelled() {
                    return Err(failure);
                }
                report.notes.push(format!(
                    "{} could not be installed: {}",
                    names.join(", "),
                    failure.message
                ));
                break report;
            }
            first.get_or_insert(report);
            if let Ok(mut around) = around.lock() {
                around.clone_from(&base);
            }
            installed.extend(wanted.into_iter().map(|missing| MissingPackage { installed: true, ..missing }));
        };
        if let Some(first) = &first {
            report.missing.retain(|missing| !installed.iter().any(|known| known.package == missing.package));
            report.missing.splice(0..0, installed);
            let enforcement = enforced.lock().ok().and_then(|mut enforced| enforced.take());
            match enforcement {
                Some(enforcement) if report.status == FixStatus::NothingWrong => {
                    report = installed_alone(&project.case, first, report, enforcement);
                    if !request.is_tested(first.diagnosis.as_ref()) {
                        mark_untested(&mut report);
                    }
                }
                _ => name_requirements(&project.case, &mut report),
            }
        }
        if report.status == FixStatus::NotFixed
            && let Some(seen) = look()
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

/// The packages that were missing let the program run to its end, and no test says more.
fn mark_untested(report: &mut FixReport) {
    report.status = FixStatus::Suggested;
    for patch in &mut report.patches {
        patch.evidence = PatchEvidence::Candidate;
        if let Some(verification) = &mut patch.verification {
            verification.verified = false;
        }
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
