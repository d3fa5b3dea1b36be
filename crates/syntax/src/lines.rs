//! Byte offsets, and what people call them: lines and columns.

/// A range of bytes of the source text, the end excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// A span from the first of one to the last of the other.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether `other` lies within.
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The text that it covers; empty when it does not fit the text.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// A place as editors show it: both count from one, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line, from one.
    pub line: u32,
    /// The column in characters, from one.
    pub column: u32,
}

/// Where the lines of a text begin.
#[derive(Debug, Clone)]
pub struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    /// Finds the lines of a text. Only `\n` ends a line; a `\r` before it belongs to the line.
    pub fn new(source: &str) -> Self {
        let mut starts = vec![0];
        for (offset, byte) in source.bytes().enumerate() {
            if byte == b'\n' {
                starts.push(u32::try_from(offset + 1).unwrap_or(u32::MAX));
            }
        }
        Self { starts }
    }

    /// The first byte of every line.
    #[cfg(feature = "parsers")]
    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// How many lines there are; a final line end begins no further line.
    pub fn count(&self, source: &str) -> usize {
        if source.is_empty() || source.ends_with('\n') { self.starts.len() - 1 } else { self.starts.len() }
    }

    /// The line, from one, that holds this byte.
    pub fn line(&self, offset: u32) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }

    /// The first byte of a line that is counted from one.
    pub fn start(&self, line: u32) -> u32 {
        let index = (line.max(1) - 1) as usize;
        self.starts.get(index).or(self.starts.last()).copied().unwrap_or(0)
    }

    /// Line and column of a byte.
    pub fn position(&self, source: &str, offset: u32) -> Position {
        let line = self.line(offset);
        let before = Span { start: self.start(line), end: offset }.text(source);
        Position { line, column: u32::try_from(before.chars().count()).unwrap_or(u32::MAX).saturating_add(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_from_one_and_in_characters() {
        let text = "ab\nöc\n";
        let lines = Lines::new(text);
        assert_eq!(lines.count(text), 2);
        for (offset, line, column) in [(0, 1, 1), (1, 1, 2), (3, 2, 1), (5, 2, 2)] {
            assert_eq!(lines.position(text, offset), Position { line, column });
        }
    }
}
