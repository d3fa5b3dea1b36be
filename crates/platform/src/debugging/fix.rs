//! Mending a program by its tests: the platform's use-case behind `fix` and `debug`.

use super::adviser::{AskedModel, ModelAdviser};
use super::project::{self, Project};
use super::surroundings;
use crate::facade::{Platform, local_caller};
use formicary_debugging::debugger::{installed_alone, name_requirements};
use formicary_debugging::rules::Rules;
use formicary_debugging::{Adviser, Debugger, FixRequest, Help, Packages, Step};
use formicary_execution::Live;
use formicary_model::{
    Caller, Diagnosis, Enforcement, ExecutionRequest, Failure, FailureKind, FixReport, FixStatus,
    MissingPackage,
};
use formicary_sandbox::Cancel;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

/// Packages that are installed for one program at the most.
const MOST_PACKAGES: usize = 12;

/// What the caller of `fix` says.
#[derive(Debug, Clone)]
pub struct FixOptions {
    /// Where relative paths begin.
    pub working_folder: PathBuf,
    /// The file or folder to mend.
    pub target: PathBuf,
    /// The test command.
    pub test: Option<String>,
    /// A file of tests, or of JSON cases.
    pub tests: Option<PathBuf>,
    /// A file with the expected output.
    pub expect: Option<PathBuf>,
    /// A file with the input that goes with it.
    pub stdin: Option<PathBuf>,
    /// Candidates at the most.
    pub most_candidates: usize,
    /// Seconds in all.
    pub seconds: f64,
    /// Whether the best patch is written into the tree.
    pub write: bool,
    /// Whether packages that the program imports may be installed for it.
    pub install: bool,
    /// The model that is asked where rules and search find nothing.
    pub model: Option<Arc<AskedModel>>,
    /// How much protection must hold, and by which provider: as for runs.
    pub base: ExecutionRequest,
}

/// What came of it.
#[derive(Debug)]
pub struct FixDone {
    /// The report.
    pub report: FixReport,
    /// The files that were written.
    pub written: Vec<PathBuf>,
}

impl Platform {
    /// Mends a program by its tests. The tree is touched only where the caller asks for it and a patch is verified.
    pub fn mend(
        &self,
        options: &FixOptions,
        cancel: &Cancel,
        watch: &dyn Fn(Step),
    ) -> Result<FixDone, Failure> {
        self.mend_as(&local_caller(), options, cancel, watch)
    }

    /// The same for a caller that a door knows.
    pub fn mend_as(
        &self,
        caller: &Caller,
        options: &FixOptions,
        cancel: &Cancel,
        watch: &dyn Fn(Step),
    ) -> Result<FixDone, Failure> {
        let started = Instant::now();
        let most = self.configuration().number("max_code_bytes") as usize;
        let project = project::read(options, most)?;
        let mut base = options.base.clone();
        surroundings::show(&project.root, project.case.language, &mut base, options.install);
        // What a second look needs around the program: with what was installed until then.
        let around = Mutex::new(base.clone());
        let enforced: Mutex<Option<Enforcement>> = Mutex::new(None);
        let run = |request: ExecutionRequest| {
            if cancel.is_cancelled() {
                return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
            }
            let live = Live { cancel: cancel.clone(), ..Live::default() };
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
                let left = options.seconds - started.elapsed().as_secs_f64();
                self.second_look(caller, options, &around(), &project, left, cancel)
            };
            looked.get_or_init(seen).clone()
        };
        let adviser = options.model.as_deref().map(|model| ModelAdviser { model, look: &look, cancel });
        let help = Help {
            packages: if options.install { Packages::Installable } else { Packages::Refused },
            adviser: adviser.as_ref().map(|adviser| adviser as &dyn Adviser),
            rounds: options.model.as_ref().map_or(0, |model| model.rounds()),
        };
        let mut request = FixRequest {
            case: project.case.clone(),
            command: project.command.clone(),
            cases: project.cases.clone(),
            seconds: options.seconds,
            most_candidates: options.most_candidates,
            most_patches: 5,
        };
        let mut installed: Vec<MissingPackage> = Vec::new();
        let mut first: Option<FixReport> = None;
        let mut report = loop {
            let workers = std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8);
            let debugger =
                Debugger { run: &run, base: &base, strategies: vec![Box::new(Rules)], workers, watch };
            let left = options.seconds - started.elapsed().as_secs_f64();
            request.seconds = ((left * 10.0).round() / 10.0).max(1.0);
            let mut report = debugger.fix_with(&mut request, &help)?;
            let wanted: Vec<MissingPackage> = report
                .missing
                .iter()
                .filter(|missing| !installed.iter().any(|known| known.package == missing.package))
                .cloned()
                .collect();
            let may = options.install && report.language == "python" && report.patches.is_empty();
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
                }
                _ => name_requirements(&project.case, &mut report),
            }
        }
        if report.status == FixStatus::NotFixed
            && let Some(seen) = look()
        {
            report.diagnosis = Some(seen);
        }
        report.notes.splice(0..0, project.notes.iter().cloned());
        report.seconds = started.elapsed().as_secs_f64();
        let written = write(options, &project, &report)?;
        Ok(FixDone { report, written })
    }
}

/// Writes the best patch where that is asked for.
fn write(options: &FixOptions, project: &Project, report: &FixReport) -> Result<Vec<PathBuf>, Failure> {
    let mut written = Vec::new();
    if !options.write || report.status != FixStatus::Fixed {
        return Ok(written);
    }
    for file in report.patches.first().into_iter().flat_map(|patch| &patch.files) {
        let path = project.root.join(&file.path);
        std::fs::write(&path, &file.text).map_err(|error| {
            Failure::new(FailureKind::InvalidInput, format!("{}: {error}", path.display()))
                .hint("the patch is in the report; apply it where you may write")
        })?;
        written.push(path);
    }
    Ok(written)
}
