//! Links in Markdown lead somewhere: the file exists, and so does the heading.

use super::Findings;
use crate::tree::{File, Tree};

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.files.iter().filter(|file| file.is_markdown() && !file.is_fixture()) {
        for (number, line) in prose(&file.text) {
            for target in targets(line) {
                if let Some(message) = broken(tree, file, target) {
                    findings.error(&file.path, number, message);
                }
            }
        }
    }
}

/// Lines outside fenced code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        (!fenced && !fence).then_some((index + 1, line))
    })
}

/// What stands in the round brackets of `[…](…)`.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("](").filter_map(|(start, _)| {
        let rest = &line[start + 2..];
        rest.find(')').map(|end| rest[..end].split(' ').next().unwrap_or(""))
    })
}

fn broken(tree: &Tree, file: &File, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    let resolved = if path.is_empty() { file.path.clone() } else { resolve(&file.path, path)? };
    if !tree.holds(&resolved) {
        return Some(format!("link to {target}: {resolved} does not exist"));
    }
    let page = tree.get(&resolved).filter(|page| page.is_markdown() && !heading.is_empty())?;
    let known =
        prose(&page.text).filter(|(_, line)| line.starts_with('#')).any(|(_, line)| anchor(line) == heading);
    (!known).then(|| format!("link to {target}: no such heading in {resolved}"))
}

/// `path` as seen from the folder of `from`; `None` where it leaves the tree.
fn resolve(from: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// The anchor that web pages give a heading.
fn anchor(heading: &str) -> String {
    heading
        .trim_start_matches('#')
        .trim()
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn broken_links_are_found() {
        let page = "# A title: here\n[a](b.md) [b](../README.md#a) [c](https://example.org) [d](#a-title-here)\n\
                    [e](none.md)\n[f](b.md#none)\n```\n[g](none.md)\n```\n[h](../README.md \"title\")\n";
        let found =
            places("links", &[("README.md", "## A\n"), ("docs/a.md", page), ("docs/b.md", "no headings\n")]);
        assert_eq!(found, ["docs/a.md:3", "docs/a.md:4"]);
    }
}
