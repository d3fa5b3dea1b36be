//! Markdown for a comment on a pull request: short, the worst first, found again by its first line.

use super::{Display, decimal};
use formicary_model::review::{Comparator, Finding, ReviewReport, Severity};
use formicary_model::visible::one_line;

/// The first line, by which a bot finds the comment that it wrote before.
const MARK: &str = "<!-- formicary review -->";
/// More findings than this are counted only.
const MOST: usize = 30;

/// The comment.
pub fn write(report: &ReviewReport, display: &Display) -> String {
    let mut shown: Vec<&Finding> = report.open_findings().filter(|finding| display.shows(finding)).collect();
    if report.change.is_some() {
        shown.retain(|finding| finding.standing.is_blamed());
    }
    shown.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let score = &report.score;
    let verdict = match report.gate.as_ref().map(|gate| gate.passed) {
        Some(true) => "gate passed",
        Some(false) => "**gate failed**",
        None => "no gate",
    };
    let mut text = format!("{MARK}\n## Review: {:.1} {} ({verdict})\n\n", score.total, score.grade);
    if let Some(change) = &report.change {
        text.push_str(&format!(
            "{} lines in {} files changed; {} new findings, {} mended.\n\n",
            change.changed_lines, change.changed_files, change.new_findings, change.fixed_findings
        ));
        for gaming in &change.gaming {
            text.push_str(&format!("- ⚠ {} {}\n", code(&gaming.file), plain(&gaming.message)));
        }
        if !change.gaming.is_empty() {
            text.push('\n');
        }
    }
    if let Some(gate) = report.gate.as_ref().filter(|gate| !gate.passed) {
        text.push_str("| gate | is | must be | where |\n|---|---|---|---|\n");
        for check in gate.checks.iter().filter(|check| !check.passed) {
            let side = if check.comparator == Comparator::AtMost { "at most" } else { "at least" };
            text.push_str(&format!(
                "| {} | {} | {side} {} | {} |\n",
                plain(&check.metric),
                decimal(check.actual),
                check.threshold,
                plain(check.place.as_deref().unwrap_or_default())
            ));
        }
        text.push('\n');
    }
    if shown.is_empty() {
        text.push_str("No findings.\n");
        return text;
    }
    text.push_str("| | rule | where | what |\n|---|---|---|---|\n");
    for finding in shown.iter().take(MOST) {
        text.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            word(finding.severity),
            plain(&finding.rule),
            code(&format!("{}:{}", finding.file, finding.span.start_line)),
            plain(&finding.message)
        ));
    }
    if shown.len() > MOST {
        text.push_str(&format!("\n… and {} more.\n", shown.len() - MOST));
    }
    text
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "🟥 critical",
        Severity::High => "🟥 high",
        Severity::Medium => "🟧 medium",
        Severity::Low => "🟦 low",
        Severity::Info => "⬜ info",
    }
}

// Text that makes no table, no link, no mention and no HTML.
fn plain(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in one_line(&text.replace(['\n', '\r', '\t'], " ")).chars() {
        match character {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '@' => safe.push_str("&#64;"),
            '|' | '`' | '*' | '_' | '[' | ']' | '\\' | '#' | '!' => {
                safe.push('\\');
                safe.push(character);
            }
            other => safe.push(other),
        }
    }
    safe
}

fn code(text: &str) -> String {
    format!("`{}`", one_line(&text.replace(['`', '\n', '|'], "\u{fffd}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_stays_in_its_cell() {
        assert_eq!(plain("a|b\n<img> @you [x](y)"), "a\\|b &lt;img&gt; &#64;you \\[x\\](y)");
        assert_eq!(code("a`b|c"), "`a\u{fffd}b\u{fffd}c`");
    }
}
