//! Looking into a program at breakpoints: what is told of it, bounded and marked as data.

use crate::desk::{Desk, Stop};
use crate::observe::Program;
use crate::redact::{as_data, trimmed};
use formicary_model::agent::AgentStep;
use formicary_model::{
    Breakpoint, Failure, FailureKind, InspectReport, InspectRequest, Source, Stop as Stood,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fmt::Write as _;

const MOST_VARIABLES: usize = 15;
const MOST_FRAMES: usize = 5;
const TOLD: usize = 8_000;

/// What the model wants to see.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// Places, and expressions to evaluate there.
    pub looked_for: InspectRequest,
    /// The file to run; the program's own where it is absent.
    pub file: Option<String>,
    /// Standard input.
    pub stdin: String,
}

/// What was seen, as the transcript keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inspected {
    /// For the model.
    pub told: String,
    /// Whether nothing could be looked at.
    pub failed: bool,
    /// Seconds.
    pub seconds: f64,
}

impl Desk<'_> {
    /// Looks into the program, or remembers what was seen.
    pub fn inspect(&mut self, look: &Look) -> Result<Inspected, Stop> {
        self.go_on_running()?;
        let places: Vec<String> = look.looked_for.breakpoints.iter().map(Breakpoint::place).collect();
        self.tell(AgentStep::Running { text: format!("inspect: {}", places.join(", ")) });
        let mut request = self.request(&Program { stdin: look.stdin.clone(), ..Program::default() });
        if let (Some(file), Source::Files { entry, .. }) = (&look.file, &mut request.source) {
            *entry = Some(file.clone());
            request.language = crate::tree::language_of(file).map(|language| language.id().to_owned());
        }
        let input = json!({
            "breakpoints": look.looked_for.breakpoints,
            "print": look.looked_for.print,
            "file": look.file,
            "tree": self.tree.hash(),
            "stdin": blake3::hash(look.stdin.as_bytes()).to_hex()[..16],
        });
        let world = self.world;
        let seen =
            self.journal.effect("inspect", input, || match (world.inspect)(&request, &look.looked_for) {
                Ok(report) => Ok(Inspected {
                    told: world.redactor.clean(&told(&report)),
                    failed: false,
                    seconds: (report.run.duration * 1e3).round() / 1e3,
                }),
                Err(failure) if is_for_the_model(&failure) => {
                    let hint = failure.hint.map(|hint| format!(" ({hint})")).unwrap_or_default();
                    let told =
                        as_data("refusal", &world.redactor.clean(&format!("{}{hint}", failure.message)));
                    Ok(Inspected { told, failed: true, seconds: 0.0 })
                }
                Err(failure) => Err(failure),
            })?;
        self.spent.runs += 1;
        self.spent.sandbox_seconds += seen.seconds;
        Ok(seen)
    }
}

fn is_for_the_model(failure: &Failure) -> bool {
    matches!(failure.kind, FailureKind::InvalidInput | FailureKind::ToolchainMissing)
}

fn told(report: &InspectReport) -> String {
    let mut text = String::new();
    for (at, stop) in report.stops.iter().enumerate() {
        stood(at + 1, stop, &mut text);
    }
    if report.stops.is_empty() {
        text.push_str("it never stopped at these places\n");
    }
    for line in report.logs.iter().take(20) {
        let _ = writeln!(text, "noted: {}", trimmed(line, 300));
    }
    match report.exit_code {
        Some(code) => {
            let _ = writeln!(text, "it ended with exit code {code}");
        }
        None => text.push_str("it was ended after the last stop\n"),
    }
    if !report.output.trim().is_empty() {
        let _ = writeln!(text, "it wrote: {}", trimmed(report.output.trim_end(), 1_500));
    }
    as_data("debugger", &trimmed(&text, TOLD))
}

fn stood(number: usize, stop: &Stood, text: &mut String) {
    let reason = format!("{:?}", stop.reason).to_lowercase();
    let _ = writeln!(text, "stop {number} ({reason}) {}", trimmed(&stop.text, 300));
    for frame in stop.frames.iter().filter(|frame| frame.own).take(MOST_FRAMES) {
        let place = format!("{}:{}", frame.file.as_deref().unwrap_or("?"), frame.line.unwrap_or_default());
        let _ = writeln!(text, "  at {place} in {}", frame.function.as_deref().unwrap_or("the program"));
    }
    let inner = stop.frames.iter().find(|frame| frame.own);
    for variable in inner.into_iter().flat_map(|frame| &frame.variables).take(MOST_VARIABLES) {
        let _ = writeln!(text, "  {} = {}", variable.name, trimmed(&variable.value, 200));
    }
    for value in &stop.values {
        let given = value.error.as_ref().map_or_else(|| value.value.clone(), |why| format!("error: {why}"));
        let _ = writeln!(text, "  {} → {}", trimmed(&value.expression, 100), trimmed(&given, 400));
    }
}
