//! Lines and nodes as every operation needs them.

use super::{Refused, text, unsure};
use formicary_search::Source;
use std::ops::Range;
use tree_sitter::Node;

pub(super) fn trimmed(source: &Source, range: Range<usize>) -> Range<usize> {
    let inside = text(source, &range);
    let start = range.start + (inside.len() - inside.trim_start().len());
    start..(start + inside.trim().len())
}

pub(super) fn alone_on_its_lines(source: &Source, node: Node<'_>) -> Result<(), Refused> {
    let start = line_start(source, node.start_byte());
    let before = text(source, &(start..node.start_byte()));
    if before.trim().is_empty() {
        return Ok(());
    }
    Err(unsure(source, node.start_byte(), "other code stands before it on its line"))
}

pub(super) fn line_start(source: &Source, offset: usize) -> usize {
    source.text().get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1)
}

pub(super) fn indent_of(source: &Source, offset: usize) -> &str {
    text(source, &(line_start(source, offset)..offset))
}

pub(super) fn line_end(source: &Source) -> &'static str {
    if source.text().contains("\r\n") { "\r\n" } else { "\n" }
}

pub(super) fn find<'t>(root: Node<'t>, wanted: &dyn Fn(Node<'t>) -> bool) -> Option<Node<'t>> {
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        if wanted(node) {
            return Some(node);
        }
        let mut cursor = node.walk();
        pending.extend(node.children(&mut cursor));
    }
    None
}

pub(super) fn short(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(60).collect()
}
