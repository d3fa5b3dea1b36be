//! Places in a file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A range in a file. Lines and columns count from 1, columns in characters; ends are exclusive.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub struct Span {
    /// First line.
    pub start_line: u32,
    /// First column.
    pub start_column: u32,
    /// Last line.
    pub end_line: u32,
    /// The column after the last one, on the last line.
    pub end_column: u32,
    /// First byte, from 0.
    pub start_byte: u32,
    /// The byte after the last one.
    pub end_byte: u32,
}

impl Span {
    /// The range of these bytes of a text. Bytes beyond the end, or inside a character, are moved to the nearest place
    /// before them.
    pub fn of_bytes(text: &str, start: usize, end: usize) -> Self {
        let floor = |byte: usize| {
            let mut byte = byte.min(text.len());
            while !text.is_char_boundary(byte) {
                byte -= 1;
            }
            byte
        };
        let (start, end) = (floor(start), floor(end.max(start)));
        let place = |byte: usize| {
            let before = &text.as_bytes()[..byte];
            let line = before.iter().filter(|b| **b == b'\n').count();
            let first = before.iter().rposition(|b| *b == b'\n').map_or(0, |newline| newline + 1);
            (line as u32 + 1, text[first..byte].chars().count() as u32 + 1)
        };
        let ((start_line, start_column), (end_line, end_column)) = (place(start), place(end));
        Self {
            start_line,
            start_column,
            end_line,
            end_column,
            start_byte: start as u32,
            end_byte: end as u32,
        }
    }

    /// A whole line, where nothing more is known.
    pub fn of_line(line: u32) -> Self {
        Self { start_line: line, start_column: 1, end_line: line, end_column: 1, start_byte: 0, end_byte: 0 }
    }

    /// Whether a line is in the range.
    pub fn covers_line(&self, line: u32) -> bool {
        (self.start_line..=self.end_line).contains(&line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_lines_and_columns() {
        let text = "ab\ncdé f\n\ng";
        for (start, end, expected) in [
            (0, 2, (1, 1, 1, 3)),
            (3, 7, (2, 1, 2, 4)),
            (6, 8, (2, 3, 2, 5)),
            (9, 10, (2, 6, 3, 1)),
            (11, 99, (4, 1, 4, 2)),
            (5, 0, (2, 3, 2, 3)),
        ] {
            let span = Span::of_bytes(text, start, end);
            let found = (span.start_line, span.start_column, span.end_line, span.end_column);
            assert_eq!(found, expected, "{start}..{end}");
        }
    }
}
