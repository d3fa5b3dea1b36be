//! Two rules about one place: what is known about the data decides.

use super::classes::Class;
use formicary_model::review::Finding;
use rustc_hash::FxHashSet;

/// A rule of this crate, and the rules that see the same place without its data.
const SAME: &[(&str, &[&str])] = &[
    ("sql-injection", &["built-query"]),
    ("command-injection", &["shell-command"]),
    ("code-injection", &["dynamic-code"]),
    ("foreign-deserialisation", &["unsafe-deserialisation"]),
    ("cross-site-scripting", &["unescaped-html"]),
    ("foreign-format", &["format-string"]),
    ("foreign-xml", &["xml-entities"]),
    ("predictable-secret", &["weak-random"]),
];

/// A dangerous place, and whether anything may arrive there that was not written in the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The file.
    pub file: String,
    /// The first byte of the call.
    pub start: u32,
    pub(crate) class: u8,
    /// Whether foreign data, or something that an unknown caller gives, may arrive.
    pub open: bool,
}

/// Leaves out what is known better: where the way of the data was found, that finding stays; where nothing but what is
/// written in the project arrives, a rule that did not look at the data is silent.
pub fn without_duplicates(findings: &mut Vec<Finding>, judged: &[Judged]) {
    let mut known: FxHashSet<(&str, u32, &str)> = FxHashSet::default();
    for finding in findings.iter().filter(|finding| !finding.path.is_empty()) {
        known.insert((finding.file.as_str(), finding.span.start_line, finding.rule.as_ref()));
    }
    let said: Vec<bool> = findings
        .iter()
        .map(|finding| {
            let Some((rule, _)) = SAME.iter().find(|(_, others)| others.contains(&finding.rule.as_ref()))
            else {
                return false;
            };
            known.contains(&(finding.file.as_str(), finding.span.start_line, *rule))
                || is_harmless(finding, rule, judged)
        })
        .collect();
    let mut said = said.into_iter();
    findings.retain(|_| !said.next().unwrap_or(false));
}

fn is_harmless(finding: &Finding, rule: &str, judged: &[Judged]) -> bool {
    // What is wrong whatever the data is stays.
    if !matches!(
        rule,
        "sql-injection"
            | "command-injection"
            | "code-injection"
            | "cross-site-scripting"
            | "foreign-deserialisation"
            | "foreign-xml"
    ) {
        return false;
    }
    let Some(class) = Class::ALL.iter().find(|class| class.info().name == rule) else { return false };
    let from = judged.partition_point(|one| {
        (one.file.as_str(), one.start) < (finding.file.as_str(), finding.span.start_byte)
    });
    // A parser is set up before it reads: the next reading after it counts.
    let end = if *class == Class::Xml { u32::MAX } else { finding.span.end_byte };
    let next = judged
        .iter()
        .skip(from)
        .take_while(|one| one.file == finding.file && one.start < end)
        .find(|one| one.class == *class as u8);
    next.is_some_and(|one| !one.open)
}

#[cfg(test)]
mod tests {
    use crate::{Settings, analyze};
    use formicary_lint::{Options, SourceFile};
    use formicary_model::review::Confidence;

    fn review(code: &str) -> Vec<(String, Confidence)> {
        let analysis = analyze(&[SourceFile::new("a.py", code)], &Options::default(), &Settings::new());
        let mut findings = analysis.files.into_iter().flat_map(|file| file.findings).collect::<Vec<_>>();
        findings.extend(analysis.followed.findings);
        let judged = analysis.followed.judged;
        super::without_duplicates(&mut findings, &judged);
        let wanted = ["built-query", "sql-injection"];
        findings.retain(|finding| wanted.contains(&finding.rule.as_ref()));
        findings.into_iter().map(|finding| (finding.rule.to_string(), finding.confidence)).collect()
    }

    #[test]
    fn what_is_known_about_the_data_decides() {
        let foreign = "from flask import request\ndef f(c):\n    c.execute(\"SELECT * FROM t WHERE a = '\" + request.args['a'] + \"'\")\n";
        assert_eq!(review(foreign), [("sql-injection".to_owned(), Confidence::High)]);
        let unknown = "def f(c, a):\n    c.execute(\"SELECT * FROM t WHERE a = '\" + a + \"'\")\n";
        assert!(
            matches!(review(unknown).as_slice(), [(rule, confidence)] if rule == "built-query" && *confidence > Confidence::Low)
        );
        let number = "def f(c, a):\n    b = abs(a)\n    c.execute(\"SELECT * FROM t WHERE a = \" + str(b))\n";
        assert!(review(number).is_empty());
    }
}
