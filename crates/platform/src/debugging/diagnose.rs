//! Diagnosis through the façade: a run that is watched closely, or a log that somebody pasted.

use crate::facade::Platform;
use crate::keys::Scope;
use crate::uploads::checked_path;
use crate::use_case::{Context, Effect, UseCase};
use formicary_diagnose::failures::text::Said;
use formicary_diagnose::failures::{self, SourceText};
use formicary_diagnose::runs::Runs;
use formicary_execution::Live;
use formicary_model::{
    Caller, DiagnoseInput, DiagnoseReport, Diagnosis, ExecutionRequest, ExecutionResult, Failure,
    FailureKind, Language, LimitOverrides, Source,
};

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
        let Live { stdin, observer, cancel } = live;
        let runs = Runs {
            execute: &|request, live| self.execute_as(caller, request, live),
            inspect: &|request, looked_for| self.inspect_as(caller, request, looked_for, &cancel, |_| {}),
        };
        runs.diagnose(request, language, Live { stdin, observer, cancel: cancel.clone() })
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
