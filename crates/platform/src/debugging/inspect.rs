//! Looking into a running program through the façade: by a list of places, or step by step.

use crate::doctor::DebuggerReport;
use crate::facade::{Platform, local_caller};
use formicary_debugging::inspect::{self, Session, drivers, scripted, typescript};
use formicary_execution::Live;
use formicary_model::{
    Assurance, Caller, ExecutionRequest, ExecutionResult, Failure, FailureKind, InspectReport,
    InspectRequest, Language, Source, Stop,
};
use formicary_sandbox::Cancel;

impl Platform {
    /// Runs a program from stop to stop and tells what was seen at each. `told` hears of each as it comes.
    pub fn inspect(
        &self,
        request: &ExecutionRequest,
        looked_for: &InspectRequest,
        cancel: &Cancel,
        told: impl FnMut(&Stop),
    ) -> Result<InspectReport, Failure> {
        self.inspect_as(&local_caller(), request, looked_for, cancel, told)
    }

    /// The same for somebody.
    pub fn inspect_as(
        &self,
        caller: &Caller,
        request: &ExecutionRequest,
        looked_for: &InspectRequest,
        cancel: &Cancel,
        told: impl FnMut(&Stop),
    ) -> Result<InspectReport, Failure> {
        let work = |session: &mut Session| scripted::look(session, looked_for, told);
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
            let known: Vec<&str> = Language::ALL.iter().map(|language| language.id()).collect();
            Failure::new(FailureKind::InvalidInput, "it cannot be told in which language this is")
                .hint(format!("name it with --language: {}", known.join(", ")))
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
        let configured = self.configuration().word("inspect.adapter").split(',').map(str::trim);
        let suits = |name: &&str| drivers::debuggers(language).contains(name);
        asked.or_else(|| configured.into_iter().find(suits))
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
                let of_language: Vec<&str> = files
                    .iter()
                    .map(|file| file.path.as_str())
                    .filter(|path| {
                        language.extensions().iter().any(|ending| path.ends_with(&format!(".{ending}")))
                    })
                    .collect();
                let main = of_language.iter().find(|path| {
                    path.rsplit('/').next().is_some_and(|name| name.to_lowercase().starts_with("main."))
                });
                match (main, of_language.as_slice()) {
                    (Some(path), _) | (None, [path]) => Ok((*path).to_owned()),
                    _ => Err(Failure::new(FailureKind::InvalidInput, "it cannot be told which file to run")
                        .hint("name it with --entry")),
                }
            }
        }
    }
}
