//! One case: the program is run on the input, and what came of it becomes a verdict.

use super::admission::Caller;
use super::compare::{Difference, compare};
use super::item::{Case, Item, Text};
use super::last_words::{LastWords, last_words};
use crate::{Executor, Live, PreparedProgram, RunInput};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use formicary_model::{
    CaseResult, ExecutionRequest, ExecutionResult, Failure, FailureKind, Language, Observer, Status, Verdict,
};
use formicary_sandbox::provider::Stdin;
use formicary_sandbox::{Cancel, InputFile};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What every case of one judging shares.
pub struct Runner<'a> {
    executor: &'a Executor,
    caller: Caller<'a>,
    observer: &'a dyn Observer,
    cancel: &'a Cancel,
    checkers: Mutex<VecDeque<(Arc<ExecutionRequest>, Arc<PreparedProgram>)>>,
}

/// Checkers that stay compiled: items of one problem follow each other.
const CHECKERS: usize = 8;

/// Output that a checker is given at the most.
const CHECKED_OUTPUT: u64 = 64 * 1024 * 1024;

/// Output kept beyond what is expected, so that white space at the end does not count against a program.
const SLACK: u64 = 64 * 1024;

impl<'a> Runner<'a> {
    /// A runner of one caller.
    pub fn new(
        executor: &'a Executor,
        caller: Caller<'a>,
        observer: &'a dyn Observer,
        cancel: &'a Cancel,
    ) -> Self {
        Self { executor, caller, observer, cancel, checkers: Mutex::default() }
    }

    fn live(&self) -> Live<'a> {
        Live { stdin: None, observer: self.observer, cancel: self.cancel.clone() }
    }

    /// Compiles a program, when there is room for its compiler.
    pub fn prepare(&self, request: &ExecutionRequest) -> Result<PreparedProgram, Failure> {
        retried(|| {
            self.executor.prepare_when(request, &self.live(), |memory| {
                self.caller.admit(memory, self.cancel).ok_or_else(cancelled)
            })
        })
    }

    /// Runs one case, when there is room for it.
    pub fn judge(&self, item: &Item, program: &PreparedProgram, case: &Case) -> Result<CaseResult, Failure> {
        let checker = item.checker.as_ref().map(|checker| self.checker(checker)).transpose()?;
        let stdin = case.stdin.read()?;
        let expected = case.expected.as_ref().map(Text::read).transpose()?;
        let keep = match (&checker, &expected) {
            (Some(_), _) => CHECKED_OUTPUT,
            (None, Some(expected)) => expected.len() as u64 * 2 + SLACK,
            (None, None) => 0,
        };
        // Program and checker run one after the other: the larger of the two is enough.
        let checker_memory = checker.as_ref().map_or(0, |checker| checker.limits().memory_bytes);
        let memory = program.limits().memory_bytes.max(checker_memory);
        let asked = Instant::now();
        let _permit = self.caller.admit(memory, self.cancel).ok_or_else(cancelled)?;
        let waited = asked.elapsed();
        let run = || {
            let input = RunInput {
                stdin: Stdin::Bytes(stdin.clone()),
                keep_output_bytes: keep,
                waited: Some(waited),
                ..RunInput::default()
            };
            self.executor.run_prepared(program, input, &self.live())
        };
        let result = retried(run)?;
        let mut error = None;
        let difference = match (verdict_of(result.status), checker, &expected) {
            (Some(verdict), ..) => {
                error = ended_by(program, &result, verdict);
                Some(Difference { verdict, message: why(&result, error.as_ref()) })
            }
            (None, Some(checker), _) => self.check(&checker, case, stdin, &result, expected)?,
            (None, None, Some(expected)) => compare(item.comparison, &written(&result), expected),
            (None, None, None) => {
                case.proof.as_ref().filter(|proof| !result.stdout.contains(*proof)).map(|_| {
                    let message = "the program ended before its tests did".to_string();
                    Difference { verdict: Verdict::WrongAnswer, message }
                })
            }
        };
        let (verdict, message) = match difference {
            Some(difference) => (difference.verdict, Some(difference.message)),
            None => (Verdict::Accepted, None),
        };
        Ok(CaseResult {
            name: case.name.clone(),
            verdict,
            duration: result.duration,
            usage: result.usage,
            exit_code: result.exit_code,
            signal: result.signal,
            message,
            error_type: error.as_ref().and_then(|error| error.error_type.clone()),
            error_category: error.and_then(|error| error.category),
        })
    }

    /// The checker, compiled; the last few are remembered.
    fn checker(&self, request: &Arc<ExecutionRequest>) -> Result<Arc<PreparedProgram>, Failure> {
        let known = |checkers: &VecDeque<(Arc<ExecutionRequest>, Arc<PreparedProgram>)>| {
            let same = |known: &Arc<ExecutionRequest>| Arc::ptr_eq(known, request) || known == request;
            checkers.iter().find(|(known, _)| same(known)).map(|(_, program)| Arc::clone(program))
        };
        if let Some(program) = known(&self.checkers.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(program);
        }
        // Two that come at once both compile it: nobody waits for room while holding others up.
        let program = Arc::new(self.prepare(request)?);
        if let Some(failed) = program.compile_failure() {
            let why = failed.error_message.clone().unwrap_or_default();
            return Err(checker_failure(&format!("does not compile: {why}")));
        }
        let mut checkers = self.checkers.lock().unwrap_or_else(PoisonError::into_inner);
        if checkers.len() == CHECKERS {
            checkers.pop_front();
        }
        checkers.push_back((Arc::clone(request), Arc::clone(&program)));
        Ok(program)
    }

    fn check(
        &self,
        checker: &PreparedProgram,
        case: &Case,
        stdin: Vec<u8>,
        result: &ExecutionResult,
        expected: Option<Vec<u8>>,
    ) -> Result<Option<Difference>, Failure> {
        if result.output.stdout_omitted > 0 {
            let message = format!("more than {CHECKED_OUTPUT} bytes of output are not checked");
            return Ok(Some(Difference { verdict: Verdict::OutputLimit, message }));
        }
        let file = |path: &str, content: &[u8]| InputFile {
            path: path.into(),
            content: content.into(),
            executable: false,
        };
        let names = ["input.txt", "output.txt", "expected.txt"];
        let files = vec![
            file(names[0], &stdin),
            file(names[1], &written(result)),
            file(names[2], &expected.unwrap_or_default()),
        ];
        let run = || {
            let args = names.map(str::to_string).to_vec();
            let input = RunInput { args, files: files.clone(), ..RunInput::default() };
            self.executor.run_prepared(checker, input, &self.live())
        };
        let checked = retried(run)?;
        let said = first_line(&checked.stdout).or_else(|| first_line(&checked.stderr));
        let refused = |verdict, said: Option<String>| {
            Some(Difference { verdict, message: said.unwrap_or_else(|| "the checker refused it".into()) })
        };
        match (checked.status, checked.exit_code) {
            (Status::Success, _) | (Status::NonzeroExit, Some(42)) => Ok(None),
            (Status::NonzeroExit, Some(1 | 43)) => Ok(refused(Verdict::WrongAnswer, said)),
            (Status::NonzeroExit, Some(2)) => Ok(refused(Verdict::PresentationError, said)),
            _ => Err(checker_failure(&format!(
                "failed on case {}: {}",
                case.name,
                checked.error_message.unwrap_or_default()
            ))),
        }
    }
}

fn checker_failure(why: &str) -> Failure {
    Failure::new(FailureKind::InvalidInput, format!("the checker {why}")).hint(
        "a checker gets the files input, output, expected as arguments and ends with 0 (accepted), 1 or 2 (not)",
    )
}

fn cancelled() -> Failure {
    Failure::new(FailureKind::Cancelled, "cancelled")
}

/// A sandbox that could not be made is tried once more: hosts under load run short of things for a moment.
fn retried<T>(mut work: impl FnMut() -> Result<T, Failure>) -> Result<T, Failure> {
    match work() {
        Err(failure) if failure.kind == FailureKind::SandboxFailed => work(),
        other => other,
    }
}

/// The verdict that a status alone decides. `None`: what it wrote decides.
fn verdict_of(status: Status) -> Option<Verdict> {
    Some(match status {
        Status::Success => return None,
        Status::CompileError => Verdict::CompileError,
        Status::Timeout | Status::CpuLimit => Verdict::TimeLimit,
        Status::MemoryLimit => Verdict::MemoryLimit,
        Status::OutputLimit => Verdict::OutputLimit,
        Status::NonzeroExit
        | Status::Signaled
        | Status::ProcessLimit
        | Status::DiskLimit
        | Status::Denied => Verdict::RuntimeError,
    })
}

/// The error of a program that failed by itself.
fn ended_by(program: &PreparedProgram, result: &ExecutionResult, verdict: Verdict) -> Option<LastWords> {
    let language = Language::from_word(program.language());
    (verdict == Verdict::RuntimeError).then(|| last_words(language, &result.stderr)).flatten()
}

/// The sentence of the result; for a program that failed by itself, with the error that it names.
fn why(result: &ExecutionResult, error: Option<&LastWords>) -> String {
    let sentence = result.error_message.clone().unwrap_or_else(|| result.status.to_string());
    match error {
        Some(error) => format!("{sentence}: {}", error.line),
        None => sentence,
    }
}

fn first_line(text: &str) -> Option<String> {
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(shortened)
}

fn shortened(line: &str) -> String {
    line.chars().take(200).collect()
}

/// What the program wrote, byte by byte.
fn written(result: &ExecutionResult) -> Vec<u8> {
    let exact = result.stdout_base64.as_ref().and_then(|text| STANDARD.decode(text).ok());
    exact.unwrap_or_else(|| result.stdout.clone().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_its_verdict() {
        for status in Status::ALL {
            assert_eq!(verdict_of(status).is_none(), status == Status::Success, "{status}");
        }
    }

    #[test]
    fn a_sandbox_that_failed_is_tried_once_more() {
        for (kind, tries) in [(FailureKind::SandboxFailed, 2), (FailureKind::InvalidInput, 1)] {
            let mut count = 0;
            let result: Result<(), Failure> = retried(|| {
                count += 1;
                Err(Failure::new(kind, "x"))
            });
            assert!(result.is_err());
            assert_eq!(count, tries);
        }
    }
}
