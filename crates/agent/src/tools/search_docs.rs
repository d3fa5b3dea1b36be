//! Documentation of the workspace, by what it is about: pages, and what is written above code.

use super::{Reply, Tool, text};
use crate::redact::{as_data, trimmed};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

const MOST: usize = 6;
const MOST_LINES: usize = 40;
const SHOWN: usize = 1_600;
const PAGES: [&str; 6] = [".md", ".markdown", ".rst", ".txt", ".adoc", ".org"];

pub(super) const TOOL: Tool = Tool {
    name: "search_docs",
    description: "Finds the sections of the workspace's documentation that fit a question best: pages, docstrings and comments.",
    properties: || json!({"query": {"type": "string"}}),
    required: &["query"],
    run: |desk, arguments| {
        let files = desk.tree.paths().filter_map(|path| Some((path, desk.tree.text(path)?)));
        let found = best(files, &text(arguments, "query"));
        if found.is_empty() {
            return Ok(Reply::ok("no documentation speaks of it"));
        }
        let shown: Vec<String> = found
            .iter()
            .map(|section| {
                as_data(&format!("{}:{}", section.path, section.line), &trimmed(&section.text, SHOWN))
            })
            .collect();
        Ok(Reply::ok(shown.join("\n")))
    },
};

/// A stretch of documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Section {
    path: String,
    line: usize,
    text: String,
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1).map(str::to_lowercase)
}

/// The sections that hold most of the query's rare words.
fn best<'a>(files: impl Iterator<Item = (&'a str, &'a str)>, query: &str) -> Vec<Section> {
    let wanted: BTreeSet<String> = words(query).collect();
    let sections: Vec<Section> = files.flat_map(|(path, text)| sections(path, text)).collect();
    let counted: Vec<BTreeMap<String, u32>> = sections
        .iter()
        .map(|section| {
            let mut counts = BTreeMap::new();
            for word in words(&section.text).filter(|word| wanted.contains(word)) {
                *counts.entry(word).or_default() += 1;
            }
            counts
        })
        .collect();
    let rarity = |word: &str| {
        let holding = counted.iter().filter(|counts| counts.contains_key(word)).count();
        (1.0 + sections.len() as f64 / holding.max(1) as f64).ln()
    };
    let rarities: BTreeMap<&str, f64> = wanted.iter().map(|word| (word.as_str(), rarity(word))).collect();
    let score = |section: &Section, counts: &BTreeMap<String, u32>| {
        let title = section.text.lines().next().unwrap_or_default().to_lowercase();
        counts.iter().fold(0.0, |sum, (word, count)| {
            let count = f64::from(*count);
            let heading = if title.contains(word.as_str()) { 1.5 } else { 1.0 };
            sum + rarities[word.as_str()] * heading * count / (count + 1.5)
        })
    };
    let mut scored: Vec<(f64, &Section)> = sections
        .iter()
        .zip(&counted)
        .map(|(section, counts)| (score(section, counts), section))
        .filter(|(score, _)| *score > 0.0)
        .collect();
    scored
        .sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (&a.1.path, a.1.line).cmp(&(&b.1.path, b.1.line))));
    scored.into_iter().take(MOST).map(|(_, section)| section.clone()).collect()
}

fn sections(path: &str, text: &str) -> Vec<Section> {
    let lines: Vec<&str> = text.lines().collect();
    let lower = path.to_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let page = PAGES.iter().any(|ending| name.ends_with(ending)) || name.starts_with("readme");
    let begins: Vec<(usize, usize)> = if page { of_page(&lines) } else { of_code(&lines) };
    begins
        .into_iter()
        .map(|(from, to)| Section { path: path.to_owned(), line: from + 1, text: lines[from..to].join("\n") })
        .filter(|section| section.text.trim().len() > 3)
        .collect()
}

/// A page, cut at its headings and where a section grows too long.
fn of_page(lines: &[&str]) -> Vec<(usize, usize)> {
    let underlined = |at: usize| {
        lines.get(at + 1).is_some_and(|next| {
            next.len() > 2
                && ["=", "-", "~", "^"].iter().any(|mark| next.trim_end().replace(mark, "").is_empty())
        }) && !lines[at].trim().is_empty()
    };
    let heading = |at: usize| lines[at].starts_with('#') || lines[at].starts_with("= ") || underlined(at);
    let mut cuts = vec![0];
    for (at, line) in lines.iter().enumerate().skip(1) {
        let long = at - cuts[cuts.len() - 1] >= MOST_LINES && line.trim().is_empty();
        if heading(at) || long {
            cuts.push(at);
        }
    }
    cuts.push(lines.len());
    cuts.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Runs of comments and docstrings, each with the line of code beside it.
fn of_code(lines: &[&str]) -> Vec<(usize, usize)> {
    let (mut found, mut from, mut quoted) = (Vec::new(), None, None);
    for (at, line) in lines.iter().enumerate() {
        let line = line.trim_start();
        let opens = ["\"\"\"", "'''", "r\"\"\""].into_iter().find(|mark| line.starts_with(*mark));
        let comment = ["//", "/*", "*", "# ", "#:", "--", ";;"].iter().any(|mark| line.starts_with(mark))
            || line == "#";
        let inside = quoted.is_some() || comment || opens.is_some();
        match quoted {
            Some(mark) if line.contains(mark) => quoted = None,
            None => {
                let mark = opens.map(|mark| mark.trim_start_matches('r'));
                quoted = mark.filter(|mark| line.matches(*mark).count() < 2);
            }
            _ => {}
        }
        match (inside, from) {
            // A docstring stands below the line that it is about.
            (true, None) => from = Some(if opens.is_some() { at.saturating_sub(1) } else { at }),
            (false, Some(start)) => {
                found.push((start, (at + 1).min(start + MOST_LINES)));
                from = None;
            }
            _ => {}
        }
    }
    found.extend(from.map(|start| (start, lines.len().min(start + MOST_LINES))));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_that_fits_best_comes_first() {
        let page = "# Shop\nSells things.\n\n## Refunds\nA refund is paid within 14 days.\n\nOrders\n======\nAn order has lines.\n";
        let code = "import os\n\ndef refund(order):\n    \"\"\"Pays money back.\n\n    Never more than was paid.\n    \"\"\"\n    return 0\n\n# The tax of a country.\n# In percent.\ndef tax(country): return 7\n";
        let files = [("docs/shop.md", page), ("shop.py", code), ("data.csv", "refund,refund\n")];
        let ask = |query: &str| best(files.into_iter(), query);
        let places = |query: &str| -> Vec<(String, usize)> {
            ask(query).into_iter().map(|section| (section.path, section.line)).collect()
        };
        assert_eq!(places("how long does a refund take, in days?")[0], ("docs/shop.md".into(), 4));
        assert_eq!(places("money back")[0], ("shop.py".into(), 3));
        assert_eq!(places("tax of a country")[0], ("shop.py".into(), 10));
        assert_eq!(places("orders")[0], ("docs/shop.md".into(), 7));
        assert!(ask("tax")[0].text.ends_with("def tax(country): return 7"));
        assert!(ask("nothing speaks zeppelin")[..].iter().all(|section| !section.text.contains("zeppelin")));
        assert!(ask("").is_empty());
    }
}
