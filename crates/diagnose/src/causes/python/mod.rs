//! Python: a program of ours rewrites the user's files as they are imported, records, and explains.

use super::{REPORT, REPORT_BYTES, Reported};
use crate::{snapshot, watched};
use formicary_model::{CauseStep, ExecutionRequest};
use serde::Deserialize;

/// The program that instruments and explains, inside.
const WATCHER: &str = concat!(
    include_str!("../../snapshot/values.py"),
    "\n\n",
    include_str!("../../snapshot/frames.py"),
    "\n\n",
    include_str!("rewrite.py"),
    "\n\n",
    include_str!("record.py"),
    "\n\n",
    include_str!("objects.py"),
    "\n\n",
    include_str!("explain.py"),
    "\n\n",
    include_str!("failure.py"),
    "\n\n",
    include_str!("run.py"),
);
const WATCHER_PATH: &str = "formicary-causes.py";

/// What the watched run reports.
#[derive(Debug, Deserialize)]
struct Report {
    #[serde(rename = "type")]
    kind: String,
    file: String,
    line: u32,
    steps: Vec<CauseStep>,
}

/// The run that finds the chain, and the variables of all frames with it.
pub(super) fn request(original: &ExecutionRequest, entry: &str) -> Option<ExecutionRequest> {
    let mut request = watched::request(original, entry, WATCHER_PATH, WATCHER, &[])?;
    request.collect.globs = vec![REPORT.into(), snapshot::REPORT.into()];
    request.collect.max_files = 2;
    request.collect.max_bytes = REPORT_BYTES;
    Some(request)
}

/// A report as the watched run left it.
pub(super) fn read(content: &[u8]) -> Option<Reported> {
    let report: Report = serde_json::from_slice(content).ok()?;
    Some(Reported { types: vec![report.kind], file: report.file, line: report.line, steps: report.steps })
}
