//! Lines with code and comments, from the tokens.

use super::span;
use crate::unit::{Comment, Unit};
use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_text_size::Ranged;

/// Goes over all tokens.
pub(super) fn read(tokens: &Tokens, unit: &mut Unit<'_>) {
    let bytes = unit.source.as_bytes();
    let mut lines = Walk { starts: unit.lines.starts(), at: 0, found: Vec::new() };
    // Text with values in it is one piece, whatever stands inside.
    let mut open: Vec<u32> = Vec::new();
    for token in tokens.iter() {
        let place = span(token.range());
        match token.kind() {
            TokenKind::FStringStart | TokenKind::TStringStart => open.push(place.start),
            TokenKind::FStringEnd | TokenKind::TStringEnd => {
                let start = open.pop().unwrap_or(place.start);
                if open.is_empty() {
                    lines.add(start, place.end);
                }
            }
            _ if !open.is_empty() => {}
            TokenKind::Comment => {
                let mut span = place;
                // A carriage return at the end of the line belongs to the comment.
                span.end += u32::from(bytes.get(span.end as usize) == Some(&b'\r'));
                unit.comments.push(Comment { span, documents: false });
            }
            TokenKind::Newline
            | TokenKind::NonLogicalNewline
            | TokenKind::Indent
            | TokenKind::Dedent
            | TokenKind::EndOfFile => {}
            _ => lines.add(place.start, place.end),
        }
    }
    unit.code_lines = lines.found;
}

/// Tokens come in order, and so do lines.
struct Walk<'s> {
    starts: &'s [u32],
    /// The index of the line that was reached.
    at: usize,
    found: Vec<u32>,
}

impl Walk<'_> {
    fn add(&mut self, start: u32, end: u32) {
        if start >= end {
            return;
        }
        self.reach(start);
        self.note();
        while self.starts.get(self.at + 1).is_some_and(|next| *next < end) {
            self.at += 1;
            self.note();
        }
    }

    fn reach(&mut self, offset: u32) {
        while self.starts.get(self.at + 1).is_some_and(|next| *next <= offset) {
            self.at += 1;
        }
    }

    fn note(&mut self) {
        let line = u32::try_from(self.at + 1).unwrap_or(u32::MAX);
        if self.found.last() != Some(&line) {
            self.found.push(line);
        }
    }
}
