//! Diagnosis through the façade: a run that is watched closely, or a log that somebody pasted.

use crate::facade::{Platform, local_caller};
use formicary_debugging::diagnose::text::Said;
use formicary_debugging::diagnose::{self, SourceText};
use formicary_debugging::snapshot;
use formicary_execution::Live;
use formicary_model::{
    Caller, Diagnosis, ExecutionRequest, ExecutionResult, Failure, FailureKind, InspectRequest, Language,
    Source, Status,
};
use formicary_sandbox::Cancel;
use serde::Serialize;

/// A run with what went wrong in it.
#[derive(Debug, Clone, Serialize)]
pub struct Diagnosed {
    /// What went wrong; no errors where nothing did.
    pub diagnosis: Diagnosis,
    /// The run.
    pub result: ExecutionResult,
}

impl Platform {
    /// Runs a request so that its failure tells as much as it can, and reads that. A native program that a signal ended is
    /// built and run once more with sanitizers, which know the place.
    pub fn diagnose(&self, request: ExecutionRequest, live: Live<'_>) -> Result<Diagnosed, Failure> {
        self.diagnose_as(&local_caller(), request, live)
    }

    /// The same for a caller that a door knows.
    pub fn diagnose_as(
        &self,
        caller: &Caller,
        mut request: ExecutionRequest,
        live: Live<'_>,
    ) -> Result<Diagnosed, Failure> {
        let language = self.language_of(&request);
        let own_way = request.command.is_none();
        if let Some(language) = language.filter(|_| own_way) {
            let flags = diagnose::telling_flags(language).iter().filter(|flag| fits(flag, &request));
            let flags: Vec<String> = flags.map(|flag| (*flag).to_owned()).collect();
            request.compiler_flags.extend(flags);
            for (name, value) in diagnose::telling_environment(language) {
                request.env.entry((*name).to_owned()).or_insert_with(|| (*value).to_owned());
            }
        }
        let Live { stdin, observer, cancel } = live;
        let again = request.clone();
        let mut result =
            self.execute_as(caller, request, Live { stdin, observer, cancel: cancel.clone() })?;
        let sources = diagnose::sources_of(&again, &result.language);
        let mut diagnosis = diagnose::of_result(&result, &sources);
        let blind = diagnosis.main().is_some_and(|error| error.place.is_none());
        let crashed =
            matches!(result.status, Status::Signaled | Status::NonzeroExit) && result.signal.is_some();
        let flags = language.map(diagnose::sanitizing_flags).unwrap_or_default();
        if blind && crashed && own_way && !flags.is_empty() {
            let mut second = again.clone();
            second.compiler_flags.extend(flags.iter().map(|flag| (*flag).to_owned()));
            // Where sanitizers are not installed, or find nothing, the first diagnosis stands.
            let live = Live { stdin: None, observer, cancel: cancel.clone() };
            if let Ok(sanitized) = self.execute_as(caller, second, live) {
                let better = diagnose::of_result(&sanitized, &sources);
                let sanitized_ran = !matches!(sanitized.status, Status::CompileError | Status::Success);
                if sanitized_ran && better.main().is_some_and(|error| error.place.is_some()) {
                    diagnosis = Diagnosis { status: diagnosis.status, ..better };
                    diagnosis.notes.push("the place was found by a second run with sanitizers".into());
                    result.stderr = sanitized.stderr;
                }
            }
        }
        if let Some(language) = language {
            self.take_snapshot(caller, &again, language, &sources, &mut diagnosis, &cancel);
        }
        Ok(Diagnosed { diagnosis, result })
    }

    /// Reads what somebody pasted. The language is recognised where it is not named.
    pub fn diagnose_text(
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
        Ok(diagnose::of_text(said, language, sources))
    }

    /// Runs a failed program once more to see its variables. Where that is not possible the diagnosis stands without.
    fn take_snapshot(
        &self,
        caller: &Caller,
        request: &ExecutionRequest,
        language: Language,
        sources: &[SourceText],
        diagnosis: &mut Diagnosis,
        cancel: &Cancel,
    ) {
        let raised = diagnosis.main().is_some_and(|error| error.stack.iter().any(|frame| frame.own));
        let entry = match &request.source {
            Source::Files { entry: Some(entry), .. } => Some(entry.as_str()),
            _ => {
                let main = sources.iter().find(|source| source.path == "main.py").or_else(|| sources.first());
                main.map(|source| source.path.as_str())
            }
        };
        let failed = matches!(diagnosis.status, Some(Status::NonzeroExit | Status::Signaled));
        if language != Language::Python {
            if failed && request.command.is_none() && !diagnosis.errors.is_empty() {
                self.look_at_failure(caller, request, diagnosis, cancel);
            }
            return;
        }
        let Some(entry) = entry.filter(|_| raised && diagnosis.status == Some(Status::NonzeroExit)) else {
            return;
        };
        let Some(watched) = snapshot::request(request, language, entry) else { return };
        let live = Live { stdin: None, observer: &(), cancel: cancel.clone() };
        if let Ok(result) = self.execute_as(caller, watched, live) {
            snapshot::attach(diagnosis, &snapshot::frames(&result.artifacts));
        }
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

    pub(super) fn language_of(&self, request: &ExecutionRequest) -> Option<Language> {
        if let Some(word) = &request.language {
            return Language::from_word(word);
        }
        let detected = match &request.source {
            Source::Code { code, file_name } => self.detect(file_name.as_deref(), code),
            Source::Files { files, entry } => {
                let named =
                    |path: &str| entry.as_deref().map_or(path.starts_with("main."), |entry| entry == path);
                let file = files.iter().find(|file| named(&file.path)).or_else(|| files.first())?;
                self.detect(Some(&file.path), &file.content)
            }
        };
        detected.and_then(|detection| Language::from_word(&detection.language))
    }
}

/// Cargo takes no flags of rustc.
fn fits(flag: &str, request: &ExecutionRequest) -> bool {
    let cargo = match &request.source {
        Source::Files { files, .. } => files.iter().any(|file| file.path == "Cargo.toml"),
        Source::Code { .. } => false,
    };
    !cargo || !(flag == "-g" || flag.starts_with("--error-format"))
}
