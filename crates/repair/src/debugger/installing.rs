//! The loop with packages: what a Python program lacks is installed, and the loop begins anew.

use super::{Debugger, FixRequest, Help, Step, installed_alone, name_requirements};
use crate::Strategy;
use crate::verify::Run;
use formicary_model::{
    Enforcement, ExecutionRequest, Failure, FixReport, FixStatus, MissingPackage, PackageRequest,
    PatchEvidence,
};
use std::sync::Mutex;
use std::time::Instant;

/// Packages that are installed for one program at most.
const MOST_PACKAGES: usize = 12;

/// Installs the packages of a request.
pub type Install<'a> = &'a dyn Fn(&ExecutionRequest) -> Result<(), Failure>;

/// A loop that may install packages.
pub struct Installing<'a> {
    /// How requests are run.
    pub run: &'a Run<'a>,
    /// A request as the configuration would have it; what was installed until now is added.
    pub base: &'a Mutex<ExecutionRequest>,
    /// Sources of patches, made for each round.
    pub strategies: &'a dyn Fn() -> Vec<Box<dyn Strategy>>,
    /// Sandboxes at a time.
    pub workers: usize,
    /// Hears of every step.
    pub watch: &'a (dyn Fn(Step) + 'a),
    /// Installs packages; none where they may not be installed.
    pub install: Option<Install<'a>>,
    /// Whether the caller has cancelled.
    pub cancelled: &'a dyn Fn() -> bool,
}

impl Installing<'_> {
    /// Fixes a program, with the packages that it lacks where they may be installed.
    pub fn fix(&self, request: &mut FixRequest, help: &Help<'_>) -> Result<FixReport, Failure> {
        let (started, seconds) = (Instant::now(), request.seconds);
        let enforced: Mutex<Option<Enforcement>> = Mutex::new(None);
        let run = |request: ExecutionRequest| {
            let result = (self.run)(request)?;
            if let Ok(mut enforced) = enforced.lock() {
                *enforced = Some(result.enforcement.clone());
            }
            Ok(result)
        };
        let mut installed: Vec<MissingPackage> = Vec::new();
        let mut first: Option<FixReport> = None;
        let mut report = loop {
            let base = self.base();
            let debugger = Debugger {
                run: &run,
                base: &base,
                strategies: (self.strategies)(),
                workers: self.workers,
                watch: self.watch,
            };
            let left = seconds - started.elapsed().as_secs_f64();
            request.seconds = ((left * 10.0).round() / 10.0).max(1.0);
            let mut report = debugger.fix_with(request, help)?;
            let is_new =
                |missing: &&MissingPackage| !installed.iter().any(|known| known.package == missing.package);
            let lacking: Vec<MissingPackage> = report.missing.iter().filter(is_new).cloned().collect();
            let may = report.language == "python" && report.patches.is_empty();
            let Some(install) = self.install.filter(|_| may && !lacking.is_empty()) else { break report };
            if installed.len() + lacking.len() > MOST_PACKAGES {
                break report;
            }
            let names: Vec<&str> = lacking.iter().map(|missing| missing.package.as_str()).collect();
            (self.watch)(Step::Installing(names.join(", ")));
            let mut with_them = base.clone();
            let packages: &mut PackageRequest = &mut with_them.packages;
            packages.requirements.extend(names.iter().map(|name| (*name).to_owned()));
            if let Err(failure) = install(&with_them) {
                if (self.cancelled)() {
                    return Err(failure);
                }
                let names = names.join(", ");
                report.notes.push(format!("{names} could not be installed: {}", failure.message));
                break report;
            }
            first.get_or_insert(report);
            if let Ok(mut base) = self.base.lock() {
                *base = with_them;
            }
            installed
                .extend(lacking.into_iter().map(|missing| MissingPackage { installed: true, ..missing }));
        };
        let Some(first) = &first else { return Ok(report) };
        report.missing.retain(|missing| !installed.iter().any(|known| known.package == missing.package));
        report.missing.splice(0..0, installed);
        let enforcement = enforced.lock().ok().and_then(|mut enforced| enforced.take());
        match enforcement {
            Some(enforcement) if report.status == FixStatus::NothingWrong => {
                report = installed_alone(&request.case, first, report, enforcement);
                if !request.is_tested(first.diagnosis.as_ref()) {
                    mark_untested(&mut report);
                }
            }
            _ => name_requirements(&request.case, &mut report),
        }
        Ok(report)
    }

    fn base(&self) -> ExecutionRequest {
        self.base.lock().map_or_else(|held| held.into_inner().clone(), |held| held.clone())
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
