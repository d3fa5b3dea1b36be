//! Runs of the agent, for people.

use crate::terminal::{self, BAD, CAUTION, FAINT, GOOD, HEADING, printable};
use formicary_platform::agent::{AgentDone, Ending, KeptRun, Progress, RunView, headline};
use std::fmt::Write as _;
use std::io::Write as _;

/// Lines of a diff that are shown.
const MOST_LINES: usize = 200;

/// A line on stderr about what happens.
pub fn progress(progress: &Progress) {
    let line = match progress {
        Progress::Asking(step) => format!("{FAINT}step {step}: asking the model{FAINT:#}"),
        Progress::Retrying(why, seconds) => {
            format!("{CAUTION}asking again in {seconds:.1} s:{CAUTION:#} {}", printable(why))
        }
        Progress::Answered(what) => format!("  {}", printable(what)),
        Progress::Tool(name, what) => {
            format!("  {HEADING}{}{HEADING:#} {}", printable(name), printable(what))
        }
        Progress::Running(what) => format!("  {FAINT}running {}{FAINT:#}", printable(what)),
        Progress::Ran(how) => format!("  {FAINT}→ {}{FAINT:#}", printable(how)),
        Progress::Fixing => format!("  {FAINT}trying to mend it without the model{FAINT:#}"),
        Progress::Judged(true, by) => format!("  {GOOD}accepted{GOOD:#} by {}", printable(by)),
        Progress::Judged(false, why) => format!("  {BAD}not accepted:{BAD:#} {}", printable(why)),
    };
    // A stderr that is gone changes nothing.
    let _ = writeln!(terminal::stderr(), "{line}");
}

/// A question of the model's.
pub fn question(question: &str) {
    let _ = write!(terminal::stderr(), "{CAUTION}the model asks:{CAUTION:#} {}\n> ", printable(question));
}

fn ending(ending: Ending) -> String {
    let style = if ending == Ending::Solved { GOOD } else { BAD };
    format!("{style}{}{style:#}", ending.word())
}

/// What came of a run.
pub fn report(done: &AgentDone, written: &[String]) -> String {
    let outcome = &done.outcome;
    let mut text = String::new();
    let _ = writeln!(text, "{}: {}", ending(outcome.ending), printable(&outcome.reason));
    for line in outcome.diff.lines().take(MOST_LINES) {
        let style = match line.chars().next() {
            Some('+') => GOOD,
            Some('-') => BAD,
            _ => FAINT,
        };
        let _ = writeln!(text, "{style}{}{style:#}", printable(line));
    }
    if outcome.diff.lines().count() > MOST_LINES {
        let _ =
            writeln!(text, "{FAINT}… the rest is in {}{FAINT:#}", done.folder.join("outcome.json").display());
    }
    for finding in outcome.findings.iter().take(5) {
        let place = format!("{}:{}", finding.file, finding.span.start_line);
        let _ = writeln!(
            text,
            "{CAUTION}review:{CAUTION:#} {} {}",
            printable(&place),
            printable(&finding.message)
        );
    }
    for note in &outcome.notes {
        let _ = writeln!(text, "{CAUTION}note:{CAUTION:#} {}", printable(note));
    }
    for path in written {
        let _ = writeln!(text, "written: {}", printable(path));
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
    let mut text = format!("{HEADING}{}{HEADING:#} {}\n", view.order.id, printable(&view.order.model));
    for record in &view.records {
        let _ = writeln!(
            text,
            "{FAINT}{:>8.1} s{FAINT:#} {:<8} {}",
            record.elapsed,
            printable(&record.kind),
            printable(&headline(record))
        );
    }
    match &view.outcome {
        Some(outcome) => {
            let _ = writeln!(text, "{}: {}", ending(outcome.ending), printable(&outcome.reason));
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
            printable(&run.model),
            printable(&run.task)
        );
    }
    text
}
