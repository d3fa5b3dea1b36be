//! A review for people: each finding with its code, its reason and its remedy, the figures at the end.

use super::{Display, counted, frame};
use crate::engine::SourceText;
use crate::reviewer::Review;
use anstyle::{AnsiColor, Style};
use formicary_files::Viewpoint;
use formicary_model::review::{Comparator, Finding, GateResult, Grade, ReviewReport, Severity, Standing};
use formicary_model::visible::one_line;
use std::collections::HashMap;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const CAUTION: Style = AnsiColor::Yellow.on_default().bold();
const BLUE: Style = AnsiColor::Cyan.on_default().bold();
/// Notes beyond this many are counted only.
const NOTES: usize = 20;
const HOT_SPOTS: usize = 5;

/// The whole report.
pub fn write(review: &Review, display: &Display) -> String {
    let report = &review.report;
    let texts: HashMap<&str, &SourceText> = review.sources.iter().map(|s| (s.path.as_str(), s)).collect();
    let shown: Vec<&Finding> = report.open_findings().filter(|finding| display.shows(finding)).collect();
    let most = display.most.unwrap_or(usize::MAX);
    let mut text = String::new();
    for finding in shown.iter().take(most) {
        let source = texts.get(finding.file.as_str()).map(|source| &*source.text);
        one(finding, source, &display.viewpoint, &mut text);
    }
    if shown.len() > most {
        text.push_str(&format!("{FAINT}… and {} more findings{FAINT:#}\n\n", shown.len() - most));
    }
    notes(report, &display.viewpoint, &mut text);
    summary(report, &shown, &display.viewpoint, &mut text);
    text
}

/// A file as it is opened from where the reader stands.
fn opened(viewpoint: &Viewpoint, file: &str) -> String {
    one_line(&viewpoint.path(file))
}

fn one(finding: &Finding, source: Option<&str>, viewpoint: &Viewpoint, text: &mut String) {
    let style = style(finding.severity);
    let standing = match finding.standing {
        Standing::New => " new",
        Standing::Worse => " worse",
        Standing::Unchanged => " known",
        Standing::Unknown => "",
    };
    let cwe = finding.cwe.map(|number| format!(" CWE-{number}")).unwrap_or_default();
    text.push_str(&format!(
        "{style}{}{style:#}{BOLD} {}{BOLD:#} {}{FAINT}{cwe}{standing}{FAINT:#}\n",
        finding.severity,
        one_line(&finding.rule),
        one_line(&finding.message)
    ));
    let span = &finding.span;
    text.push_str(&format!(
        "  {FAINT}-->{FAINT:#} {}:{}:{}\n",
        opened(viewpoint, &finding.file),
        span.start_line,
        span.start_column
    ));
    if let Some(source) = source {
        text.push_str(&frame::frame(source, span, style));
    }
    for step in finding.path.iter().chain(&finding.related) {
        text.push_str(&format!(
            "  {FAINT}via{FAINT:#} {}:{}: {}\n",
            opened(viewpoint, &step.file),
            step.span.start_line,
            one_line(&step.message)
        ));
    }
    for (word, line) in [("why", &finding.why), ("help", &finding.suggestion)] {
        if !line.is_empty() {
            text.push_str(&format!("  {FAINT}{word}:{FAINT:#} {}\n", one_line(line)));
        }
    }
    if let Some(fix) = &finding.fix {
        let flag =
            if fix.safety == formicary_model::review::FixSafety::Safe { "--fix" } else { "--fix --unsafe" };
        text.push_str(&format!("  {GOOD}fix:{GOOD:#} {} ({flag})\n", one_line(&fix.description)));
    }
    text.push('\n');
}

fn notes(report: &ReviewReport, viewpoint: &Viewpoint, text: &mut String) {
    for note in report.notes.iter().take(NOTES) {
        let place = match (&note.file, note.line) {
            (Some(file), Some(line)) => format!("{}:{line}: ", opened(viewpoint, file)),
            (Some(file), None) => format!("{}: ", opened(viewpoint, file)),
            _ => String::new(),
        };
        text.push_str(&format!("{CAUTION}note:{CAUTION:#} {place}{}\n", one_line(&note.message)));
    }
    if report.notes.len() > NOTES {
        text.push_str(&format!("{FAINT}… and {} more notes{FAINT:#}\n", report.notes.len() - NOTES));
    }
}

fn summary(report: &ReviewReport, shown: &[&Finding], viewpoint: &Viewpoint, text: &mut String) {
    let project = &report.project;
    let excluded = match report.excluded_files {
        0 => String::new(),
        count => format!(", {count} left out by the configuration"),
    };
    text.push_str(&format!(
        "{BOLD}{}{BOLD:#}, {} of code, {}{excluded}\n",
        counted(project.files, "file"),
        counted(project.lines.source, "line"),
        counted(project.functions, "function")
    ));
    let counts: Vec<String> = Severity::ALL
        .iter()
        .rev()
        .map(|severity| (severity, shown.iter().filter(|finding| finding.severity == *severity).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(severity, count)| format!("{0}{count} {severity}{0:#}", style(*severity)))
        .collect();
    let allowed = report.findings.len() - report.open_findings().count();
    let allowed = if allowed > 0 { format!(" {FAINT}({allowed} allowed){FAINT:#}") } else { String::new() };
    let counts = if counts.is_empty() { format!("{GOOD}no findings{GOOD:#}") } else { counts.join(", ") };
    text.push_str(&format!("{counts}{allowed}\n"));
    score(report, viewpoint, text);
    change(report, viewpoint, text);
    if let Some(gate) = &report.gate {
        // What is met needs no line here; `gate` tells it.
        let failed = gate.checks.iter().filter(|check| !check.passed).cloned().collect();
        text.push_str(&gate_lines(&GateResult { passed: gate.passed, checks: failed }));
    }
}

fn score(report: &ReviewReport, viewpoint: &Viewpoint, text: &mut String) {
    let score = &report.score;
    let style = grade_style(score.grade);
    let trend = report
        .history
        .last()
        .map(|last| format!(" {FAINT}({:+.1} since the last){FAINT:#}", score.total - last.score));
    text.push_str(&format!(
        "score {style}{:.1} {}{style:#}{}",
        score.total,
        score.grade,
        trend.unwrap_or_default()
    ));
    let low: Vec<String> = score
        .categories
        .iter()
        .filter(|category| category.score < 100.0)
        .map(|category| format!("{} {:.0} {}", category.category, category.score, category.grade))
        .collect();
    if !low.is_empty() {
        text.push_str(&format!(": {}", low.join(", ")));
    }
    text.push('\n');
    for spot in score.hot_spots.iter().take(HOT_SPOTS) {
        let symbol =
            spot.symbol.as_deref().map(|symbol| format!(" {}", one_line(symbol))).unwrap_or_default();
        let file = opened(viewpoint, &spot.file);
        text.push_str(&format!(
            "  {FAINT}hot:{FAINT:#} {file}:{}{symbol} ({})\n",
            spot.line,
            one_line(&spot.reason)
        ));
    }
}

fn change(report: &ReviewReport, viewpoint: &Viewpoint, text: &mut String) {
    let Some(change) = &report.change else { return };
    text.push_str(&format!(
        "{BOLD}change{BOLD:#} ({}): {} in {}; {}, {} fixed\n",
        one_line(&change.compared),
        counted(change.changed_lines, "line"),
        counted(change.changed_files, "file"),
        counted(change.new_findings, "new finding"),
        change.fixed_findings
    ));
    for gaming in &change.gaming {
        let line = gaming.line.map(|line| format!(":{line}")).unwrap_or_default();
        text.push_str(&format!(
            "  {CAUTION}look:{CAUTION:#} {}{line}: {}\n",
            opened(viewpoint, &gaming.file),
            one_line(&gaming.message)
        ));
    }
}

/// The gates, one a line.
pub fn gate_lines(gate: &GateResult) -> String {
    let mut text = String::new();
    for check in &gate.checks {
        let (style, word) = if check.passed { (GOOD, "pass") } else { (BAD, "FAIL") };
        let side = match check.comparator {
            Comparator::AtMost => "at most",
            Comparator::AtLeast => "at least",
        };
        let path = check.path.as_deref().map(|path| format!(" in {}", one_line(path))).unwrap_or_default();
        let place = check.place.as_deref().map(|place| format!(" ({})", one_line(place))).unwrap_or_default();
        let actual = if check.actual >= f64::MAX { "none".into() } else { number(check.actual) };
        text.push_str(&format!(
            "{style}{word}{style:#} {}{path}: {actual}, {side} {}{FAINT}{place}{FAINT:#}\n",
            check.metric,
            number(check.threshold)
        ));
    }
    let (style, word) = if gate.passed { (GOOD, "gate passed") } else { (BAD, "gate failed") };
    text.push_str(&format!("{style}{word}{style:#}\n"));
    text
}

fn number(value: f64) -> String {
    // A sum of nothing is minus nought.
    let value = value + 0.0;
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

fn style(severity: Severity) -> Style {
    match severity {
        Severity::Critical | Severity::High => BAD,
        Severity::Medium => CAUTION,
        Severity::Low | Severity::Info => BLUE,
    }
}

fn grade_style(grade: Grade) -> Style {
    match grade {
        Grade::A | Grade::B => GOOD,
        Grade::C => CAUTION,
        Grade::D | Grade::F => BAD,
    }
}
