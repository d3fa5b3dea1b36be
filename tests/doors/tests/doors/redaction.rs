//! What differs from run to run, taken out, so that the rest can be compared whole.

use crate::project::Project;
use serde_json::Value;

/// Names, times and amounts that no two runs share; what a door adds of its own; and the list of protections, which MCP
/// sums up.
const MOVING: [&str; 24] = [
    "run_id",
    "session_id",
    "duration",
    "usage",
    "cpu_seconds",
    "seconds",
    "items_per_second",
    "cases_per_second",
    "candidates_per_second",
    "candidates",
    "memory_peak",
    "cached",
    "version",
    "root",
    "age",
    "idle",
    "memory",
    "protections",
    "full",
    "omitted",
    "undo",
    "history",
    "excluded_files",
    "execution_count",
];

/// The value without what moves, and with the project's folder named by a word.
pub fn plain(value: Value, project: &Project) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(key, _)| !MOVING.contains(&key.as_str()));
            Value::Object(kept.map(|(key, value)| (key, plain(value, project))).collect())
        }
        Value::Array(list) => list.into_iter().map(|value| plain(value, project)).collect(),
        Value::String(text) => {
            Value::String(text.replace(&project.folder().display().to_string(), "[PROJECT]"))
        }
        Value::Number(number) => match number.as_f64() {
            // Written and read again, the last digits of a fraction may differ.
            Some(real) if !number.is_i64() && !number.is_u64() => ((real * 1e6).round() / 1e6).into(),
            _ => Value::Number(number),
        },
        other => other,
    }
}
