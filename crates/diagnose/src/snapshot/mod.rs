//! The variables of a program at the moment when it failed.
//!
//! Of other languages than Python the snapshot is what [`crate::inspect`] sees when the program fails.
//!
//! Python: the program runs once more under a small program of ours inside the sandbox, which writes the local variables of
//! each frame to a file. It calls nothing of the program to show a value, so that a hostile `__repr__` is never run, and
//! everything that it writes is bounded.

use crate::inspect::wire;
use crate::watched;
use formicary_model::{Artifact, Diagnosis, ExecutionRequest, Language, StackFrame};

/// The program that watches, inside.
const WATCHER: &str =
    concat!(include_str!("values.py"), "\n\n", include_str!("frames.py"), "\n\n", include_str!("python.py"));
const WATCHER_PATH: &str = "formicary-snapshot.py";
pub(crate) const REPORT: &str = "formicary-crash.json";

/// Bytes of a report that are read, and its bounds.
const REPORT_BYTES: u64 = 4 * 1024 * 1024;
const FRAMES: usize = 100;

/// The run that takes the snapshot; none where the language has no way to.
pub fn request(original: &ExecutionRequest, language: Language, entry: &str) -> Option<ExecutionRequest> {
    if language != Language::Python || original.command.is_some() {
        return None;
    }
    let mut request = watched::request(original, entry, WATCHER_PATH, WATCHER, &[])?;
    request.collect.globs = vec![REPORT.into()];
    request.collect.max_files = 1;
    request.collect.max_bytes = REPORT_BYTES;
    Some(request)
}

/// The frames of a report, innermost first. The program could have written it itself: it is data, bounded again.
pub fn frames(artifacts: &[Artifact]) -> Vec<StackFrame> {
    let report = artifacts.iter().find(|artifact| artifact.path == REPORT);
    let frames: Vec<StackFrame> =
        report.and_then(|report| serde_json::from_slice(&report.content).ok()).unwrap_or_default();
    frames.into_iter().take(FRAMES).map(wire::bounded).collect()
}

/// Gives the frames of the main error what a debugger saw in them: same file, same line, in order. Where nothing else
/// told the stack, that of the debugger is the stack.
pub fn attach_seen(diagnosis: &mut Diagnosis, seen: &[StackFrame]) {
    let Some(error) = diagnosis.errors.first_mut() else { return };
    let own: Vec<&StackFrame> = seen.iter().filter(|frame| frame.own).collect();
    if own.is_empty() {
        return;
    }
    if error.stack.iter().all(|frame| !frame.own) {
        error.stack = own.into_iter().cloned().collect();
        return;
    }
    let name =
        |file: &Option<String>| file.as_deref().and_then(|file| file.rsplit('/').next().map(str::to_owned));
    let mut rest = own.iter();
    for frame in error.stack.iter_mut().filter(|frame| frame.variables.is_empty()) {
        let mut ahead = rest.clone();
        let same = |found: &&&StackFrame| found.line == frame.line && name(&found.file) == name(&frame.file);
        if let Some(found) = ahead.find(same) {
            frame.variables.clone_from(&found.variables);
            rest = ahead;
        }
    }
}

/// Gives the frames of the main error their variables: same function, same line, in order.
pub fn attach(diagnosis: &mut Diagnosis, frames: &[StackFrame]) {
    let Some(error) = diagnosis.errors.first_mut() else { return };
    let mut rest = frames.iter();
    for frame in &mut error.stack {
        let mut ahead = rest.clone();
        if let Some(found) = ahead.find(|found| found.function == frame.function && found.line == frame.line)
        {
            frame.variables.clone_from(&found.variables);
            rest = ahead;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forged_report_stays_bounded() {
        let variable = serde_json::json!({"name": "x".repeat(1000), "type": "t", "value": "v".repeat(1000)});
        let frame = serde_json::json!({"function": "f", "line": 1, "variables": vec![variable; 70]});
        let content = serde_json::to_vec(&vec![frame; 110]).unwrap();
        let artifact =
            Artifact { path: REPORT.into(), size: content.len() as u64, executable: false, content };
        let frames = frames(&[artifact]);
        assert_eq!((frames.len(), frames[0].variables.len()), (FRAMES, 60));
        assert_eq!(frames[0].variables[0].value.len(), 700);
        let broken = Artifact { path: REPORT.into(), size: 1, executable: false, content: b"{".to_vec() };
        assert!(super::frames(&[broken]).is_empty());
    }
}
