//! The line on stderr that says how a run ended.

use crate::terminal::{self, BAD, CAUTION, FAINT, GOOD, printable};
use anstyle::Style;
use formicary_model::{ExecutionResult, Status};
use formicary_platform::config::units::show_bytes;
use std::io::Write as _;

/// When the line is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// When a person looks on, or when the end needs explaining.
    ByTerminal,
    /// Only when the end needs explaining.
    FailuresOnly,
}

/// Tells how the run ended, where that is wanted.
pub fn tell(result: &ExecutionResult, wanted: Wanted) {
    let looked_at = wanted == Wanted::ByTerminal && terminal::stderr_is_terminal();
    if looked_at || needs_explaining(result.status) {
        // A stderr that is gone changes nothing about the run.
        let _ = writeln!(terminal::stderr(), "{}", line(result));
    }
}

/// The line, with styles.
pub fn line(result: &ExecutionResult) -> String {
    let style = style(result.status);
    let mut parts = vec![format!("{style}{}{style:#}", result.status)];
    match (&result.error_message, result.exit_code, result.signal) {
        (Some(message), ..) if needs_explaining(result.status) => {
            parts[0] += &format!(": {}", printable(message))
        }
        (_, Some(code), _) if result.status == Status::NonzeroExit => parts[0] += &format!(" {code}"),
        (_, _, Some(signal)) => parts[0] += &format!(" {signal}"),
        _ => {}
    }
    let mut figures = vec![format!("{:.3} s", result.duration)];
    figures.extend(result.usage.memory_peak.map(|bytes| show_bytes(bytes as f64)));
    figures.push(format!("{} ({})", result.enforcement.level, result.enforcement.provider));
    if result.truncated {
        figures.push("output cut".into());
    }
    parts.push(format!("{FAINT}[{}]{FAINT:#}", figures.join(", ")));
    format!("{FAINT}formicary:{FAINT:#} {}", parts.join(" "))
}

fn needs_explaining(status: Status) -> bool {
    !matches!(status, Status::Success | Status::NonzeroExit)
}

fn style(status: Status) -> Style {
    match status {
        Status::Success => GOOD,
        Status::NonzeroExit => CAUTION,
        _ => BAD,
    }
}
