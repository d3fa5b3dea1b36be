//! Comments that allow a finding: `formicary: allow(rule) reason`. The reason is part of it; without one it counts not.

use crate::engine::SourceText;
use formicary_model::review::{Finding, Note, NoteKind, Suppression, SuppressionKind};
use formicary_model::suggest;
use std::collections::HashMap;

const MARK: &str = "formicary: allow";
/// Marks of other tools that say "nothing to see on this line".
const FOREIGN: [&str; 6] = ["noqa", "nosec", "NOSONAR", "nolint", "eslint-disable-line", "NOLINT"];
const COMMENTS: [&str; 5] = ["#", "//", "/*", "*", "--"];

/// One comment that allows something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    /// The comment's line.
    pub line: u32,
    /// The line that it speaks of; none for the whole file.
    pub target: Option<u32>,
    /// The rules; empty for all of them (foreign comments only).
    pub rules: Vec<String>,
    /// The reason.
    pub reason: String,
    /// Whose comment.
    pub kind: SuppressionKind,
}

/// Every well-formed allowance of a text; what is not well formed becomes a note.
pub fn allowances(
    source: &SourceText,
    foreign: bool,
    known: &[&str],
    notes: &mut Vec<Note>,
) -> Vec<Allowance> {
    let mut found = Vec::new();
    let speaks_foreign = foreign && FOREIGN.iter().any(|word| source.text.contains(word));
    if !source.text.contains(MARK) && !speaks_foreign {
        return found;
    }
    let lines: Vec<&str> = source.text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        if let Some(at) = line.find(MARK)
            && let Some(before) = comment_before(&line[..at])
        {
            let line_number = index as u32 + 1;
            let mut note = |message: String| {
                let (kind, file) = (NoteKind::Suppression, Some(source.path.clone()));
                notes.push(Note { kind, file, line: Some(line_number), message });
            };
            match parse(&line[at + MARK.len()..]) {
                Ok((whole_file, rules, reason)) => {
                    if let Some(stray) = rules.iter().find(|rule| !known.contains(&rule.as_str())) {
                        let near = suggest::nearest(stray, known.iter().copied());
                        let near = near.map(|near| format!(", did you mean {near}?")).unwrap_or_default();
                        note(format!("allows the unknown rule {stray}{near}"));
                    }
                    let code_after =
                        line[at..].split_once("*/").is_some_and(|(_, code)| !code.trim().is_empty());
                    let own_line = before.trim().is_empty() && !code_after;
                    let target = if own_line { next_code(&lines, index) } else { line_number };
                    let target = (!whole_file).then_some(target);
                    let kind = SuppressionKind::Comment;
                    found.push(Allowance { line: line_number, target, rules, reason, kind });
                }
                Err(why) => note(why.into()),
            }
        } else if speaks_foreign && let Some(allowance) = foreign_comment(line, index as u32 + 1) {
            found.push(allowance);
        }
    }
    found
}

// What stands on the line before the comment's mark; none where there is no comment.
fn comment_before(text: &str) -> Option<&str> {
    let trimmed = text.trim_end();
    let mark = COMMENTS.iter().find(|mark| trimmed.ends_with(**mark))?;
    Some(trimmed.strip_suffix(mark)?.trim_end_matches(['#', '/', '*', '!']))
}

type Parsed = (bool, Vec<String>, String);

fn parse(text: &str) -> Result<Parsed, &'static str> {
    let (whole_file, text) = match text.strip_prefix("-file") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let inner =
        text.strip_prefix('(').ok_or("an allowance names its rule: `formicary: allow(rule) reason`")?;
    let (rules, reason) = inner.split_once(')').ok_or("an allowance's bracket is not closed")?;
    let rules: Vec<String> =
        rules.split(',').map(str::trim).filter(|rule| !rule.is_empty()).map(str::to_owned).collect();
    if rules.is_empty() {
        return Err("an allowance names no rule: it allows nothing");
    }
    let reason = reason.split("*/").next().unwrap_or_default();
    let reason = reason.trim().trim_start_matches([':', '-', '–', '—']).trim();
    if reason.chars().filter(|c| c.is_alphanumeric()).count() < 3 {
        return Err("an allowance gives no reason: it allows nothing");
    }
    Ok((whole_file, rules, reason.to_owned()))
}

fn next_code(lines: &[&str], index: usize) -> u32 {
    let is_code = |line: &&str| {
        let line = line.trim_start();
        let attribute = line.starts_with("#[") || line.starts_with("#include") || line.starts_with("#define");
        !line.is_empty() && (attribute || !["#", "//", "/*", "*"].iter().any(|mark| line.starts_with(mark)))
    };
    let below = lines.iter().skip(index + 1).position(is_code);
    below.map_or(index, |distance| index + 1 + distance) as u32 + 1
}

fn foreign_comment(line: &str, number: u32) -> Option<Allowance> {
    let (word, at) = FOREIGN.iter().find_map(|word| Some((*word, line.find(word)?)))?;
    comment_before(&line[..at])?;
    let rest = line[at + word.len()..].trim_start();
    let rules = match rest.strip_prefix(':') {
        Some(codes) => codes
            .split([',', ' '])
            .map(str::trim)
            .filter(|code| !code.is_empty())
            .map(str::to_owned)
            .collect(),
        None => Vec::new(),
    };
    let (kind, reason) = (SuppressionKind::Foreign, word.to_owned());
    Some(Allowance { line: number, target: Some(number), rules, reason, kind })
}

/// Marks the findings that are allowed, and notes allowances that allow nothing.
pub fn apply(findings: &mut [Finding], allowances: &HashMap<String, Vec<Allowance>>, notes: &mut Vec<Note>) {
    let mut used: HashMap<(&str, u32), bool> = HashMap::new();
    for (file, list) in allowances {
        for allowance in list.iter().filter(|a| a.kind == SuppressionKind::Comment) {
            used.insert((file, allowance.line), false);
        }
    }
    for finding in findings {
        let Some((file, list)) = allowances.get_key_value(finding.file.as_str()) else { continue };
        let Some(allowance) = list.iter().find(|allowance| allowance.covers(finding)) else { continue };
        used.insert((file, allowance.line), true);
        finding.suppression = Some(Suppression {
            kind: allowance.kind,
            reason: allowance.reason.clone(),
            line: allowance.line,
        });
    }
    let mut idle: Vec<_> = used.into_iter().filter(|(_, used)| !used).map(|(place, _)| place).collect();
    idle.sort_unstable();
    notes.extend(idle.into_iter().map(|(file, line)| Note {
        kind: NoteKind::Suppression,
        file: Some(file.to_owned()),
        line: Some(line),
        message: "an allowance that allows nothing: remove it".into(),
    }));
}

impl Allowance {
    fn covers(&self, finding: &Finding) -> bool {
        let span = &finding.span;
        let place = self.target.is_none_or(|line| {
            // A comment at the end of a statement of several lines speaks of the whole statement.
            line == span.start_line || (line == span.end_line && span.end_line - span.start_line < 10)
        });
        place && (self.rules.is_empty() || self.rules.iter().any(|rule| *rule == finding.rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::Language;

    fn source(text: &str) -> SourceText {
        SourceText { path: "a.py".into(), language: Language::Python, text: text.into(), exact: true }
    }

    #[test]
    fn comments_are_understood() {
        type Expected = Option<(Option<u32>, &'static [&'static str], &'static str)>;
        let cases: [(&str, Expected); 11] = [
            ("x = 1  # formicary: allow(bad) it is meant", Some((Some(1), &["bad"], "it is meant"))),
            (
                "# formicary: allow(bad, worse): two rules\n\n# more\nx = 1",
                Some((Some(4), &["bad", "worse"], "two rules")),
            ),
            ("// formicary: allow(bad) - because\nx();", Some((Some(2), &["bad"], "because"))),
            ("/* formicary: allow(bad) because */ x();", Some((Some(1), &["bad"], "because"))),
            ("# formicary: allow-file(bad) generated code", Some((None, &["bad"], "generated code"))),
            ("# formicary: allow(bad)", None),
            ("# formicary: allow(bad) ...", None),
            ("# formicary: allow() reason", None),
            ("# formicary: allow reason", None),
            ("x = 'formicary: allow(bad) not a comment'", None),
            ("# formicary: allow(bad reason", None),
        ];
        for (text, expected) in cases {
            let found = allowances(&source(text), false, &["bad", "worse"], &mut Vec::new());
            let found = found.first().map(|a| (a.target, a.rules.clone(), a.reason.clone()));
            let expected = expected.map(|(target, rules, reason)| {
                (target, rules.iter().map(|rule| (*rule).to_owned()).collect::<Vec<_>>(), reason.to_owned())
            });
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_well_formed_is_noted() {
        for (text, expected) in [
            ("# formicary: allow(bad)", "no reason"),
            ("# formicary: allow(bda) a reason", "did you mean bad?"),
            ("# formicary: allow it", "names its rule"),
        ] {
            let mut notes = Vec::new();
            allowances(&source(text), false, &["bad"], &mut notes);
            assert!(notes.len() == 1 && notes[0].message.contains(expected), "{text}: {notes:?}");
        }
    }

    #[test]
    fn other_tools_comments_count_by_choice() {
        let text = source("import os  # noqa\nimport re  # noqa: bad\nx = 'noqa'\n");
        assert!(allowances(&text, false, &[], &mut Vec::new()).is_empty());
        let found = allowances(&text, true, &[], &mut Vec::new());
        let rules: Vec<_> = found.iter().map(|a| (a.line, a.rules.clone())).collect();
        assert_eq!(rules, [(1, vec![]), (2, vec!["bad".to_owned()])]);
    }
}
