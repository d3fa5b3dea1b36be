//! A program run so that its failure reports as much as it can, and the further runs that find out more.

use crate::failures::{self, SourceText};
use crate::hangs::{self, Input};
use crate::{causes, snapshot};
use formicary_execution::Live;
use formicary_model::{
    Diagnosis, ExecutionRequest, ExecutionResult, Failure, InspectReport, InspectRequest, Language, Source,
    Status,
};
use formicary_sandbox::Cancel;

/// How programs are run and looked into: the caller's own way, with its events and its log.
pub struct Runs<'a> {
    /// Runs a request.
    pub execute: &'a dyn Fn(ExecutionRequest, Live<'_>) -> Result<ExecutionResult, Failure>,
    /// Runs one under a debugger, from stop to stop.
    pub inspect: &'a dyn Fn(&ExecutionRequest, &InspectRequest) -> Result<InspectReport, Failure>,
}

/// The run whose failure is looked into.
#[derive(Clone, Copy)]
struct FirstRun<'a> {
    request: &'a ExecutionRequest,
    result: &'a ExecutionResult,
    sources: &'a [SourceText],
    language: Language,
    input: Input,
}

impl<'a> FirstRun<'a> {
    /// The file that was started.
    fn entry(&self) -> Option<&'a str> {
        if let Source::Files { entry: Some(entry), .. } = &self.request.source {
            return Some(entry);
        }
        let main = self.sources.iter().find(|source| source.path == "main.py");
        main.or_else(|| self.sources.first()).map(|source| source.path.as_str())
    }
}

impl Runs<'_> {
    /// Runs a request so that its failure reports as much as it can, and reads that. A native program that a signal ended is
    /// built and run once more with sanitizers, which know the place.
    pub fn diagnose(
        &self,
        mut request: ExecutionRequest,
        language: Option<Language>,
        live: Live<'_>,
    ) -> Result<(Diagnosis, ExecutionResult), Failure> {
        let own_way = request.command.is_none();
        if let Some(language) = language.filter(|_| own_way) {
            failures::have_it_tell(&mut request, language);
        }
        let Live { stdin, observer, cancel } = live;
        let again = request.clone();
        let input = if stdin.is_some() { Input::Open } else { Input::Given };
        let mut result = (self.execute)(request, Live { stdin, observer, cancel: cancel.clone() })?;
        let sources = failures::sources_of(&again, &result.language);
        let mut diagnosis = failures::of_result(&result, &sources);
        let blind = diagnosis.main().is_some_and(|error| error.place.is_none());
        let crashed =
            matches!(result.status, Status::Signaled | Status::NonzeroExit) && result.signal.is_some();
        let flags = language.map(failures::sanitizing_flags).unwrap_or_default();
        if blind && crashed && own_way && !flags.is_empty() {
            let mut second = again.clone();
            second.compiler_flags.extend(flags.iter().map(|flag| (*flag).to_owned()));
            // Where sanitizers are not installed, or find nothing, the first diagnosis stands.
            let live = Live { stdin: None, observer, cancel: cancel.clone() };
            if let Ok(sanitized) = (self.execute)(second, live) {
                let better = failures::of_result(&sanitized, &sources);
                let sanitized_ran = !matches!(sanitized.status, Status::CompileError | Status::Success);
                if sanitized_ran && better.main().is_some_and(|error| error.place.is_some()) {
                    diagnosis = Diagnosis { status: diagnosis.status, ..better };
                    diagnosis.notes.push("the place was found by a second run with sanitizers".into());
                    result.stderr = sanitized.stderr;
                }
            }
        }
        if let Some(language) = language {
            let run = FirstRun { request: &again, result: &result, sources: &sources, language, input };
            self.take_snapshot(&run, &mut diagnosis, &cancel);
        }
        Ok((diagnosis, result))
    }

    /// Runs a failed program once more to see its variables, where the failing value came from, or where it hangs. Where
    /// that is not possible the diagnosis stands without.
    fn take_snapshot(&self, run: &FirstRun<'_>, diagnosis: &mut Diagnosis, cancel: &Cancel) {
        let FirstRun { request, result, sources, language, input } = *run;
        let raised = diagnosis.main().is_some_and(|error| error.stack.iter().any(|frame| frame.own));
        let failed = matches!(diagnosis.status, Some(Status::NonzeroExit | Status::Signaled));
        let watch = |watched: Option<ExecutionRequest>| {
            let live = Live { stdin: None, observer: &(), cancel: cancel.clone() };
            watched.and_then(|watched| (self.execute)(watched, live).ok())
        };
        if language != Language::Python {
            if failed && request.command.is_none() && !diagnosis.errors.is_empty() {
                self.look_at_failure(request, diagnosis);
                let entry = run.entry().filter(|_| raised);
                let chain =
                    entry.and_then(|entry| causes::request(request, language, entry, result.duration));
                if let Some(watched) = watch(chain) {
                    causes::attach(diagnosis, &watched, sources);
                }
            }
            return;
        }
        let Some(entry) = run.entry() else { return };
        if let Some(watched) = watch(hangs::request(request, language, entry, result, input)) {
            hangs::attach(diagnosis, &watched, sources);
            return;
        }
        if !raised || diagnosis.status != Some(Status::NonzeroExit) {
            return;
        }
        let mut frames = Vec::new();
        if let Some(watched) = watch(causes::request(request, language, entry, result.duration)) {
            frames = snapshot::frames(&watched.artifacts);
            causes::attach(diagnosis, &watched, sources);
        }
        // The rewritten program may be too slow, or end in another way.
        if frames.is_empty()
            && let Some(watched) = watch(snapshot::request(request, language, entry))
        {
            frames = snapshot::frames(&watched.artifacts);
        }
        snapshot::attach(diagnosis, &frames);
    }

    /// The same by the language's debugger. Where there is none the diagnosis stands without.
    fn look_at_failure(&self, request: &ExecutionRequest, diagnosis: &mut Diagnosis) {
        let looked_for = InspectRequest { most_stops: 1, ..InspectRequest::default() };
        let mut request = request.clone();
        // Limits of the run are the failure's own; the debugger gets the configured ones.
        request
            .compiler_flags
            .retain(|flag| !flag.starts_with("-fdiagnostics") && !flag.starts_with("--error-format"));
        if let Ok(report) = (self.inspect)(&request, &looked_for)
            && let Some(stop) = report.stops.first()
        {
            snapshot::attach_seen(diagnosis, &stop.frames);
        }
    }
}
