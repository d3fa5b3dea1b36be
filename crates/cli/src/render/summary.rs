//! The line on stderr that says how a run ended.

use crate::terminal::{self, BAD, CAUTION, FAINT, GOOD};
use anstyle::Style;
use formicary_model::visible::one_line;
use formicary_model::{ExecutionResult, Protection, ProtectionState, Status, Violation, ViolationKind};
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
            parts[0] += &format!(": {}", one_line(message))
        }
        (_, Some(code), _) if result.status == Status::NonzeroExit => parts[0] += &format!(" {code}"),
        (_, _, Some(signal)) => parts[0] += &format!(" {signal}"),
        _ => {}
    }
    let mut figures = vec![format!("{:.3} s", result.duration)];
    figures.extend(result.usage.memory_peak.map(|bytes| show_bytes(bytes as f64)));
    figures.push(format!("{}{} ({})", result.enforcement.level, opened(result), result.enforcement.provider));
    figures.extend(refused(result));
    if result.truncated {
        figures.push("output cut".into());
    }
    parts.push(format!("{FAINT}[{}]{FAINT:#}", figures.join(", ")));
    format!("{FAINT}formicary:{FAINT:#} {}", parts.join(" "))
}

/// What the caller opened by name: the level alone would say too much.
fn opened(result: &ExecutionResult) -> String {
    let waived = |(protection, state): (&Protection, &ProtectionState)| {
        matches!(state, ProtectionState::Waived(_)).then(|| protection.to_string())
    };
    let opened: Vec<String> = result.enforcement.protections.iter().filter_map(waived).collect();
    if opened.is_empty() { String::new() } else { format!(" but for the {}", opened.join(", ")) }
}

/// What a program was refused that ended by itself: nothing else in the line tells of it.
fn refused(result: &ExecutionResult) -> Option<String> {
    if needs_explaining(result.status) || result.violations.is_empty() {
        return None;
    }
    let one = |violation: &Violation| match violation.kind {
        ViolationKind::Processes if violation.count == 1 => "a new process".to_string(),
        ViolationKind::Processes => format!("new processes {} times", violation.count),
        _ if violation.count == 1 => one_line(&violation.what).to_string(),
        _ => format!("{} {} times", one_line(&violation.what), violation.count),
    };
    let all: Vec<String> = result.violations.iter().map(one).collect();
    Some(format!("refused: {}", all.join(", ")))
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

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::{Enforcement, OutputCounts, Usage};

    fn result(change: impl FnOnce(&mut ExecutionResult)) -> String {
        let mut enforcement = Enforcement::new("native");
        for protection in Protection::ALL {
            enforcement.record(protection, ProtectionState::Enforced("a test".into()));
        }
        let mut result = ExecutionResult {
            run_id: String::new(),
            language: "python".into(),
            status: Status::Success,
            stdout: String::new(),
            stderr: String::new(),
            stdout_base64: None,
            stderr_base64: None,
            exit_code: Some(0),
            signal: None,
            duration: 0.1,
            usage: Usage::default(),
            truncated: false,
            output: OutputCounts::default(),
            compile: None,
            enforcement,
            violations: Vec::new(),
            artifacts: Vec::new(),
            skipped_artifacts: Vec::new(),
            error_message: None,
        };
        change(&mut result);
        anstream::adapter::strip_str(&line(&result)).to_string()
    }

    #[test]
    fn a_protection_that_was_waived_is_said_with_the_level() {
        assert!(result(|_| {}).ends_with("[0.100 s, full (native)]"), "{}", result(|_| {}));
        let line = result(|result| {
            result.enforcement.record(Protection::Network, ProtectionState::Waived("network host".into()));
        });
        assert!(line.contains(" but for the network (native)]"), "{line}");
    }

    #[test]
    fn what_a_program_was_refused_that_ended_well_is_said() {
        let violation = |kind, what: &str, count| Violation { kind, what: what.into(), count };
        let line = result(|result| {
            result.violations = vec![
                violation(ViolationKind::Processes, "processes", 37),
                violation(ViolationKind::SystemCall, "mount", 1),
            ];
        });
        assert!(line.contains(", refused: new processes 37 times, mount]"), "{line}");
    }
}
