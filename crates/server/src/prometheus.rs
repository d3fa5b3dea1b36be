//! The server's own figures in the text that Prometheus reads, beside those of the runs.

use serde_json::Value;
use std::fmt::Write as _;

/// Figures of runs, as their snapshot has them, and further gauges: name, meaning, value.
pub fn render(snapshot: &Value, gauges: &[(&str, &str, f64)]) -> String {
    let mut text = String::new();
    for (name, about, value) in gauges {
        let _ = write!(text, "# HELP {name} {about}\n# TYPE {name} gauge\n{name} {value}\n");
    }
    for (key, about, kind) in [
        ("accepted", "Runs that were let in.", "counter"),
        ("failed", "Runs in which Formicary failed.", "counter"),
        ("active", "Runs under way.", "gauge"),
    ] {
        let name = if kind == "counter" {
            format!("formicary_runs_{key}_total")
        } else {
            "formicary_runs_active".into()
        };
        let value = snapshot[key].as_f64().unwrap_or_default();
        let _ = write!(text, "# HELP {name} {about}\n# TYPE {name} {kind}\n{name} {value}\n");
    }
    let name = "formicary_runs_finished_total";
    let _ = write!(text, "# HELP {name} Runs with a result.\n# TYPE {name} counter\n");
    for (language, part) in snapshot["by_language"].as_object().into_iter().flatten() {
        for (status, count) in part["by_status"].as_object().into_iter().flatten() {
            let (language, status) = (label(language), label(status));
            let _ = writeln!(text, "{name}{{language=\"{language}\",status=\"{status}\"}} {count}");
        }
    }
    for (key, name, about) in [
        ("duration", "formicary_run_seconds", "Seconds of the latest runs."),
        ("memory", "formicary_run_memory_bytes", "Peak memory of the latest runs."),
    ] {
        let _ = write!(text, "# HELP {name} {about}\n# TYPE {name} gauge\n");
        for (language, part) in snapshot["by_language"].as_object().into_iter().flatten() {
            for (quantile, field) in [("0.5", "p50"), ("0.9", "p90"), ("0.99", "p99")] {
                let value = part[key][field].as_f64().unwrap_or_default();
                let language = label(language);
                let _ = writeln!(text, "{name}{{language=\"{language}\",quantile=\"{quantile}\"}} {value}");
            }
        }
    }
    text
}

fn label(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn figures_are_lines() {
        let part = json!({ "by_status": { "success": 2 }, "duration": { "p50": 0.5 }, "memory": {} });
        let snapshot = json!({ "accepted": 3, "failed": 1, "active": 0, "by_language": { "py\"x": part } });
        let text = render(&snapshot, &[("formicary_sessions", "Sessions.", 2.0)]);
        for line in [
            "formicary_sessions 2",
            "formicary_runs_accepted_total 3",
            "formicary_runs_finished_total{language=\"py\\\"x\",status=\"success\"} 2",
            "formicary_run_seconds{language=\"py\\\"x\",quantile=\"0.5\"} 0.5",
        ] {
            assert!(text.lines().any(|own| own == line), "{line} in {text}");
        }
    }
}
