//! From the value that made a program fail back to where it came from.
//!
//! The program runs once more in the same sandbox with the same inputs, instrumented, and writes a chain of steps to a file.
//! One language has one directory here: `python/` rewrites the program's own files inside the sandbox, `javascript/` does so
//! before they are sent there; either way their expressions report their values into a bounded ring, and the failing one is
//! followed through it. A chain counts only if the second run failed in the same way at the same line.

#[cfg(feature = "parsers")]
mod javascript;
#[cfg(not(feature = "parsers"))]
#[path = "without_javascript.rs"]
mod javascript;
mod python;
mod sentence;

use crate::failures::SourceText;
use crate::failures::place::Files;
use crate::watched;
use formicary_model::{Artifact, CauseStep, Diagnosis, ExecutionRequest, ExecutionResult, Language};

const REPORT: &str = "formicary-causes.json";

/// Bounds of what is read of a report: the program could have written it itself.
const REPORT_BYTES: u64 = 4 * 1024 * 1024;
const STEPS: usize = 6;
const WIDTH: usize = 300;

/// Instrumented programs are slower; a run that took long is not made again for many times as long.
const SLOWER: f64 = 10.0;
const GRACE_SECONDS: f64 = 5.0;

/// What a watched run reports, in whichever language.
struct Reported {
    /// The names that the type of the error may be shown by.
    types: Vec<String>,
    file: String,
    line: u32,
    steps: Vec<CauseStep>,
}

/// The run that finds the chain, and the variables of all frames with it; none if the language has no way to.
pub fn request(
    original: &ExecutionRequest,
    language: Language,
    entry: &str,
    seconds: f64,
) -> Option<ExecutionRequest> {
    if original.command.is_some() {
        return None;
    }
    let mut request = match language {
        Language::Python => python::request(original, entry),
        Language::JavaScript | Language::TypeScript => javascript::request(original, language, entry),
        _ => None,
    }?;
    let bound = seconds * SLOWER + GRACE_SECONDS;
    request.limits.wall_seconds = request.limits.wall_seconds.map(|limit| limit.min(bound));
    Some(request)
}

/// Gives the main error its chain, and the cause line what the chain says. Without a chain that can be trusted the
/// diagnosis stays as it is.
pub fn attach(diagnosis: &mut Diagnosis, watched: &ExecutionResult, sources: &[SourceText]) {
    if let Some(steps) = chain(diagnosis, &watched.artifacts, sources)
        && let Some(error) = diagnosis.errors.first_mut()
    {
        if let Some(sentence) = sentence::of(error, &steps) {
            error.root_cause = sentence;
        }
        error.chain = steps;
    }
}

fn chain(diagnosis: &Diagnosis, artifacts: &[Artifact], sources: &[SourceText]) -> Option<Vec<CauseStep>> {
    let content = &artifacts.iter().find(|artifact| artifact.path == REPORT)?.content;
    let report = python::read(content).or_else(|| javascript::read(content))?;
    let error = diagnosis.main()?;
    let files = Files { sources };
    let place = error.place.as_ref()?;
    let kind = error.error_type.rsplit('.').next().unwrap_or_default();
    let same_file = files.find(&report.file).is_some_and(|source| source.path == place.file);
    if !report.types.iter().any(|known| known == kind) || report.line != place.line || !same_file {
        return None;
    }
    let steps: Vec<CauseStep> = report
        .steps
        .into_iter()
        .take(STEPS)
        .filter_map(|step| {
            let file = files.find(&step.file)?.path.clone();
            let (expression, value) =
                (watched::cut(&step.expression, WIDTH), watched::cut(&step.value, WIDTH));
            Some(CauseStep { file, expression, value, ..step })
        })
        .collect();
    (!steps.is_empty()).then_some(steps)
}
