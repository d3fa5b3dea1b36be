//! Places that ruff's tree does not hold: where the grammar's blocks end, and the parentheses around expressions.

use super::{Reading, span};
use crate::lines::Span;
use ruff_text_size::Ranged;

impl Reading<'_> {
    fn byte(&self, at: u32) -> Option<u8> {
        self.source.as_bytes().get(at as usize).copied()
    }

    /// Where a block ends whose last statement ends at `end`: comments that are indented like the block belong to it.
    pub(super) fn block_end(&self, first: u32, end: u32) -> u32 {
        let indent = self.indent(first);
        let (mut end, mut at) = (end, end);
        // Comments on the line of the last statement belong to the block whatever their indent.
        let mut same_line = true;
        let mut column = 0;
        while let Some(byte) = self.byte(at) {
            match byte {
                b' ' => column += 1,
                b'\t' => column += 8,
                b'\n' => (same_line, column) = (false, 0),
                b'\x0c' => column = 0,
                b'\r' => {}
                b'\\' => match self.byte(at + 1) {
                    Some(b'\n') => at += 1,
                    Some(b'\r') => at += 2,
                    _ => break,
                },
                b';' if same_line => end = at + 1,
                b'#' if same_line || indent.is_some_and(|indent| column >= indent) => {
                    end = self.line_end(at);
                    at = end;
                    continue;
                }
                _ => break,
            }
            at += 1;
        }
        end
    }

    /// The end of the line that holds this byte, without its line feed.
    pub(super) fn line_end(&self, at: u32) -> u32 {
        let rest = self.source.as_bytes().get(at as usize..).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        at + u32::try_from(length).unwrap_or(0)
    }

    /// How far the line of this byte is indented; none where something else stands before it.
    fn indent(&self, at: u32) -> Option<u32> {
        let before = self.source.get(..at as usize)?;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        before.as_bytes().get(start..)?.iter().try_fold(0, |column, byte| match byte {
            b' ' => Some(column + 1),
            b'\t' => Some(column + 8),
            b'\x0c' => Some(0),
            _ => None,
        })
    }

    /// The first byte after `at` that is neither space nor comment.
    pub(super) fn skip(&self, at: u32) -> u32 {
        let mut at = at;
        while let Some(byte) = self.byte(at) {
            match byte {
                b'#' => at = self.line_end(at),
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'\\' => at += 1,
                _ => break,
            }
        }
        at
    }

    fn back(&self, at: u32) -> u32 {
        let mut at = at;
        while at > 0 && matches!(self.byte(at - 1), Some(b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'\\')) {
            at -= 1;
        }
        at
    }

    /// An expression with the parentheses that are around it, where nothing else around it has any.
    pub(super) fn outer(&self, part: impl Ranged) -> Span {
        let mut outer = span(part);
        loop {
            let (before, after) = (self.back(outer.start), self.skip(outer.end));
            let opens = before > 0 && self.byte(before - 1) == Some(b'(');
            if !opens || self.byte(after) != Some(b')') {
                return outer;
            }
            outer = Span { start: before - 1, end: after + 1 };
        }
    }

    /// Where an expression ends with the parentheses that are closed before anything else follows.
    pub(super) fn closed(&self, part: impl Ranged) -> u32 {
        let mut end = span(part).end;
        loop {
            let after = self.skip(end);
            if self.byte(after) != Some(b')') {
                return end;
            }
            end = after + 1;
        }
    }

    /// Where the stars before an expression stand; none where something else stands there.
    pub(super) fn stars(&self, part: impl Ranged) -> Option<u32> {
        let mut at = self.back(span(part).start);
        while at > 0 && self.byte(at - 1) == Some(b'(') {
            at = self.back(at - 1);
        }
        let start = at.checked_sub(2)?;
        (Span { start, end: at }.text(self.source) == "**").then_some(start)
    }
}
