//! Matches, changes and symbols for people.

use super::table::Table;
use crate::terminal::{BAD, CAUTION, FAINT, GOOD, HEADING};
use formicary_model::patterns::{
    Call, Dependency, LeftAlone, Match, NearestMiss, RefactorReport, Reference, RewriteReport,
    RuleTestReport, SearchReport, SkippedFile, Symbol, UndoReport,
};
use formicary_model::review::Span;
use formicary_model::visible::one_line;
use formicary_platform::review::counted;
use std::fmt::Write as _;

/// The matches with their lines.
pub fn matches(report: &SearchReport, most: Option<usize>) -> String {
    let mut text = String::new();
    let shown = most.unwrap_or(usize::MAX);
    for found in report.matches.iter().take(shown) {
        text.push_str(&one_match(found));
    }
    let hidden = report.matches.len().saturating_sub(shown);
    if hidden > 0 {
        let _ = writeln!(text, "{FAINT}{hidden} more{FAINT:#}");
    }
    text.push_str(&skipped(&report.skipped));
    for miss in report.nearest.iter().take(3) {
        text.push_str(&nearest(miss));
    }
    let count = report.matches.len();
    let _ = writeln!(
        text,
        "{FAINT}{} in {} searched{FAINT:#}",
        counted(count, "match"),
        counted(report.files, "file")
    );
    text
}

fn one_match(found: &Match) -> String {
    let mut text = place(&found.file, found.span);
    if !found.rule.is_empty() {
        let message =
            if found.message.is_empty() { String::new() } else { format!(": {}", one_line(&found.message)) };
        let _ = write!(text, " {CAUTION}{}{CAUTION:#} {}{message}", found.severity, one_line(&found.rule));
    }
    text.push('\n');
    let lines: Vec<&str> = found.text.lines().collect();
    for (number, line) in lines.iter().take(8).enumerate() {
        let at = found.span.start_line as usize + number;
        let _ = writeln!(text, "{FAINT}{at:>5} |{FAINT:#} {}", one_line(&line.replace('\t', "    ")));
    }
    if lines.len() > 8 {
        let _ = writeln!(text, "{FAINT}      | … {} more lines{FAINT:#}", lines.len() - 8);
    }
    text
}

fn place(file: &str, span: Span) -> String {
    format!("{HEADING}{}{HEADING:#}:{}:{}", one_line(file), span.start_line, span.start_column)
}

fn skipped(files: &[SkippedFile]) -> String {
    let line =
        |file: &SkippedFile| format!("{FAINT}{}: {}{FAINT:#}\n", one_line(&file.file), one_line(&file.why));
    files.iter().map(line).collect()
}

fn nearest(miss: &NearestMiss) -> String {
    let mut text = format!(
        "{CAUTION}why not ({}):{CAUTION:#} {}\n  the pattern reads as {}\n",
        miss.language.name(),
        one_line(&miss.why),
        one_line(&miss.read_as)
    );
    if let (Some(file), Some(span)) = (&miss.file, miss.span) {
        let [matched, all] = miss.matched;
        let _ = writeln!(text, "  nearest at {}, {matched} of {all} parts match", place(file, span));
    }
    text
}

/// The files that hold a match, each once.
pub fn files(report: &SearchReport) -> String {
    let mut names: Vec<&str> = report.matches.iter().map(|found| found.file.as_str()).collect();
    names.dedup();
    names.iter().map(|name| format!("{}\n", one_line(name))).collect()
}

/// A unified diff in colours; what a file says cannot steer the terminal.
pub fn diff(diff: &str) -> String {
    let mut text = String::new();
    for line in diff.lines() {
        let shown = one_line(&line.trim_end_matches('\r').replace('\t', "    "));
        let _ = match line.bytes().next() {
            _ if line.starts_with("+++") || line.starts_with("---") => {
                writeln!(text, "{HEADING}{shown}{HEADING:#}")
            }
            Some(b'+') => writeln!(text, "{GOOD}{shown}{GOOD:#}"),
            Some(b'-') => writeln!(text, "{BAD}{shown}{BAD:#}"),
            Some(b'@') => writeln!(text, "{FAINT}{shown}{FAINT:#}"),
            _ => writeln!(text, "{shown}"),
        };
    }
    text
}

/// What a rewrite did, or would do.
pub fn rewritten(report: &RewriteReport, shown_already: bool) -> String {
    let mut text = String::new();
    if !report.written && !shown_already {
        report.changes.iter().for_each(|change| text.push_str(&diff(&change.diff)));
    }
    text.push_str(&skipped(&report.skipped));
    text.push_str(&left(&report.left));
    let places: usize = report.changes.iter().map(|change| change.places).sum();
    let overlapping: usize = report.changes.iter().map(|change| change.overlapping).sum();
    let verb = if report.written { "changed" } else { "would change" };
    let _ = write!(text, "{} in {} {verb}", counted(places, "place"), counted(report.changes.len(), "file"));
    if overlapping > 0 {
        let _ = write!(text, "; {overlapping} overlap them: run it again");
    }
    let _ = match &report.undo {
        Some(name) => writeln!(text, "; `formicary rewrite --undo {name}` takes it back"),
        None if report.changes.is_empty() => writeln!(text),
        None => writeln!(text, "; --write writes them"),
    };
    text
}

fn left(files: &[LeftAlone]) -> String {
    let line = |one: &LeftAlone| {
        format!("{CAUTION}left alone:{CAUTION:#} {}: {}\n", one_line(&one.file), one_line(&one.why))
    };
    files.iter().map(line).collect()
}

/// What a refactoring did, or would do.
pub fn refactored(report: &RefactorReport) -> String {
    let mut text = String::new();
    let taken_back = report.verification.as_ref().is_some_and(|verification| verification.rolled_back);
    if !report.written && !taken_back {
        report.changes.iter().for_each(|change| text.push_str(&diff(&change.diff)));
    }
    if let Some(verification) = &report.verification {
        let code = |code: Option<i32>| code.map_or_else(|| "a signal".to_owned(), |code| code.to_string());
        let (before, after) = (code(verification.before), code(verification.after));
        let command = one_line(&verification.command.join(" "));
        let _ = writeln!(text, "{command}: {before} before, {after} after");
        verification.output.lines().for_each(|line| {
            let _ = writeln!(text, "{FAINT}  {}{FAINT:#}", one_line(line));
        });
    }
    let _ = write!(text, "{}", one_line(&report.what));
    let _ = match (&report.undo, taken_back) {
        (_, true) => writeln!(text, ": {BAD}taken back{BAD:#}, because the command newly fails"),
        (Some(name), _) => writeln!(text, "; `formicary rewrite --undo {name}` takes it back"),
        (None, _) => writeln!(text, "; --write writes it"),
    };
    text
}

/// What was taken back.
pub fn undone(report: &UndoReport) -> String {
    let mut text = format!("taken back: {}\n", one_line(&report.what));
    report.restored.iter().for_each(|file| {
        let _ = writeln!(text, "  {}", one_line(file));
    });
    text
}

/// How rule tests ended.
pub fn rule_tests(report: &RuleTestReport) -> String {
    let mut text = String::new();
    for failure in &report.failures {
        let _ = writeln!(text, "{BAD}failed:{BAD:#} {}: {}", one_line(&failure.file), one_line(&failure.why));
    }
    for rule in &report.untested {
        let _ = writeln!(text, "{CAUTION}without a test:{CAUTION:#} {}", one_line(rule));
    }
    let _ =
        writeln!(text, "{} rules, {} cases, {} failed", report.rules, report.cases, report.failures.len());
    text
}

/// Symbols as a table.
pub fn symbols(symbols: &[Symbol]) -> String {
    let mut table = Table::new(&["SYMBOL", "KIND", "PLACE", "REFERENCES"]);
    for symbol in symbols {
        table.row([
            one_line(&symbol.path).into(),
            symbol.kind.word().into(),
            format!("{}:{}", one_line(&symbol.file), symbol.span.start_line).into(),
            symbol.references.to_string().into(),
        ]);
    }
    table.render()
}

/// Where symbols are named.
pub fn references(references: &[Reference]) -> String {
    let mut text = String::new();
    for one in references {
        let within =
            if one.within.is_empty() { String::new() } else { format!(" in {}", one_line(&one.within)) };
        let _ = writeln!(text, "  {}{within}{}", place(&one.file, one.span), sure(one.certain));
    }
    text
}

fn sure(certain: bool) -> &'static str {
    if certain { "" } else { " (by name only)" }
}

/// Calls, one a line.
pub fn calls(calls: &[Call]) -> String {
    let mut text = String::new();
    for call in calls {
        let caller = if call.caller.is_empty() { "(top of the file)" } else { &call.caller };
        let to = call.callee_file.as_deref().map(|file| format!(" ({})", one_line(file))).unwrap_or_default();
        let _ = writeln!(
            text,
            "{} {} → {}{to}{}",
            place(&call.file, call.span),
            one_line(caller),
            one_line(&call.callee),
            sure(call.certain)
        );
    }
    text
}

/// Arrows between files, one a line.
pub fn dependencies(dependencies: &[Dependency]) -> String {
    let mut text = String::new();
    for one in dependencies {
        let outside = if one.internal { "" } else { " (not of this project)" };
        let _ = writeln!(text, "{}:{} → {}{outside}", one_line(&one.from), one.line, one_line(&one.to));
    }
    text
}
