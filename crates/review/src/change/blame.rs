//! Which findings a change is to blame for. A finding that was there before, wherever its lines went, is not one of
//! them; one that is there once more than before is.

use super::lines::FileChange;
use crate::engine::SourceText;
use formicary_model::review::{Category, FileMetrics, Finding, FunctionMetrics, Standing};
use std::collections::HashMap;

/// One state of a project, reviewed.
#[derive(Debug, Clone, Copy)]
pub struct Reviewed<'a> {
    /// Its texts.
    pub sources: &'a [SourceText],
    /// What was found.
    pub findings: &'a [Finding],
    /// What was measured.
    pub files: &'a [FileMetrics],
}

/// Sets the standing of every finding of the state after. Gives the findings of the state before that are gone.
pub fn blame<'a>(
    before: Reviewed<'a>,
    after_sources: &[SourceText],
    after_files: &[FileMetrics],
    findings: &mut [Finding],
    changes: &HashMap<String, FileChange>,
) -> Vec<&'a Finding> {
    let mut matching = Matching::new(before, after_sources, changes);
    let mut standing: Vec<Option<usize>> = vec![None; findings.len()];
    for pass in PASSES {
        // Lines that nobody touched have the first claim on what was there before.
        for touched in [false, true] {
            for (index, finding) in findings.iter().enumerate() {
                if standing[index].is_none() && matching.is_touched(finding) == touched {
                    standing[index] = matching.claim(pass, finding);
                }
            }
        }
    }
    let worse = Worse { before: functions(before.files), after: functions(after_files), changes };
    for (finding, origin) in findings.iter_mut().zip(standing) {
        finding.standing = match origin {
            // Other tools look at the state after alone: what they say of untouched lines was so before.
            None if finding.tool.is_some() && untouched(finding, changes) => Standing::Unchanged,
            None => Standing::New,
            Some(_) if worse.is_worse(finding) => Standing::Worse,
            Some(_) => Standing::Unchanged,
        };
    }
    matching.unclaimed()
}

fn untouched(finding: &Finding, changes: &HashMap<String, FileChange>) -> bool {
    let change = changes.get(&finding.file);
    change.is_some_and(|change| change.origin(finding.span.start_line).is_some())
}

/// Ways in which a finding can be one from before, surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Pass {
    /// The same line, untouched.
    Line,
    /// The same text in the same function of the same file.
    Function,
    /// The same text in the same file.
    File,
    /// The same text anywhere: code that moved.
    Anywhere,
}

const PASSES: [Pass; 4] = [Pass::Line, Pass::Function, Pass::File, Pass::Anywhere];

/// What a finding must share with one from before: its rule, and place or text by the pass.
type Key = (Pass, String, String, String, String);

struct Matching<'a, 'b> {
    before: Reviewed<'a>,
    keys: HashMap<Key, Vec<usize>>,
    claimed: Vec<bool>,
    after_lines: HashMap<&'b str, Vec<&'b str>>,
    changes: &'b HashMap<String, FileChange>,
}

impl<'a, 'b> Matching<'a, 'b> {
    fn new(before: Reviewed<'a>, after: &'b [SourceText], changes: &'b HashMap<String, FileChange>) -> Self {
        let split = |source: &'_ SourceText| source.text.lines().map(squeeze).collect::<Vec<String>>();
        let lines: HashMap<&str, Vec<String>> =
            before.sources.iter().map(|source| (source.path.as_str(), split(source))).collect();
        let mut keys: HashMap<Key, Vec<usize>> = HashMap::new();
        for (index, finding) in before.findings.iter().enumerate() {
            let line = finding.span.start_line;
            let text = lines.get(finding.file.as_str()).and_then(|lines| lines.get(line as usize - 1));
            let text = text.map(String::as_str).unwrap_or_default();
            for pass in PASSES {
                keys.entry(key(pass, finding, &finding.file, line, text)).or_default().push(index);
            }
        }
        keys.values_mut().for_each(|list| list.reverse());
        let after_lines = after.iter().map(|source| (source.path.as_str(), source.text.lines().collect()));
        let claimed = vec![false; before.findings.len()];
        Self { before, keys, claimed, after_lines: after_lines.collect(), changes }
    }

    fn is_touched(&self, finding: &Finding) -> bool {
        let change = self.changes.get(&finding.file);
        change.is_none_or(|change| change.origin(finding.span.start_line).is_none())
    }

    fn claim(&mut self, pass: Pass, finding: &Finding) -> Option<usize> {
        let change = self.changes.get(&finding.file);
        let file = change.and_then(|change| change.before.as_deref());
        let origin = change.and_then(|change| change.origin(finding.span.start_line));
        let line = match (pass, origin) {
            (Pass::Line, None) => return None,
            (_, origin) => origin.unwrap_or_default(),
        };
        let file = match (pass, file) {
            (Pass::Anywhere, _) => "",
            (_, Some(file)) => file,
            (_, None) => return None,
        };
        let text = self.after_lines.get(finding.file.as_str());
        let text = text.and_then(|lines| lines.get(finding.span.start_line as usize - 1));
        let text = squeeze(text.copied().unwrap_or_default());
        if pass == Pass::Anywhere && text.len() < 4 {
            return None;
        }
        let candidates = self.keys.get_mut(&key(pass, finding, file, line, &text))?;
        while let Some(index) = candidates.pop() {
            if !self.claimed[index] {
                self.claimed[index] = true;
                return Some(index);
            }
        }
        None
    }

    fn unclaimed(self) -> Vec<&'a Finding> {
        let all = self.before.findings.iter().zip(self.claimed);
        all.filter(|(finding, claimed)| !claimed && finding.is_open()).map(|(finding, _)| finding).collect()
    }
}

fn key(pass: Pass, finding: &Finding, file: &str, line: u32, text: &str) -> Key {
    let rule = finding.rule.clone().into_owned();
    let symbol = finding.symbol.clone().unwrap_or_default();
    match pass {
        Pass::Line => (pass, rule, file.into(), line.to_string(), String::new()),
        Pass::Function => (pass, rule, file.into(), text.into(), symbol),
        Pass::File => (pass, rule, file.into(), text.into(), String::new()),
        Pass::Anywhere => (pass, rule, String::new(), text.into(), String::new()),
    }
}

fn squeeze(line: &str) -> String {
    line.chars().filter(|c| !c.is_whitespace()).collect()
}

type Functions<'a> = HashMap<(&'a str, &'a str), &'a FunctionMetrics>;

/// The functions of some files, by file and name.
pub fn functions(files: &[FileMetrics]) -> Functions<'_> {
    let all = files.iter().flat_map(|file| file.functions.iter().map(move |function| (file, function)));
    all.map(|(file, function)| ((file.file.as_str(), function.name.as_str()), function)).collect()
}

struct Worse<'a> {
    before: Functions<'a>,
    after: Functions<'a>,
    changes: &'a HashMap<String, FileChange>,
}

impl Worse<'_> {
    // Only findings that measure a function can get worse in place.
    fn is_worse(&self, finding: &Finding) -> bool {
        if !matches!(finding.category, Category::Complexity | Category::Smell) {
            return false;
        }
        let Some(symbol) = finding.symbol.as_deref() else { return false };
        let before = self.changes.get(&finding.file).and_then(|change| change.before.as_deref());
        let (Some(before), Some(after)) = (
            before.and_then(|file| self.before.get(&(file, symbol))),
            self.after.get(&(&finding.file, symbol)),
        ) else {
            return false;
        };
        after.cyclomatic > before.cyclomatic
            || after.cognitive > before.cognitive
            || after.nesting > before.nesting
            || after.parameters > before.parameters
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::changes;
    use super::*;
    use crate::engine::{AnalysisOptions, Analyzer as _, Watch};
    use crate::testing::{Words, source};

    type Files<'a> = &'a [(&'a str, &'a str)];

    fn standings(before: Files<'_>, after: Files<'_>) -> (Vec<(u32, Standing)>, usize) {
        let sources =
            |files: Files<'_>| files.iter().map(|(path, text)| source(path, text)).collect::<Vec<_>>();
        let (before, after) = (sources(before), sources(after));
        let options = AnalysisOptions::default();
        let old = Words.analyze(&before, &options, Watch::NOBODY);
        let mut new = Words.analyze(&after, &options, Watch::NOBODY);
        let state = Reviewed { sources: &before, findings: &old.findings, files: &old.files };
        let changes = changes(&before, &after);
        let fixed = blame(state, &after, &new.files, &mut new.findings, &changes).len();
        (new.findings.iter().map(|finding| (finding.span.start_line, finding.standing)).collect(), fixed)
    }

    #[test]
    fn only_what_the_change_brought_is_new() {
        use Standing::{New, Unchanged};
        type Case<'a> = (&'a str, Files<'a>, Files<'a>, &'a [(u32, Standing)], usize);
        let cases: &[Case<'_>] = &[
            ("moved lines", &[("a", "BAD 1\n")], &[("a", "x\ny\nBAD 1\n")], &[(3, Unchanged)], 0),
            (
                "one more of the same, above",
                &[("a", "BAD\n")],
                &[("a", "BAD\nx\nBAD\n")],
                &[(1, Unchanged), (3, New)],
                0,
            ),
            ("indented anew", &[("a", "BAD 1\n")], &[("a", "if x:\n    BAD 1\n")], &[(2, Unchanged)], 0),
            (
                "function renamed",
                &[("a", "def f 1\nBAD\n")],
                &[("a", "def g 1\nBAD\n")],
                &[(2, Unchanged)],
                0,
            ),
            ("file moved", &[("a", "1\n2\n3\nBAD\n")], &[("b", "1\n2\n3\nBAD\n")], &[(4, Unchanged)], 0),
            (
                "code moved to another file",
                &[("a", "1\n2\nBAD here\n"), ("b", "9\n")],
                &[("a", "1\n2\n"), ("b", "9\nBAD here\n")],
                &[(2, Unchanged)],
                0,
            ),
            (
                "copied to another file",
                &[("a", "BAD here\n"), ("b", "9\n")],
                &[("a", "BAD here\n"), ("b", "9\nBAD here\n")],
                &[(1, Unchanged), (2, New)],
                0,
            ),
            ("mended", &[("a", "BAD\n")], &[("a", "good\n")], &[], 1),
            ("rewritten but still bad", &[("a", "BAD 1\n")], &[("a", "BAD 2\n")], &[(1, New)], 1),
            ("more complex", &[("a", "def f 20\nx\n")], &[("a", "def f 30\nx\ny\n")], &[(1, New)], 1),
        ];
        for (what, before, after, expected, fixed) in cases {
            assert_eq!(standings(before, after), (expected.to_vec(), *fixed), "{what}");
        }
    }

    #[test]
    fn a_known_function_that_grows_is_worse() {
        // The finding stands on an untouched line; what grew is below it.
        let before = [source("a", "def f 20\n")];
        let old = Words.analyze(&before, &AnalysisOptions::default(), Watch::NOBODY);
        let mut new = Words.analyze(&before, &AnalysisOptions::default(), Watch::NOBODY);
        new.files[0].functions[0].cyclomatic = 25;
        let state = Reviewed { sources: &before, findings: &old.findings, files: &old.files };
        blame(state, &before, &new.files, &mut new.findings, &changes(&before, &before));
        assert_eq!(new.findings[0].standing, Standing::Worse);
    }
}
