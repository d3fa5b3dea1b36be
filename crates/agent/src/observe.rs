//! Running, and what is told of it: a diagnosis with the place and the variables, head and tail of the output, never a flood.

use crate::desk::{Desk, Stop};
use crate::redact::{as_data, trimmed};
use crate::tree::language_of;
use formicary_model::agent::AgentStep;
use formicary_model::{
    Diagnosis, ErrorDiagnosis, ExecutionRequest, ExecutionResult, FailureKind, LimitOverrides, Source,
    SourceFile, Status,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fmt::Write as _;

/// Bytes of output that are kept, and that are told.
const KEPT: usize = 64 * 1024;
const TOLD: usize = 4_000;
const USUAL_SECONDS: f64 = 60.0;

/// Something to run.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// Why, in a word.
    pub purpose: &'static str,
    /// A command for the shell; without one, the language's own way to run the entry file.
    pub command: Option<String>,
    /// Standard input.
    pub stdin: String,
    /// Files besides those of the workspace, which the model never sees.
    pub extra: Vec<SourceFile>,
    /// Seconds at the most.
    pub seconds: Option<f64>,
}

/// What a run gave, as far as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// How it ended; nothing where it could not be run.
    pub status: Option<Status>,
    /// The exit code.
    pub exit_code: Option<i32>,
    /// Standard output, head and tail.
    pub stdout: String,
    /// Standard error, or the compiler's.
    pub stderr: String,
    /// The first errors.
    pub errors: Vec<ErrorDiagnosis>,
    /// One sentence where it did not succeed.
    pub message: Option<String>,
    /// Seconds.
    pub seconds: f64,
    /// The run's name in the audit log.
    pub run_id: String,
    /// The protection that held.
    pub level: String,
}

impl Observation {
    /// Whether it ended with exit code 0.
    pub fn succeeded(&self) -> bool {
        self.status == Some(Status::Success)
    }

    /// Who the failure is: the same for the same failure of another run.
    pub fn fingerprint(&self) -> String {
        match (self.errors.first(), self.status) {
            (Some(error), _) => error.fingerprint.clone(),
            (None, Some(status)) => format!("{status}:{:?}", self.exit_code),
            (None, None) => self.message.clone().unwrap_or_default(),
        }
    }

    /// How it ended, in one line for people.
    pub fn headline(&self) -> String {
        let status = self.status.map_or("not run", Status::word);
        match self.errors.first() {
            None => status.to_owned(),
            Some(error) => {
                let place = error.place.as_ref().map(|place| format!(" at {}:{}", place.file, place.line));
                let message = error.message.lines().next().unwrap_or_default();
                format!(
                    "{status}: {}: {}{}",
                    error.error_type,
                    trimmed(message, 100),
                    place.unwrap_or_default()
                )
            }
        }
    }

    /// What the model is told.
    pub fn told(&self) -> String {
        let mut text = String::new();
        let Some(status) = self.status else {
            return format!("It could not be run: {}", self.message.clone().unwrap_or_default());
        };
        let code = self.exit_code.map(|code| format!(", exit code {code}")).unwrap_or_default();
        let _ = writeln!(text, "Status: {status}{code}");
        if let Some(message) = self.message.as_ref().filter(|_| self.errors.is_empty()) {
            let _ = writeln!(text, "{}", as_data("message", message));
        }
        for error in &self.errors {
            let _ = writeln!(text, "{}", as_data("diagnosis", &distilled(error)));
        }
        if !self.stdout.trim().is_empty() {
            let _ = writeln!(text, "{}", as_data("stdout", &trimmed(&self.stdout, TOLD)));
        }
        // The diagnosis says it better.
        if self.errors.is_empty() && !self.stderr.trim().is_empty() {
            let _ = writeln!(text, "{}", as_data("stderr", &trimmed(&self.stderr, TOLD)));
        }
        text.trim_end().to_owned()
    }
}

/// One error in a few lines: what, where, why, the variables, what to try.
pub fn distilled(error: &ErrorDiagnosis) -> String {
    let mut text = format!("{}: {}\n", error.error_type, trimmed(&error.message, 600));
    if let Some(place) = &error.place {
        let function = place.function.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
        let _ = writeln!(text, "at {}:{}{function}", place.file, place.line);
        for line in &place.frame {
            let mark = if line.number == place.line { ">" } else { " " };
            let _ = writeln!(text, "{mark} {:>4} | {}", line.number, line.text);
        }
    }
    if !error.root_cause.is_empty() {
        let _ = writeln!(text, "cause: {}", error.root_cause);
    }
    if let Some(frame) = error.stack.iter().find(|frame| frame.own && !frame.variables.is_empty()) {
        let variables = frame.variables.iter().take(12);
        let variables: Vec<String> = variables
            .map(|variable| format!("{} = {}", variable.name, trimmed(&variable.value, 120)))
            .collect();
        let _ = writeln!(text, "variables there: {}", variables.join("; "));
    }
    for suggestion in error.suggestions.iter().take(2) {
        let _ = writeln!(text, "try: {}", suggestion.text);
    }
    text
}

fn observed(result: &ExecutionResult, diagnosis: Diagnosis, clean: impl Fn(&str) -> String) -> Observation {
    let compiler = result.compile.as_ref().filter(|_| result.status == Status::CompileError);
    let stderr = compiler.map_or(&result.stderr, |compile| &compile.stderr);
    let mut errors: Vec<ErrorDiagnosis> = diagnosis.errors.into_iter().take(3).collect();
    for error in &mut errors {
        error.stack.truncate(12);
        error.message = clean(&error.message);
    }
    let errors = if result.status == Status::Success { Vec::new() } else { errors };
    let compiling = result.compile.as_ref().map_or(0.0, |compile| compile.duration);
    Observation {
        status: Some(result.status),
        exit_code: result.exit_code,
        stdout: clean(&trimmed(&result.stdout, KEPT)),
        stderr: clean(&trimmed(stderr, KEPT)),
        errors,
        message: result.error_message.as_deref().map(&clean),
        seconds: ((result.duration + compiling) * 1e3).round() / 1e3,
        run_id: result.run_id.clone(),
        level: result.enforcement.level.word().to_owned(),
    }
}

impl Desk<'_> {
    /// The request of a program. Its policy is the user's: nothing that a model says reaches it but files, command and input.
    pub fn request(&self, program: &Program) -> ExecutionRequest {
        let entry = match &program.command {
            Some(command) => self.plain_entry(command),
            None => self.usual_file().filter(|path| self.tree.contains(path)),
        };
        let language = entry.as_deref().and_then(language_of).unwrap_or_else(|| self.tree.language());
        let mut request = self.world.base.clone();
        let mut files = self.tree.source_files();
        files.extend(program.extra.iter().cloned());
        request.language = Some(language.id().to_owned());
        request.command = match (&entry, &program.command) {
            (None, Some(command)) => Some(vec!["sh".into(), "-c".into(), command.clone()]),
            _ => None,
        };
        request.source = Source::Files { files, entry };
        request.stdin = program.stdin.clone().into_bytes();
        request.packages.requirements.extend(self.packages.iter().cloned());
        request.env.entry("PYTHONDONTWRITEBYTECODE".into()).or_insert_with(|| "1".into());
        let usual = request.limits.wall_seconds.unwrap_or(program.seconds.unwrap_or(USUAL_SECONDS));
        let seconds = self.order.budget.seconds_for_a_run(&self.spent, usual).min(290.0);
        request.limits = LimitOverrides { wall_seconds: Some(seconds), ..request.limits };
        request
    }

    /// The file of a command that only runs one: then the language's own way is taken, which knows more of failures.
    fn plain_entry(&self, command: &str) -> Option<String> {
        let words: Vec<&str> = command.split_whitespace().collect();
        let [program, path] = words.as_slice() else { return None };
        let path = path.trim_start_matches("./");
        let language = language_of(path)?.id();
        let fits = matches!(
            (*program, language),
            ("python3" | "python", "python") | ("node", "javascript") | ("bash", "bash")
        );
        (fits && self.tree.contains(path)).then(|| path.to_owned())
    }

    /// Runs a program, or remembers what it gave.
    pub fn observe(&mut self, program: &Program) -> Result<Observation, Stop> {
        self.go_on_running()?;
        let what = program.command.clone().unwrap_or_else(|| "the program".into());
        self.tell(AgentStep::Running { text: format!("{}: {what}", program.purpose) });
        let request = self.request(program);
        let input = json!({
            "purpose": program.purpose,
            "command": program.command,
            "tree": self.tree.hash(),
            "stdin": blake3::hash(program.stdin.as_bytes()).to_hex()[..16],
            "packages": self.packages,
        });
        let world = self.world;
        let observation = self.journal.effect("run", input, || match (world.observe)(request) {
            Ok((result, diagnosis)) => Ok(observed(&result, diagnosis, |text| world.redactor.clean(text))),
            // What is wrong with the files or the command is for the model to mend.
            Err(failure)
                if matches!(failure.kind, FailureKind::InvalidInput | FailureKind::ToolchainMissing) =>
            {
                Ok(Observation {
                    status: None,
                    exit_code: None,
                    stdout: String::new(),
                    stderr: String::new(),
                    errors: Vec::new(),
                    message: Some(failure.message),
                    seconds: 0.0,
                    run_id: String::new(),
                    level: String::new(),
                })
            }
            Err(failure) => Err(failure),
        })?;
        self.tell(AgentStep::Ran { text: observation.headline() });
        self.spent.runs += 1;
        self.spent.sandbox_seconds += observation.seconds;
        self.last_run = Some((self.tree.hash(), observation.succeeded()));
        Ok(observation)
    }

    // A step may have several runs; each of them looks at the clock.
    pub(crate) fn go_on_running(&mut self) -> Result<(), Stop> {
        let (steps, attempts) = (self.spent.steps, self.spent.step_attempts);
        (self.spent.steps, self.spent.step_attempts) = (0, 0);
        let result = self.go_on();
        (self.spent.steps, self.spent.step_attempts) = (steps, attempts);
        result
    }
}
