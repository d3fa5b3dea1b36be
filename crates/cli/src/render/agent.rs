//! Runs of the agent, for people.

use crate::terminal::{self, BAD, CAUTION, FAINT, GOOD, HEADING};
use formicary_model::AgentStep;
use formicary_model::visible::one_line;
use formicary_platform::agent::{AgentDone, Ending, KeptRun, RunView, headline};
use std::fmt::Write as _;
use std::io::Write as _;

/// Lines of a diff that are shown.
const MOST_LINES: usize = 200;

/// A line on stderr about what happens.
pub fn step(step: &AgentStep) {
    let line = match step {
        AgentStep::Asking { number } => format!("{FAINT}step {number}: asking the model{FAINT:#}"),
        AgentStep::Retrying { why, seconds } => {
            format!("{CAUTION}asking again in {seconds:.1} s:{CAUTION:#} {}", one_line(why))
        }
        AgentStep::Answered { text } => format!("  {}", one_line(text)),
        AgentStep::Tool { tool, text } => {
            format!("  {HEADING}{}{HEADING:#} {}", one_line(tool), one_line(text))
        }
        AgentStep::Running { text } => format!("  {FAINT}running {}{FAINT:#}", one_line(text)),
        AgentStep::Ran { text } => format!("  {FAINT}→ {}{FAINT:#}", one_line(text)),
        AgentStep::Fixing => format!("  {FAINT}trying to repair it without the model{FAINT:#}"),
        AgentStep::Judged { passed: true, text } => {
            format!("  {GOOD}accepted{GOOD:#} by {}", one_line(text))
        }
        AgentStep::Judged { passed: false, text } => {
            format!("  {BAD}not accepted:{BAD:#} {}", one_line(text))
        }
    };
    // A stderr that is gone changes nothing.
    let _ = writeln!(terminal::stderr(), "{line}");
}

/// A question of the model's.
pub fn question(question: &str) {
    let _ = write!(terminal::stderr(), "{CAUTION}the model asks:{CAUTION:#} {}\n> ", one_line(question));
}

fn ending(ending: Ending) -> String {
    let style = if ending == Ending::Solved { GOOD } else { BAD };
    format!("{style}{}{style:#}", ending.word())
}

/// What came of a run.
pub fn report(done: &AgentDone) -> String {
    let outcome = &done.outcome;
    let mut text = String::new();
    let _ = writeln!(text, "{}: {}", ending(outcome.ending), one_line(&outcome.reason));
    for line in outcome.diff.lines().take(MOST_LINES) {
        let style = match line.chars().next() {
            Some('+') => GOOD,
            Some('-') => BAD,
            _ => FAINT,
        };
        let _ = writeln!(text, "{style}{}{style:#}", one_line(line));
    }
    if outcome.diff.lines().count() > MOST_LINES {
        let _ =
            writeln!(text, "{FAINT}… the rest is in {}{FAINT:#}", done.folder.join("outcome.json").display());
    }
    for finding in outcome.findings.iter().take(5) {
        let place = format!("{}:{}", finding.file, finding.span.start_line);
        let _ =
            writeln!(text, "{CAUTION}review:{CAUTION:#} {} {}", one_line(&place), one_line(&finding.message));
    }
    for note in &outcome.notes {
        let _ = writeln!(text, "{CAUTION}note:{CAUTION:#} {}", one_line(note));
    }
    for path in &done.written {
        let _ = writeln!(text, "written: {}", one_line(path));
    }
    let spent = &outcome.spent;
    let money = spent.money.map(|money| format!(", {money:.4} spent")).unwrap_or_default();
    let _ = writeln!(
        text,
        "{FAINT}{} steps, {} not accepted, {} + {} tokens{money}, {} runs, {:.1} s; run {} in {}{FAINT:#}",
        spent.steps,
        spent.attempts,
        spent.input_tokens,
        spent.output_tokens,
        spent.runs,
        spent.seconds,
        outcome.id,
        done.folder.display()
    );
    if outcome.ending == Ending::ModelFailed {
        let _ = writeln!(text, "{FAINT}`formicary agent resume {}` goes on with it{FAINT:#}", outcome.id);
    }
    text
}

/// What a replay gave.
pub fn replayed(done: &AgentDone) -> String {
    let outcome = &done.outcome;
    format!("replayed, step by step the same: {}, tree {}\n", ending(outcome.ending), outcome.tree)
}

/// A run step by step.
pub fn view(view: &RunView) -> String {
    let mut text = format!("{HEADING}{}{HEADING:#} {}\n", view.order.id, one_line(&view.order.model));
    for record in &view.records {
        let _ = writeln!(
            text,
            "{FAINT}{:>8.1} s{FAINT:#} {:<8} {}",
            record.elapsed,
            one_line(&record.kind),
            one_line(&headline(record))
        );
    }
    match &view.outcome {
        Some(outcome) => {
            let _ = writeln!(text, "{}: {}", ending(outcome.ending), one_line(&outcome.reason));
        }
        None => {
            let _ = writeln!(text, "not ended; `formicary agent resume {}` goes on with it", view.order.id);
        }
    }
    let _ = writeln!(text, "{FAINT}{}{FAINT:#}", view.folder.display());
    text
}

/// All runs.
pub fn list(runs: &[KeptRun]) -> String {
    if runs.is_empty() {
        return "no runs yet\n".into();
    }
    let mut text = String::new();
    for run in runs {
        let state = run.ending.map_or_else(|| "not ended".to_owned(), ending);
        let _ = writeln!(
            text,
            "{}  {state}  {FAINT}{}{FAINT:#}  {}",
            run.id,
            one_line(&run.model),
            one_line(&run.task)
        );
    }
    text
}
