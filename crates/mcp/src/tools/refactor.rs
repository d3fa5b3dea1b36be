//! `refactor`: renames, extracts or inlines where that is proven safe.

use super::Spec;
use super::rewrite_pattern::{changes, shown};
use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_platform::patterns::Refactor;
use serde_json::{Map, Value};

pub(super) const TOOL: Spec = Spec::of::<Refactor>(
    "refactor",
    "Refactor where it is proven safe, refuse with the reason where it is not: rename, inline, \
            extract_variable, extract_function. Lines and columns count from 1, columns in characters. \
            Returns diffs; writes only if `write` is set and the server allows it.",
    Some(changes),
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let report = call.perform::<Refactor>(arguments, &[("apply", "write")])?;
    let text = format!("{}\n{}", report.what, shown(&report.changes, report.written, report.undo.as_deref()));
    Answer::new(call, &report, text)
}
