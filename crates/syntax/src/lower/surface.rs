//! What a file looks like before it means anything: lines with code, comments, parts that cannot be parsed.

use super::span_of;
use crate::lang::{Grammar, Role};
use crate::unit::{Comment, Note, NoteKind, Unit};
use tree_sitter::Node;

/// Notes beyond this number say nothing new.
const MOST_NOTES: usize = 50;

/// Goes over all tokens without recursion.
pub(super) fn read(grammar: &Grammar, root: Node<'_>, unit: &mut Unit<'_>) {
    let broken = root.has_error();
    let mut cursor = root.walk();
    let mut code_lines: Vec<u32> = Vec::new();
    loop {
        let node = cursor.node();
        if broken && unit.notes.len() < MOST_NOTES {
            if node.is_error() {
                unit.notes.push(Note { kind: NoteKind::Syntax, span: span_of(node) });
            } else if node.is_missing() {
                unit.notes.push(Note { kind: NoteKind::Missing, span: span_of(node) });
            }
        }
        let role = grammar.role(node);
        let whole = matches!(role, Role::Comment | Role::Continuation | Role::Text | Role::Character);
        if role == Role::Comment {
            let span = span_of(node);
            let text = unit.text(span);
            let documents = ["/**", "///", "//!", "/*!"].iter().any(|mark| text.starts_with(mark));
            unit.comments.push(Comment { span, documents });
        } else if role != Role::Continuation && (whole || node.child_count() == 0) {
            note_lines(node, &mut code_lines);
        }
        if !whole && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                code_lines.dedup();
                unit.code_lines = code_lines;
                return;
            }
        }
    }
}

fn note_lines(node: Node<'_>, lines: &mut Vec<u32>) {
    if node.start_byte() == node.end_byte() {
        return;
    }
    let first = u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX);
    let end = node.end_position();
    // A token that ends with the line does not reach into the next.
    let last = u32::try_from(if end.column == 0 { end.row } else { end.row + 1 }).unwrap_or(u32::MAX);
    let first = lines.last().map_or(first, |seen| first.max(*seen));
    for line in first..=last.max(first) {
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
}
