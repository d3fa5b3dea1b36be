//! Tests: running them, writing them, judging them by mutants.

use super::execute::overlaid;
use super::{Core, read, written};
use formicary_model::{Failure, SourceFile};
use formicary_platform::Cancel;
use formicary_platform::testing::{
    GenerationWanted, MutationWanted, Style, TestOptions, TestTarget, Wanted, junit_xml,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// The project: a path, or files that are given.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    folder: Option<PathBuf>,
    target: Option<PathBuf>,
    files: Option<Vec<SourceFile>>,
    #[serde(default)]
    request: Map<String, Value>,
}

impl Place {
    fn options(self, core: &Core, wanted: Wanted) -> Result<TestOptions, Failure> {
        let target = match self.files {
            Some(files) => TestTarget::Files(files),
            None => TestTarget::Path(self.target.unwrap_or_else(|| PathBuf::from("."))),
        };
        let working_folder = core.working_folder(self.folder)?;
        Ok(TestOptions { working_folder, target, wanted, base: overlaid(core, self.request)? })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Running {
    place: Place,
    framework: Option<String>,
    select: Vec<String>,
    filter: Option<String>,
    arguments: Vec<String>,
    coverage: bool,
    test_seconds: Option<f64>,
    seconds: f64,
}

pub(super) fn run(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Running = read(text)?;
    let wanted = Wanted {
        framework: asked.framework,
        select: asked.select,
        filter: asked.filter,
        arguments: asked.arguments,
        coverage: asked.coverage,
        test_seconds: asked.test_seconds,
        seconds: Some(asked.seconds),
    };
    let report = core.platform.run_tests(&asked.place.options(core, wanted)?, cancel)?;
    written(&json!({ "report": report, "junit": junit_xml::write(&report) }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Generating {
    place: Place,
    only: Vec<String>,
    functions: Vec<String>,
    seconds: f64,
    unittest: bool,
}

pub(super) fn generate(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Generating = read(text)?;
    let wanted = GenerationWanted {
        files: asked.only,
        functions: asked.functions,
        seconds: asked.seconds,
        style: if asked.unittest { Style::Unittest } else { Style::Pytest },
        workers: workers(),
    };
    let options = asked.place.options(core, Wanted::default())?;
    written(&core.platform.generate_tests(&options, &wanted, cancel)?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutating {
    place: Place,
    only: Vec<String>,
    functions: Vec<String>,
    tests: Vec<String>,
    filter: Option<String>,
    framework: Option<String>,
    seconds: f64,
    most: usize,
}

pub(super) fn mutate(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Mutating = read(text)?;
    let wanted = MutationWanted {
        files: asked.only,
        functions: asked.functions,
        tests: asked.tests,
        filter: asked.filter,
        framework: asked.framework,
        seconds: asked.seconds,
        most: asked.most,
        workers: workers(),
    };
    let options = asked.place.options(core, Wanted::default())?;
    written(&core.platform.mutate(&options, &wanted, cancel)?)
}

fn workers() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8)
}
