//! Tests that a model proposes, judged as our own are: kept is what always passes and reaches a line or notices a mutant that
//! nothing else does.

use super::generate::GenerationWanted;
use super::{answers, module_of, request};
use crate::project::Project;
use crate::run::Run;
use formicary_model::{ExecutionRequest, Failure, GeneratedTests};
use serde::Deserialize;
use serde_json::json;

/// Mutants that judge, spread over the file.
const MOST_MUTANTS: usize = 200;
const MOST_SECONDS: f64 = 120.0;

/// What became of a proposal.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Judged {
    /// Why nothing could be judged.
    pub error: Option<String>,
    /// The whole file: our tests, and those that were kept.
    pub text: String,
    /// Its tests.
    pub tests: u64,
    /// Tests that were proposed.
    pub proposed: u64,
    /// Tests that were kept.
    pub kept: u64,
    /// Tests that need what is not there: fixtures, classes.
    pub unfit: u64,
    /// Tests that do not pass.
    pub failing: u64,
    /// Tests that do not always pass.
    pub flaky: u64,
    /// Mutants that judged.
    pub mutants: u64,
    /// Mutants that the whole file notices.
    pub killed: u64,
    /// The first mutants that nothing notices.
    pub survivors: Vec<String>,
}

impl Judged {
    /// What became of it, in one line.
    pub fn told(&self) -> String {
        if let Some(why) = &self.error {
            return format!("the model's tests were not taken: {why}");
        }
        let idle = self.proposed.saturating_sub(self.kept + self.unfit + self.failing + self.flaky);
        format!(
            "{} of {} tests of the model's were kept; {} did not pass, {} not always, {} told nothing new, {} could not be run",
            self.kept, self.proposed, self.failing, self.flaky, idle, self.unfit
        )
    }
}

/// Judges tests that somebody proposes for a file beside those that were written for it.
pub fn judge(
    run: &Run<'_>,
    base: &ExecutionRequest,
    project: &Project,
    wanted: &GenerationWanted,
    (path, written, proposed): (&str, &str, &str),
) -> Result<Judged, Failure> {
    let (root, module) = module_of(project, path);
    let seconds = (wanted.seconds * 3.0).clamp(20.0, MOST_SECONDS);
    let plan = json!({
        "path": path,
        "module": module,
        "source_root": root,
        "functions": wanted.functions,
        "base": written,
        "suggested": proposed,
        "seconds": seconds,
        "most": MOST_MUTANTS,
        "workers": 2,
    });
    let result = run(request(base, project, "suggested.py", plan, seconds + 90.0))?;
    let judged = answers(&result).pop().and_then(|answer| serde_json::from_value::<Judged>(answer).ok());
    Ok(judged.unwrap_or_else(|| {
        let said = result.stderr.lines().last().unwrap_or_default();
        let why = result.error_message.clone().unwrap_or_else(|| "it said nothing".into());
        Judged { error: Some(format!("judging them ended early: {why}; {said}")), ..Judged::default() }
    }))
}

/// Puts what was judged into what was written.
pub fn taken(tests: &mut GeneratedTests, judged: &Judged) {
    tests.notes.push(judged.told());
    if judged.error.is_none() && judged.kept > 0 {
        tests.text.clone_from(&judged.text);
        (tests.tests, tests.mutants, tests.killed) = (judged.tests, judged.mutants, judged.killed);
        tests.flaky += judged.flaky;
    }
}
