//! Lines with code and comments.
//!
//! A line holds code where something else than space and comments stands on it, or where text goes over it.

use super::span_of;
use crate::lines::Span;
use crate::unit::{Comment, Unit};
use oxc_ast::ast::Program;

/// What the file looks like; `wide` is text that may go over several lines.
pub(super) fn read(program: &Program<'_>, wide: &[Span], unit: &mut Unit<'_>) {
    let source = unit.source;
    let mut comments = Vec::with_capacity(program.comments.len() + 1);
    if let Some(first) = &program.hashbang {
        let start = first.span.start;
        let rest = source.get(start as usize..).unwrap_or("");
        let length = rest.find('\n').unwrap_or(rest.len());
        comments.push(Span { start, end: start + u32::try_from(length).unwrap_or(0) });
    }
    comments.extend(program.comments.iter().map(|comment| span_of(comment.span)));
    unit.code_lines = code_lines(unit, &comments, wide);
    for span in comments {
        let text = span.text(source);
        let documents = ["/**", "///", "//!", "/*!"].iter().any(|mark| text.starts_with(mark));
        unit.comments.push(Comment { span, documents });
    }
}

fn code_lines(unit: &Unit<'_>, comments: &[Span], wide: &[Span]) -> Vec<u32> {
    let starts = unit.lines.starts();
    let mut holds = vec![false; starts.len()];
    let mut comments = comments.iter().peekable();
    for (line, start) in starts.iter().enumerate() {
        let end = starts.get(line + 1).map_or(unit.source.len(), |next| *next as usize);
        let mut at = *start as usize;
        while let Some(next) = first_mark(unit.source, at, end) {
            while comments.next_if(|comment| comment.end as usize <= next).is_some() {}
            match comments.peek() {
                Some(comment) if comment.start as usize <= next => at = comment.end as usize,
                _ => {
                    if let Some(held) = holds.get_mut(line) {
                        *held = true;
                    }
                    break;
                }
            }
        }
    }
    for text in wide.iter().filter(|text| text.start < text.end) {
        // Text that ends with the line does not reach into the next.
        let (first, last) = (unit.lines.line(text.start), unit.lines.line(text.end - 1));
        for held in holds.get_mut(first as usize - 1..last as usize).unwrap_or_default() {
            *held = true;
        }
    }
    let held = holds.iter().zip(1..).filter(|(held, _)| **held);
    held.map(|(_, line)| line).collect()
}

/// The first byte of a line that is no space.
fn first_mark(source: &str, from: usize, end: usize) -> Option<usize> {
    let rest = source.get(from..end)?;
    let is_space = |c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{2060}' | '\u{200b}');
    rest.find(|c: char| !is_space(c)).map(|offset| from + offset)
}
