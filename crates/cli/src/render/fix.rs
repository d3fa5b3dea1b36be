//! What was mended, for people; a line on the way.

use super::diagnosis;
use crate::terminal::{self, BAD, CAUTION, FAINT, GOOD, HEADING};
use formicary_model::visible::one_line;
use formicary_model::{Event, FixReport, FixStatus, Observer, RankedPatch};
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
pub fn report(report: &FixReport, shown: Shown) -> String {
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
            let _ = writeln!(text, "{GOOD}nothing wrong{GOOD:#}: it passes as it is");
            notes(&mut text, &report.notes);
            return text;
        }
        FixStatus::Fixed => {
            let weak = report.patches.first().is_some_and(|patch| !patch.evidence.is_strong());
            match weak {
                true => {
                    let _ = writeln!(text, "{GOOD}fixed{GOOD:#}, {CAUTION}with a caveat{CAUTION:#}");
                }
                false => {
                    let _ = writeln!(text, "{GOOD}fixed{GOOD:#}");
                }
            }
        }
        FixStatus::Suggested => {
            let _ = writeln!(text, "{CAUTION}suggested{CAUTION:#}, not verified: candidates by rule");
        }
        FixStatus::NotFixed => {
            let _ = writeln!(text, "{BAD}not fixed{BAD:#}: no patch that passes was found");
        }
    }
    for patch in &report.patches {
        text.push_str(&proposed(patch));
    }
    for missing in report.missing.iter().filter(|missing| missing.installed) {
        let _ = writeln!(text, "installed for these runs: {}", one_line(&missing.package));
    }
    if report.patches.is_empty() && !report.suspects.is_empty() {
        let _ = writeln!(text, "{HEADING}most suspicious{HEADING:#}");
        for suspect in report.suspects.iter().take(5) {
            let path = one_line(&suspect.path);
            let _ = writeln!(text, "  {path}:{}  {:.2}  {}", suspect.line, suspect.ochiai, suspect.reason);
        }
    }
    notes(&mut text, &report.notes);
    for path in &report.written {
        let _ = writeln!(text, "written: {}", one_line(path));
    }
    if let Some(name) = &report.undo {
        let _ = writeln!(text, "`formicary rewrite --undo {}` takes it back", one_line(name));
    }
    if let Some(model) = &report.model {
        let _ = writeln!(
            text,
            "{FAINT}{} was asked {} times: {} tokens read, {} written{FAINT:#}",
            one_line(&model.name),
            model.requests,
            model.input_tokens,
            model.output_tokens
        );
    }
    // Without tests candidates are proposed, not judged: there is no rate to speak of.
    let rate = match report.candidates_per_second {
        rate if rate > 0.0 => format!(" {rate:.0} per second,"),
        _ => String::new(),
    };
    let _ = writeln!(
        text,
        "{FAINT}{} candidates,{rate} {:.1} s in total{FAINT:#}",
        report.candidates, report.seconds
    );
    text
}

fn notes(text: &mut String, notes: &[String]) {
    for note in notes {
        let _ = writeln!(text, "{CAUTION}note:{CAUTION:#} {}", one_line(note));
    }
}

fn proposed(patch: &RankedPatch) -> String {
    let mut text = String::new();
    let origin = one_line(&patch.origin);
    let _ = writeln!(
        text,
        "\n{HEADING}{}.{HEADING:#} {} {FAINT}({origin}){FAINT:#}",
        patch.rank,
        one_line(&patch.explanation)
    );
    if patch.rank == 1 {
        for line in patch.diff.lines() {
            let style = match line.chars().next() {
                Some('+') => GOOD,
                Some('-') => BAD,
                _ => FAINT,
            };
            let _ = writeln!(text, "{style}{}{style:#}", one_line(&line.replace('\t', "    ")));
        }
    }
    for caveat in &patch.caveats {
        let _ = writeln!(text, "{CAUTION}caveat:{CAUTION:#} {}", one_line(caveat));
    }
    if let Some(verification) = &patch.verification {
        for regression in &verification.regressions {
            let _ = writeln!(text, "{CAUTION}look:{CAUTION:#} {}", one_line(regression));
        }
    }
    text
}

/// A line about what happens.
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

    /// Takes it away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Observer for Progress {
    fn event(&self, _: &Event) {}

    fn progress(&self, progress: &formicary_model::Progress) {
        let what = one_line(&progress.what);
        let counted = if progress.done > 0 { format!(": {}", progress.done) } else { String::new() };
        self.0.set_message(format!("{what}{counted}"));
        self.0.tick();
    }
}
