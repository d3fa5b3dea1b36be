//! Verdicts for people: a table for each program, the figures at the end, a bar on the way.

use super::table::{Cell, Table};
use crate::terminal::{self, BAD, CAUTION, FAINT, GOOD, HEADING};
use anstyle::Style;
use formicary_model::visible::one_line;
use formicary_model::{CaseResult, JudgeResult, JudgeSummary, NotJudged, Verdict};
use formicary_platform::config::units::show_bytes;
use formicary_platform::judging::Tally;
use formicary_platform::review::counted;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// One program: its verdict, and each of its cases.
pub fn table(result: &JudgeResult) -> String {
    let name = one_line(&result.id);
    let mut text = match (&result.verdict, &result.error) {
        (Some(verdict), _) => {
            let style = style(*verdict);
            let count = if *verdict == Verdict::CompileError {
                String::new()
            } else {
                format!(" {FAINT}({} of {} cases){FAINT:#}", result.passed, result.total)
            };
            format!("{HEADING}{name}{HEADING:#}: {style}{verdict}{style:#}{count}\n")
        }
        (None, error) => {
            let why = error.as_ref().map(|error| one_line(&error.message)).unwrap_or_default();
            let hint = hint(error.as_ref().and_then(|error| error.hint.as_deref()));
            return format!("{HEADING}{name}{HEADING:#}: {BAD}not judged:{BAD:#} {why}{hint}\n");
        }
    };
    if let Some(compile) = result.compile.as_ref().filter(|_| result.verdict == Some(Verdict::CompileError)) {
        for line in compile.stderr.lines().chain(compile.stdout.lines()).take(20) {
            text.push_str(&format!("  {}\n", one_line(line)));
        }
    }
    if !result.cases.is_empty() {
        let mut table = Table::new(&["CASE", "VERDICT", "TIME", "MEMORY", ""]);
        for case in &result.cases {
            table.row(row(case));
        }
        text.push_str(&table.render());
    }
    text
}

fn row(case: &CaseResult) -> [Cell; 5] {
    [
        case.name.clone().into(),
        Cell::styled(case.verdict.word(), style(case.verdict)),
        format!("{:.3} s", case.duration).into(),
        case.usage.memory_peak.map(|bytes| show_bytes(bytes as f64)).unwrap_or_default().into(),
        case.message.clone().unwrap_or_default().into(),
    ]
}

/// Why lines could not be judged: what the results themselves say is in a file, or too much to read.
pub fn not_judged(summary: &JudgeSummary) -> String {
    let show = |one: &NotJudged| {
        format!(
            "{BAD}not judged:{BAD:#} {} × {} {FAINT}(first: line {}){FAINT:#}{}\n",
            one.count,
            one_line(&one.reason),
            one.first_line,
            hint(one.hint.as_deref())
        )
    };
    summary.not_judged.iter().map(show).collect()
}

fn hint(hint: Option<&str>) -> String {
    hint.map(|hint| format!("\n  {CAUTION}hint:{CAUTION:#} {}", one_line(hint))).unwrap_or_default()
}

/// The figures.
pub fn summary(summary: &JudgeSummary) -> String {
    let mut parts = Vec::new();
    for (verdict, count) in &summary.verdicts {
        let style = style(*verdict);
        parts.push(format!("{style}{count} {verdict}{style:#}"));
    }
    if summary.errors > 0 {
        parts.push(format!("{BAD}{} not judged{BAD:#}", summary.errors));
    }
    let mut text = format!(
        "{HEADING}{} judged{HEADING:#}: {}\n",
        summary.items,
        if parts.is_empty() { "nothing".to_string() } else { parts.join(", ") }
    );
    let resumed =
        if summary.resumed > 0 { format!("; {} of an earlier run", summary.resumed) } else { String::new() };
    text.push_str(&format!(
        "{FAINT}{} in all, {:.1} s, {:.1} programs/s, {:.1} cases/s{resumed}{FAINT:#}\n",
        counted(summary.cases, "case"),
        summary.seconds,
        summary.items_per_second,
        summary.cases_per_second
    ));
    if !summary.pass_at.is_empty() {
        let estimates = summary.pass_at.iter().map(|(k, chance)| format!("pass@{k} {:.4}", chance));
        let estimates: Vec<String> = estimates.collect();
        text.push_str(&format!("{} over {} groups\n", estimates.join(", "), summary.groups));
    }
    text
}

fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Accepted => GOOD,
        Verdict::PresentationError => CAUTION,
        _ => BAD,
    }
}

/// A bar on stderr, where a person looks on.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// A bar for this many programs; for an unknown number, a sign of life with counts.
    pub fn new(total: Option<u64>, quiet: bool) -> Self {
        if quiet || !terminal::stderr_is_terminal() {
            return Self(None);
        }
        let (bar, template) = match total {
            Some(total) => {
                (ProgressBar::new(total), "{bar:30} {pos}/{len} judged, {msg} [{elapsed}, {eta} left]")
            }
            None => (ProgressBar::new_spinner(), "{spinner} {pos} judged, {msg} [{elapsed}]"),
        };
        bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(8));
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message("0 accepted");
        bar.enable_steady_tick(Duration::from_millis(250));
        Self(Some(bar))
    }

    /// Counts as they are now.
    pub fn show(&self, tally: &Tally) {
        if let Some(bar) = &self.0 {
            bar.set_position(tally.items());
            bar.set_message(format!("{} accepted, {:.1}/s", tally.accepted(), bar.per_sec()));
        }
    }

    /// Does something while the bar is out of the way.
    pub fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(bar) => bar.suspend(work),
            None => work(),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_shown_with_their_count_and_hint() {
        let reason = NotJudged {
            reason: "no tests\u{1b}[2J".into(),
            hint: Some("give them".into()),
            count: 492,
            first_line: 3,
        };
        let text = not_judged(&JudgeSummary { not_judged: vec![reason], ..JudgeSummary::default() });
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert!(plain.starts_with("not judged: 492 × no tests"), "{plain}");
        assert!(plain.contains("(first: line 3)\n  hint: give them\n"), "{plain}");
        assert!(!text.contains("\u{1b}[2J"), "{text:?}");
        assert_eq!(not_judged(&JudgeSummary::default()), "");
    }
}
