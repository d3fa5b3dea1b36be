//! What was mended, for people; a line on the way.

use super::diagnosis;
use crate::terminal::{self, BAD, CAUTION, FAINT, GOOD, HEADING, printable};
use formicary_model::{FixStatus, RankedPatch};
use formicary_platform::debugging::{FixDone, Step};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Write as _;

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// What mends it; where nothing does, why it fails.
    Patches,
    /// Why it fails first.
    Everything,
}

/// The report.
pub fn report(done: &FixDone, shown: Shown) -> String {
    let report = &done.report;
    let mut text = String::new();
    let told = report.diagnosis.as_ref().filter(|diagnosis| !diagnosis.errors.is_empty());
    if let Some(diagnosis) =
        told.filter(|_| shown == Shown::Everything || report.status == FixStatus::NotFixed)
    {
        text.push_str(&diagnosis::text(diagnosis));
        text.push('\n');
    }
    match report.status {
        FixStatus::NothingWrong => {
            let _ = writeln!(text, "{GOOD}nothing wrong{GOOD:#}: the tests pass as the program is");
            return text;
        }
        FixStatus::Fixed => {
            let _ = writeln!(text, "{GOOD}fixed{GOOD:#}");
        }
        FixStatus::NotFixed => {
            let _ = writeln!(text, "{BAD}not fixed{BAD:#}: no patch that passes was found");
        }
    }
    for patch in &report.patches {
        text.push_str(&proposed(patch));
    }
    for missing in report.missing.iter().filter(|missing| missing.installed) {
        let _ = writeln!(text, "installed for these runs: {}", printable(&missing.package));
    }
    if report.patches.is_empty() && !report.suspects.is_empty() {
        let _ = writeln!(text, "{HEADING}most suspicious{HEADING:#}");
        for suspect in report.suspects.iter().take(5) {
            let path = printable(&suspect.path);
            let _ = writeln!(text, "  {path}:{}  {:.2}  {}", suspect.line, suspect.ochiai, suspect.reason);
        }
    }
    for note in &report.notes {
        let _ = writeln!(text, "{CAUTION}note:{CAUTION:#} {}", printable(note));
    }
    for path in &done.written {
        let _ = writeln!(text, "written: {}", printable(&path.display().to_string()));
    }
    if let Some(model) = &report.model {
        let _ = writeln!(
            text,
            "{FAINT}{} was asked {} times: {} tokens read, {} written{FAINT:#}",
            printable(&model.name),
            model.requests,
            model.input_tokens,
            model.output_tokens
        );
    }
    let _ = writeln!(
        text,
        "{FAINT}{} candidates, {:.0} a second, {:.1} s in all{FAINT:#}",
        report.candidates, report.candidates_per_second, report.seconds
    );
    text
}

fn proposed(patch: &RankedPatch) -> String {
    let mut text = String::new();
    let origin = printable(&patch.origin);
    let _ = writeln!(
        text,
        "\n{HEADING}{}.{HEADING:#} {} {FAINT}({origin}){FAINT:#}",
        patch.rank,
        printable(&patch.explanation)
    );
    if patch.rank == 1 {
        for line in patch.diff.lines() {
            let style = match line.chars().next() {
                Some('+') => GOOD,
                Some('-') => BAD,
                _ => FAINT,
            };
            let _ = writeln!(text, "{style}{}{style:#}", printable(&line.replace('\t', "    ")));
        }
    }
    if let Some(verification) = &patch.verification {
        for regression in &verification.regressions {
            let _ = writeln!(text, "{CAUTION}look:{CAUTION:#} {}", printable(regression));
        }
    }
    text
}

/// A line that tells what goes on.
pub struct Progress(ProgressBar);

impl Progress {
    /// Shown where a person looks on and did not ask for quiet.
    pub fn new(hidden: bool) -> Self {
        let hidden = hidden || !terminal::stderr_is_terminal();
        let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Shows a step.
    pub fn show(&self, step: &Step) {
        self.0.set_message(match step {
            Step::Testing => "running the tests".to_owned(),
            Step::Localising => "looking for the lines to blame".to_owned(),
            Step::Searching(judged, passed) => format!("{judged} candidates judged, {passed} pass"),
            Step::Verifying(what) => format!("verifying: {}", printable(what)),
            Step::Asking(model, round) => format!("asking {}, round {round}", printable(model)),
            Step::Installing(package) => format!("installing {}", printable(package)),
        });
        self.0.tick();
    }

    /// Takes it away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
