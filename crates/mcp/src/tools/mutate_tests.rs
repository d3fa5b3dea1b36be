//! `mutate_tests`: how well Python tests notice changes.

use super::{Nature, Spec, testing};
use crate::answer::{Answer, value};
use crate::call::Call;
use crate::inputs::{files_schema, invalid, read};
use crate::schema;
use formicary_model::{Failure, MutationReport};
use formicary_platform::testing::MutationWanted;
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::fmt::Write as _;

/// Survivors that the text names; the structured answer has more.
const MOST_NAMED: usize = 20;
const MOST_MUTANTS: usize = 5_000;

pub(super) const TOOL: Spec = Spec {
    name: "mutate_tests",
    about: "Judge Python tests: changes the code in small ways in the sandbox and tells which changes no test notices. Returns \
            the score and each survivor with its place and diff.",
    nature: Nature::Fetches,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"score": {"type": "number"}, "mutants": {"type": "integer"}, "survivors": {"type": "array", "items": {"type": "object"}}}, "required": ["score", "mutants", "survivors"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Input {
    /// Folder of the project, or the file to change. Default: the whole project
    path: Option<String>,
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    /// Only these functions, classes or Class.methods
    functions: Vec<String>,
    /// Files of tests that judge; default all
    tests: Vec<String>,
    framework: Option<String>,
    /// 1 to 160, default 120
    seconds: Option<f64>,
    /// Mutants of a file, default 400
    most: Option<usize>,
    packages: Vec<String>,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let most = input.most.unwrap_or(400);
    if !(1..=MOST_MUTANTS).contains(&most) {
        return Err(invalid(format!("{most} mutants are not possible"), format!("give 1 to {MOST_MUTANTS}")));
    }
    let wanted = MutationWanted {
        files: Vec::new(),
        functions: input.functions,
        tests: input.tests,
        filter: None,
        framework: input.framework,
        seconds: testing::seconds("seconds", input.seconds.unwrap_or(120.0), 1.0, 160.0)?,
        most,
        workers: std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8),
    };
    let options = testing::options(call, input.path.as_deref(), &input.files, input.packages)?;
    call.progress.step("judging the tests by mutants");
    let report = call.quiet(|live| call.platform().mutate_as(&call.caller(), &options, &wanted, live))?;
    let mut whole = value(&report)?;
    whole["enforcement"] =
        json!({"provider": report.enforcement.provider, "level": report.enforcement.level});
    Answer::new(call, &whole, text(&report))
}

fn text(report: &MutationReport) -> String {
    let mut text = format!(
        "score {:.0} %: {} of {} mutants noticed by {} tests, {} survived, {} reached by no test\n",
        report.score * 100.0,
        report.killed + report.timed_out,
        report.mutants,
        report.tests,
        report.survived,
        report.not_covered
    );
    for mutant in report.survivors.iter().take(MOST_NAMED) {
        let _ = writeln!(text, "{}:{} {}\n{}", mutant.file, mutant.line, mutant.kind, mutant.diff);
    }
    for note in &report.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}
