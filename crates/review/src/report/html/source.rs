//! The source of files with findings, their lines marked. Long files are shown around the marks only.

use crate::reviewer::Review;
use formicary_model::review::Finding;
use formicary_model::visible::markup;
use std::collections::{BTreeMap, BTreeSet};

/// Lines shown around a mark in a long file.
const AROUND: u32 = 6;
/// Files up to this length are shown whole.
const WHOLE: usize = 400;
/// No more than this much source in one page.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// The anchor of a line. The file is told by a hash: a name could hold anything.
pub(super) fn anchor(file: &str, line: u32) -> String {
    format!("f{}-{line}", &blake3::hash(file.as_bytes()).to_hex()[..12])
}

/// The files with findings.
pub(super) fn files(review: &Review, shown: &[&Finding]) -> String {
    let mut by_file: BTreeMap<&str, BTreeMap<u32, Vec<&Finding>>> = BTreeMap::new();
    for finding in shown {
        by_file.entry(&finding.file).or_default().entry(finding.span.start_line).or_default().push(finding);
    }
    let mut body = String::new();
    for (file, marks) in by_file {
        let Some(source) = review.sources.iter().find(|source| source.path == file) else { continue };
        if body.len() > MOST_BYTES {
            body.push_str("<p class=\"faint\">More files have findings; this page shows no more source.</p>");
            break;
        }
        let count: usize = marks.values().map(Vec::len).sum();
        body.push_str(&format!(
            "<details><summary>{} <span class=\"faint\">{count}</span></summary><div class=\"code\">",
            markup(file)
        ));
        code(file, &source.text, &marks, &mut body);
        body.push_str("</div></details>");
    }
    body
}

fn code(file: &str, text: &str, marks: &BTreeMap<u32, Vec<&Finding>>, body: &mut String) {
    let whole = text.lines().count() <= WHOLE;
    let wanted: BTreeSet<u32> =
        marks.keys().flat_map(|line| line.saturating_sub(AROUND)..=line.saturating_add(AROUND)).collect();
    let mut skipped = false;
    for (index, line) in text.lines().enumerate() {
        let number = index as u32 + 1;
        if !whole && !wanted.contains(&number) {
            if !skipped {
                body.push_str("<div class=\"gap\">…</div>");
            }
            skipped = true;
            continue;
        }
        skipped = false;
        let line: String = line.chars().take(400).collect();
        let hit = marks.get(&number);
        let rules: Vec<&str> = hit.into_iter().flatten().map(|finding| finding.rule.as_ref()).collect();
        let told =
            if rules.is_empty() { String::new() } else { format!("<em>{}</em>", markup(&rules.join(", "))) };
        let class = if hit.is_some() { " class=\"hit\"" } else { "" };
        body.push_str(&format!(
            "<div{class} id=\"{}\"><b>{number}</b><span>{}</span>{told}</div>",
            anchor(file, number),
            markup(&line)
        ));
    }
}
