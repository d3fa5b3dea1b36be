//! One line of JSON a run, for whatever collects the logs of a server. Neither code nor output is in it.

use crate::fanout::Listener;
use crate::metrics::failure_word;
use formicary_model::{Caller, Event, EventKind};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// Writes a line when a run ends.
pub struct LogLines {
    state: Mutex<State>,
}

struct State {
    out: Box<dyn Write + Send>,
    runs: BTreeMap<String, Map<String, Value>>,
}

impl LogLines {
    /// Lines that go to `out`.
    pub fn new(out: Box<dyn Write + Send>) -> Self {
        Self { state: Mutex::new(State { out, runs: BTreeMap::new() }) }
    }
}

impl Listener for LogLines {
    fn heard(&self, caller: &Caller, event: &Event) {
        if matches!(event.kind, EventKind::Output { .. } | EventKind::Sample { .. }) {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { out, runs } = &mut *state;
        let line = runs.entry(event.run_id.clone()).or_insert_with(|| first(caller, event));
        let mut put = |name: &str, value: Value| _ = line.insert(name.into(), value);
        match &event.kind {
            EventKind::Received { language, code_hash, code_bytes } => {
                put("language", json!(language));
                put("code_hash", json!(code_hash));
                put("code_bytes", json!(code_bytes));
                return;
            }
            EventKind::Accepted { language, provider, .. } => {
                put("language", json!(language));
                put("provider", json!(provider));
                return;
            }
            EventKind::Step { step, seconds } => {
                put(&format!("{}_seconds", step.word()), json!(seconds));
                return;
            }
            EventKind::Finished { status, exit_code, duration, usage, level, violations, .. } => {
                put("level", json!("info"));
                put("status", json!(status));
                put("exit_code", json!(exit_code));
                put("seconds", json!(duration));
                put("cpu_seconds", json!(usage.cpu_user + usage.cpu_system));
                put("memory_peak", json!(usage.memory_peak));
                put("protection", json!(level));
                if !violations.is_empty() {
                    put("violations", json!(violations));
                }
            }
            EventKind::Failed { kind, message } => {
                put("level", json!("warning"));
                put("failure", json!(failure_word(*kind)));
                put("error", json!(message));
            }
            _ => return,
        }
        if let Some(line) = runs.remove(&event.run_id) {
            // Where a log cannot be written there is nobody to tell; the audit log is the one that must hold.
            let _ = writeln!(out, "{}", Value::Object(line)).and_then(|()| out.flush());
        }
    }
}

fn first(caller: &Caller, event: &Event) -> Map<String, Value> {
    let line = json!({
        "at_ms": event.at_ms,
        "event": "run",
        "run_id": event.run_id,
        "caller": caller.name,
        "tenant": caller.tenant,
        "door": caller.door,
    });
    match line {
        Value::Object(line) => line,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{failed, successful_run};
    use std::sync::Arc;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn one_line_a_run_also_when_they_overlap() {
        let kept = Kept::default();
        let lines = LogLines::new(Box::new(kept.clone()));
        let (ada, bob) = (Caller::new("ada").of("house"), Caller::new("bob"));
        let (a, b) = (successful_run("a", "python", 0.5), successful_run("b", "go", 0.5));
        for (left, right) in a.iter().zip(&b) {
            lines.heard(&ada, left);
            lines.heard(&bob, right);
        }
        lines.heard(&bob, &failed("c"));
        let text = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        let read: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(read.len(), 3, "{text}");
        assert_eq!((&read[0]["caller"], &read[0]["language"]), (&json!("ada"), &json!("python")));
        assert_eq!((&read[1]["caller"], &read[1]["status"]), (&json!("bob"), &json!("success")));
        assert_eq!((&read[2]["level"], &read[2]["failure"]), (&json!("warning"), &json!("sandbox_failed")));
    }
}
