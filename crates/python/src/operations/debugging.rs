//! Why something failed, mending it by its tests, looking into a running program.

use super::execute::{overlaid, request};
use super::{Core, invalid, read, written};
use formicary_model::{Breakpoint, Failure, FixReport, InspectRequest, Language};
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
        install: false,
        model: None,
        base: overlaid(core, asked.request)?,
    };
    let done = core.platform.mend(&options, cancel, &|_| ())?;
    written(&Mended { report: done.report, written: done.written })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Looking {
    request: Map<String, Value>,
    breakpoints: Vec<String>,
    logs: Vec<(String, String)>,
    every_exception: bool,
    print: Vec<String>,
    most_stops: u32,
    #[serde(default)]
    adapter: Option<String>,
}

pub(super) fn inspect(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Looking = read(text)?;
    let request = overlaid(core, asked.request)?;
    if let Some(word) = request.language.as_deref().filter(|word| Language::from_word(word).is_none()) {
        let known: Vec<&str> = Language::ALL.iter().map(|language| language.id()).collect();
        return Err(
            invalid(format!("no debugger knows {word:?}")).hint(format!("known: {}", known.join(", ")))
        );
    }
    let stops = asked.breakpoints.iter().map(|place| Breakpoint::read(place));
    let logs =
        asked.logs.into_iter().map(|(place, log)| Breakpoint { log: Some(log), ..Breakpoint::read(&place) });
    let looked_for = InspectRequest {
        breakpoints: stops.chain(logs).collect(),
        every_exception: asked.every_exception,
        print: asked.print,
        most_stops: asked.most_stops,
        adapter: asked.adapter,
    };
    written(&core.platform.inspect(&request, &looked_for, cancel, |_| ())?)
}
