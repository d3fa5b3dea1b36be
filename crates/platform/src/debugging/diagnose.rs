//! Diagnosis through the façade: a run that is watched closely, or a log that somebody pasted.

use crate::facade::Platform;
use crate::keys::Scope;
use crate::uploads::checked_path;
use crate::use_case::{Context, Effect, UseCase};
use formicary_diagnose::failures::text::Said;
use formicary_diagnose::failures::{self, SourceText};
use formicary_diagnose::hangs::{self, Input};
use formicary_diagnose::{causes, snapshot};
use formicary_execution::Live;
use formicary_model::{
    Caller, DiagnoseInput, DiagnoseReport, Diagnosis, ExecutionRequest, ExecutionResult, Failure,
    FailureKind, InspectRequest, Language, LimitOverrides, Source, Status,
};
use formicary_sandbox::Cancel;

/// Runs a program, or reads what one wrote elsewhere, and names what went wrong. A failing program is `Ok`.
pub struct Diagnose;

impl UseCase for Diagnose {
    const NAME: &'static str = "diagnose";
    const PATH: &'static str = "/v1/diagnose";
    const ABOUT: &'static str = "Find out why a program fails";
    const SCOPE: Option<Scope> = Some(Scope::Debug);
    const EFFECT: Effect = Effect::Fetches;
    type Input = DiagnoseInput;
    type Output = DiagnoseReport;

    fn run(
        platform: &Platform,
        context: &Context<'_>,
        input: DiagnoseInput,
    ) -> Result<DiagnoseReport, Failure> {
        let DiagnoseInput { mut program, text } = input;
        if let Some(text) = text {
            let sources = sources_of_text(&program)?;
            let language = program.language.as_deref();
            let diagnosis = platform.diagnose_text(&Said::of(text.as_bytes()), language, &sources)?;
            return Ok(DiagnoseReport { diagnosis, result: None });
        }
        let mut notes = platform.load_program(context, &mut program)?;
        platform.give_room(&mut program);
        let (mut diagnosis, result) = platform.diagnose_as(&context.caller, program, context.live())?;
        notes.append(&mut diagnosis.notes);
        diagnosis.notes = notes;
        Ok(DiagnoseReport { diagnosis, result: Some(result) })
    }
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

/// The files that a pasted text speaks of.
fn sources_of_text(program: &ExecutionRequest) -> Result<Vec<SourceText>, Failure> {
    match &program.source {
        Source::Files { files, .. } => files
            .iter()
            .map(|file| {
                let text = String::from_utf8_lossy(&file.content).into_owned();
                Ok(SourceText { path: checked_path(&file.path)?, text })
            })
            .collect(),
        Source::Code { code, .. } if code.is_empty() && program.path.is_none() => Ok(Vec::new()),
        Source::Code { .. } => {
            Err(Failure::new(FailureKind::InvalidInput, "text stands beside code or path")
                .code("input.text")
                .hint("give a text to read, or a program to run; files may go with a text"))
        }
    }
}

impl Platform {
    /// Commands build and test, and need what tests need, in the time that is configured.
    fn give_room(&self, request: &mut ExecutionRequest) {
        if request.command.is_none() {
            return;
        }
        let (configured, _) = self.configuration().set_limits();
        for (name, value) in formicary_testing::run::limits(self.settings().limits.wall_seconds).values() {
            let has = |limits: &LimitOverrides| limits.values().iter().any(|limit| limit.0 == name);
            if name != "wall_seconds" && !has(&configured) && !has(&request.limits) {
                request.limits.set(name, value);
            }
        }
    }

    /// Runs a request so that its failure tells as much as it can, and reads that. A native program that a signal ended is
    /// built and run once more with sanitizers, which know the place.
    pub(crate) fn diagnose_as(
        &self,
        caller: &Caller,
        mut request: ExecutionRequest,
        live: Live<'_>,
    ) -> Result<(Diagnosis, ExecutionResult), Failure> {
        self.name_language(&mut request);
        let language = self.language_of(&request);
        let own_way = request.command.is_none();
        if let Some(language) = language.filter(|_| own_way) {
            failures::have_it_tell(&mut request, language);
        }
        let Live { stdin, observer, cancel } = live;
        let again = request.clone();
        let input = if stdin.is_some() { Input::Open } else { Input::Given };
        let mut result =
            self.execute_as(caller, request, Live { stdin, observer, cancel: cancel.clone() })?;
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
            if let Ok(sanitized) = self.execute_as(caller, second, live) {
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
            self.take_snapshot(caller, &run, &mut diagnosis, &cancel);
        }
        Ok((diagnosis, result))
    }

    /// Reads what somebody pasted. The language is recognised where it is not named.
    fn diagnose_text(
        &self,
        said: &Said,
        language: Option<&str>,
        sources: &[SourceText],
    ) -> Result<Diagnosis, Failure> {
        let language = match language {
            None => None,
            Some(word) => Some(Language::from_word(word).ok_or_else(|| {
                let known: Vec<&str> = Language::ALL.iter().map(|language| language.id()).collect();
                Failure::new(FailureKind::InvalidInput, format!("errors of {word:?} cannot be read"))
                    .hint(format!("languages whose errors are known: {}", known.join(", ")))
            })?),
        };
        Ok(failures::of_text(said, language, sources))
    }

    /// Runs a failed program once more to see its variables, where the failing value came from, or where it hangs. Where
    /// that is not possible the diagnosis stands without.
    fn take_snapshot(&self, caller: &Caller, run: &FirstRun<'_>, diagnosis: &mut Diagnosis, cancel: &Cancel) {
        let FirstRun { request, result, sources, language, input } = *run;
        let raised = diagnosis.main().is_some_and(|error| error.stack.iter().any(|frame| frame.own));
        let failed = matches!(diagnosis.status, Some(Status::NonzeroExit | Status::Signaled));
        if language != Language::Python {
            if failed && request.command.is_none() && !diagnosis.errors.is_empty() {
                self.look_at_failure(caller, request, diagnosis, cancel);
            }
            return;
        }
        let Some(entry) = run.entry() else { return };
        let watch = |watched: Option<ExecutionRequest>| {
            let live = Live { stdin: None, observer: &(), cancel: cancel.clone() };
            watched.and_then(|watched| self.execute_as(caller, watched, live).ok())
        };
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
    fn look_at_failure(
        &self,
        caller: &Caller,
        request: &ExecutionRequest,
        diagnosis: &mut Diagnosis,
        cancel: &Cancel,
    ) {
        let looked_for = InspectRequest { most_stops: 1, ..InspectRequest::default() };
        let mut request = request.clone();
        // Limits of the run are the failure's own; the debugger gets the configured ones.
        request
            .compiler_flags
            .retain(|flag| !flag.starts_with("-fdiagnostics") && !flag.starts_with("--error-format"));
        if let Ok(report) = self.inspect_as(caller, &request, &looked_for, cancel, |_| {})
            && let Some(stop) = report.stops.first()
        {
            snapshot::attach_seen(diagnosis, &stop.frames);
        }
    }

    pub(crate) fn language_of(&self, request: &ExecutionRequest) -> Option<Language> {
        if let Some(word) = &request.language {
            return Language::from_word(word);
        }
        let detected = match &request.source {
            Source::Code { code, file_name } => self.detect(file_name.as_deref(), code),
            Source::Files { files, entry } => {
                let usual = || self.executor.usual_entry(files, None);
                let entry = entry.clone().or_else(usual);
                let named = files.iter().find(|file| Some(&file.path) == entry.as_ref());
                // A file without a language of its own (README, Makefile) tells nothing.
                let source = || files.iter().find(|file| self.detect(Some(&file.path), b"").is_some());
                let file = named.or_else(source).or_else(|| files.first())?;
                self.detect(Some(&file.path), &file.content)
            }
        };
        detected.and_then(|detection| Language::from_word(&detection.language))
    }
}
