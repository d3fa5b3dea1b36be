//! Looking into a running program through the façade: by a list of places, or step by step.

use crate::doctor::DebuggerReport;
use crate::facade::Platform;
use crate::keys::Scope;
use crate::use_case::{Context, Effect, UseCase};
use formicary_diagnose::inspect::{self, Session, drivers, scripted, typescript};
use formicary_execution::Live;
use formicary_model::{
    Assurance, Caller, ExecutionRequest, ExecutionResult, Failure, FailureKind, InspectInput, InspectReport,
    InspectRequest, Language, Source, Stop,
};
use formicary_sandbox::Cancel;

/// Runs a program from stop to stop and reports what was seen at each; who looks on hears of each as it comes.
pub struct Inspect;

impl UseCase for Inspect {
    const NAME: &'static str = "inspect";
    const PATH: &'static str = "/v1/inspect";
    const ABOUT: &'static str = "Stop a program at breakpoints and where it fails, and look into it";
    const SCOPE: Option<Scope> = Some(Scope::Debug);
    const EFFECT: Effect = Effect::Fetches;
    type Input = InspectInput;
    type Output = InspectReport;

    fn run(
        platform: &Platform,
        context: &Context<'_>,
        input: InspectInput,
    ) -> Result<InspectReport, Failure> {
        let looked_for = input.request()?;
        let mut program = input.program;
        if let Some(word) = program.language.as_deref().filter(|word| Language::from_word(word).is_none()) {
            return Err(unknown_language(format!("no debugger knows the language {word:?}"), "known"));
        }
        let mut notes = platform.load_program(context, &mut program)?;
        if program.source == Source::default() {
            return Err(Failure::new(FailureKind::InvalidInput, "there is nothing to run: no code is given")
                .hint("give code, files or path"));
        }
        context.step("starting the program");
        let mut seen = 0;
        let (caller, cancel) = (&context.caller, &context.cancel);
        let mut report = platform.inspect_as(caller, &program, &looked_for, cancel, |stop| {
            seen += 1;
            context.count("stops seen", seen, 0);
            context.part("stop", stop);
        })?;
        notes.append(&mut report.notes);
        report.notes = notes;
        // The debugger hears the run's events itself: what was used is reported once.
        context.used(&report.run);
        Ok(report)
    }
}

fn unknown_language(message: String, hint: &str) -> Failure {
    let known: Vec<&str> = Language::ALL.iter().map(|language| language.id()).collect();
    Failure::new(FailureKind::InvalidInput, message).hint(format!("{hint}: {}", known.join(", ")))
}

impl Platform {
    /// Runs a program from stop to stop. `seen` hears of each as it comes.
    pub(crate) fn inspect_as(
        &self,
        caller: &Caller,
        request: &ExecutionRequest,
        looked_for: &InspectRequest,
        cancel: &Cancel,
        seen: impl FnMut(&Stop),
    ) -> Result<InspectReport, Failure> {
        let work = |session: &mut Session| scripted::look(session, looked_for, seen);
        let adapter = looked_for.adapter.as_deref();
        let (seen, run) = self.inspect_with(caller, request, adapter, cancel, work)?;
        let seen = seen?;
        Ok(InspectReport {
            language: run.language.clone(),
            debugger: seen.debugger,
            notes: seen.notes,
            breakpoints: seen.breakpoints,
            stops: seen.stops,
            logs: seen.logs,
            exit_code: seen.exit_code,
            output: run.stderr.clone(),
            run: ExecutionResult { stdout: String::new(), ..run },
        })
    }

    /// Runs a program under a debugger, the one named or the one that suits its language, and gives the session to `work`;
    /// the program ends with it.
    pub fn inspect_with<T>(
        &self,
        caller: &Caller,
        request: &ExecutionRequest,
        adapter: Option<&str>,
        cancel: &Cancel,
        work: impl FnOnce(&mut Session) -> T,
    ) -> Result<(T, ExecutionResult), Failure> {
        let language = self.language_of(request).ok_or_else(|| {
            unknown_language("it cannot be told in which language this is".into(), "name the language")
        })?;
        let entry = self.entry_of(request, language)?;
        let adapter = self.wanted_debugger(adapter, language);
        let planned = match language {
            Language::TypeScript => {
                let live = Live { cancel: cancel.clone(), ..Live::default() };
                let result = self.execute_as(caller, typescript::stripping(request, &entry), live)?;
                let (request, entry) = typescript::stripped(request, &entry, &result)?;
                drivers::plan(&request, Language::JavaScript, &entry, adapter)?
            }
            _ => drivers::plan(request, language, &entry, adapter)?,
        };
        let execute = |request: ExecutionRequest, live: Live<'_>| self.execute_as(caller, request, live);
        inspect::with_session(planned, cancel, execute, work)
    }

    /// Every debugger, and whether it is there: what counts is what a run sees.
    pub(crate) fn debuggers(&self) -> Vec<DebuggerReport> {
        let mut request = drivers::probe();
        request.assurance = Assurance::BestEffort;
        let said = self.executor.execute(request, Live::default()).ok().map(|run| run.stdout);
        let there = |name: &str| said.as_deref().map(|said| said.lines().any(|line| line == name));
        let report = |known: drivers::Known| DebuggerReport {
            name: known.name,
            languages: known.languages.iter().map(|language| language.id()).collect(),
            there: if known.get.is_some() { there(known.name) } else { Some(true) },
            get: known.get,
        };
        drivers::known().into_iter().map(report).collect()
    }

    /// The debugger that is wanted: by the caller, or, where it suits the language, by the configuration.
    fn wanted_debugger<'a>(&'a self, asked: Option<&'a str>, language: Language) -> Option<&'a str> {
        let suits = |name: &&str| drivers::debuggers(language).contains(name);
        asked.or_else(|| self.settings().inspect.adapter.iter().map(String::as_str).find(suits))
    }

    /// The file that is run, by its name inside.
    fn entry_of(&self, request: &ExecutionRequest, language: Language) -> Result<String, Failure> {
        let ending = language.extensions().first().copied().unwrap_or_default();
        match &request.source {
            Source::Code { file_name: Some(name), .. } => {
                Ok(name.rsplit('/').next().unwrap_or(name).to_owned())
            }
            Source::Code { file_name: None, .. } if language == Language::Java => Ok("Main.java".to_owned()),
            Source::Code { file_name: None, .. } => Ok(format!("main.{ending}")),
            Source::Files { entry: Some(entry), .. } => Ok(entry.clone()),
            Source::Files { files, entry: None } => {
                self.executor.usual_entry(files, Some(language.id())).ok_or_else(|| {
                    Failure::new(FailureKind::InvalidInput, "it is not clear which file to run")
                        .hint("name it with --entry")
                })
            }
        }
    }
}
