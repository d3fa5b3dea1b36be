//! Why something failed, and mending it by its tests.

use super::execute::{overlaid, request};
use super::{Core, read, written};
use formicary_model::{Failure, FixReport};
use formicary_platform::debugging::FixOptions;
use formicary_platform::{Cancel, Live, Said, SourceText};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;

pub(super) fn diagnose(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let live = Live { cancel: cancel.clone(), ..Live::default() };
    written(&core.platform.diagnose(request(core, text)?, live)?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pasted {
    said: String,
    language: Option<String>,
    #[serde(default)]
    sources: Vec<(String, String)>,
}

pub(super) fn diagnose_text(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: Pasted = read(text)?;
    let source = |(path, text)| SourceText { path, text };
    let sources: Vec<SourceText> = asked.sources.into_iter().map(source).collect();
    let said = Said::of(asked.said.as_bytes());
    written(&core.platform.diagnose_text(&said, asked.language.as_deref(), &sources)?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mending {
    folder: Option<PathBuf>,
    target: PathBuf,
    test: Option<String>,
    tests: Option<PathBuf>,
    expect: Option<PathBuf>,
    stdin: Option<PathBuf>,
    most_candidates: usize,
    seconds: f64,
    #[serde(default)]
    write: bool,
    #[serde(default)]
    request: Map<String, Value>,
}

#[derive(Serialize)]
struct Mended {
    report: FixReport,
    written: Vec<PathBuf>,
}

pub(super) fn fix(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Mending = read(text)?;
    let options = FixOptions {
        working_folder: core.working_folder(asked.folder)?,
        target: asked.target,
        test: asked.test,
        tests: asked.tests,
        expect: asked.expect,
        stdin: asked.stdin,
        most_candidates: asked.most_candidates,
        seconds: asked.seconds,
        write: asked.write,
        base: overlaid(core, asked.request)?,
    };
    let done = core.platform.mend(&options, cancel, &|_| ())?;
    written(&Mended { report: done.report, written: done.written })
}
