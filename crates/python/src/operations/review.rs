//! Reviews, the reports made of them, gates, pyscn's figures.

use super::{Core, invalid, read, written};
use formicary_model::review::{FixSafety, GateResult, ReviewReport};
use formicary_model::{Failure, suggest};
use formicary_platform::Cancel;
use formicary_platform::review::{ReviewDone, ReviewOptions};
use formicary_platform::reviewing::engine::Watch;
use formicary_platform::reviewing::gate::{is_metric, metric_names};
use formicary_platform::reviewing::report::{Display, Format, generate_report};
use formicary_platform::reviewing::{QualityDashboard, check_quality_gates};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Asked {
    folder: Option<PathBuf>,
    paths: Vec<PathBuf>,
    new: Option<String>,
    baseline: Option<PathBuf>,
    history: Option<PathBuf>,
    tools: Vec<String>,
    record: bool,
    cache: bool,
    /// Thresholds in the place of the project's.
    gates: Option<BTreeMap<String, f64>>,
    /// The form of a report that is wanted too.
    format: Option<String>,
    /// Only findings with these fingerprints go into it.
    only: Option<BTreeSet<String>>,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            folder: None,
            paths: Vec::new(),
            new: None,
            baseline: None,
            history: None,
            tools: Vec::new(),
            record: false,
            cache: true,
            gates: None,
            format: None,
            only: None,
        }
    }
}

#[derive(Serialize)]
struct Reviewed<'a> {
    report: &'a ReviewReport,
    root: String,
    gate: GateResult,
    debt_minutes: u32,
    movement: Option<f64>,
    text: Option<String>,
}

pub(super) fn review(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Asked = read(text)?;
    let format = asked.format.as_deref().map(form).transpose()?;
    if let Some(gates) = &asked.gates {
        known_metrics(gates)?;
    }
    let mut done = reviewed(core, &asked, cancel)?;
    if let Some(only) = &asked.only {
        done.review.report.findings.retain(|finding| only.contains(&finding.fingerprint));
    }
    let report = &done.review.report;
    let gate = match &asked.gates {
        Some(gates) => check_quality_gates(report, gates, &[], None),
        None => {
            report.gate.clone().unwrap_or_else(|| check_quality_gates(report, &BTreeMap::new(), &[], None))
        }
    };
    let display = Display { only_new: asked.new.is_some(), ..Display::default() };
    let rules = core.platform.review_rules();
    let text = format.map(|format| generate_report(&done.review, format, &display, &rules));
    let dashboard = QualityDashboard::new(&done.review);
    written(&Reviewed {
        report,
        root: done.root.display().to_string(),
        gate,
        debt_minutes: dashboard.debt_minutes(),
        movement: dashboard.movement(),
        text,
    })
}

fn reviewed(core: &Core, asked: &Asked, cancel: &Cancel) -> Result<ReviewDone, Failure> {
    let watch = Watch { progress: &|_, _, _| (), cancelled: &|| cancel.is_cancelled() };
    core.platform.review(&options(core, asked)?, watch)
}

fn options(core: &Core, asked: &Asked) -> Result<ReviewOptions, Failure> {
    Ok(ReviewOptions {
        working_folder: core.working_folder(asked.folder.clone())?,
        paths: asked.paths.clone(),
        new: asked.new.clone(),
        baseline: asked.baseline.clone(),
        history: asked.history.clone(),
        tools: asked.tools.clone(),
        record: asked.record,
        cache: core.sources.cache_folder().filter(|_| asked.cache).map(|folder| folder.join("review")),
    })
}

fn form(word: &str) -> Result<Format, Failure> {
    let found =
        Format::ALL.into_iter().find(|format| format.word() == word).or_else(|| Format::of_ending(word));
    found.ok_or_else(|| {
        let known = Format::ALL.map(Format::word);
        invalid(format!("unknown form of report {word}")).hint(format!("known: {}", known.join(", ")))
    })
}

fn known_metrics(gates: &BTreeMap<String, f64>) -> Result<(), Failure> {
    let Some(stray) = gates.keys().find(|name| !is_metric(name)) else { return Ok(()) };
    let names = metric_names();
    let hint = match suggest::nearest(stray, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("known: {}", names.join(", ")),
    };
    Err(invalid(format!("there is no metric {stray}")).hint(hint))
}

pub(super) fn rules(core: &Core, _: &str, _: &Cancel) -> Result<String, Failure> {
    written(&core.platform.review_rules())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mending {
    review: Asked,
    #[serde(default)]
    unsafe_fixes: bool,
}

/// Mends what can be mended and writes the files: how many findings, and which files.
pub(super) fn fix(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Mending = read(text)?;
    let done = reviewed(core, &asked.review, cancel)?;
    let most = if asked.unsafe_fixes { FixSafety::Unsafe } else { FixSafety::Safe };
    let fixed = core.platform.fix(&done, most)?;
    let files: Vec<&String> = fixed.files.keys().collect();
    written(&json!({"applied": fixed.applied, "left": fixed.left, "files": files}))
}

/// Writes the open findings as the project's baseline; gives its path.
pub(super) fn baseline(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Asked = read(text)?;
    let done = reviewed(core, &asked, cancel)?;
    written(&core.platform.write_baseline(&done)?)
}

pub(super) fn pyscn(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: Asked = read(text)?;
    written(&core.platform.pyscn(&options(core, &asked)?)?)
}
