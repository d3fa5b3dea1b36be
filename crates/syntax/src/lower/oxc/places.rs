//! Places that oxc's tree does not hold.

use super::Reading;
use crate::lines::Span;

impl Reading<'_> {
    pub(super) fn byte(&self, at: u32) -> Option<u8> {
        self.source.as_bytes().get(at as usize).copied()
    }

    /// The first byte from `at` on that is neither space nor comment.
    pub(super) fn skip(&self, at: u32) -> u32 {
        let mut at = at as usize;
        let bytes = self.source.as_bytes();
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            at += match rest {
                [b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, ..] => 1,
                [b'/', b'/', ..] => rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()),
                [b'/', b'*', ..] => {
                    rest.windows(2).skip(2).position(|two| two == b"*/").map_or(rest.len(), |end| end + 4)
                }
                // A space of another script.
                [0xc2..=0xef, ..] => match self.source.get(at..).and_then(|rest| rest.chars().next()) {
                    Some(c) if c.is_whitespace() || c == '\u{feff}' => c.len_utf8(),
                    _ => break,
                },
                _ => break,
            };
        }
        u32::try_from(at).unwrap_or(u32::MAX)
    }

    /// Where the next word or mark stands after the one at `at`.
    pub(super) fn after(&self, at: u32, word: &str) -> u32 {
        let end = at + u32::try_from(word.len()).unwrap_or(0);
        if (Span { start: at, end }).text(self.source) == word { self.skip(end) } else { at }
    }

    /// What stands in brackets, with them; none where something else is around.
    pub(super) fn bracketed(&self, inner: Span) -> Option<Span> {
        let before = self.source.get(..inner.start as usize)?.trim_end();
        let start = u32::try_from(before.strip_suffix('[')?.len()).ok()?;
        let end = self.skip(inner.end);
        (self.byte(end) == Some(b']')).then_some(Span { start, end: end + 1 })
    }

    /// A span without the mark that ends it.
    pub(super) fn unmarked(&self, place: Span) -> Span {
        let text = place.text(self.source);
        let kept = text.trim_end_matches([';', ',']).trim_end();
        Span { start: place.start, end: place.start + u32::try_from(kept.len()).unwrap_or(0) }
    }
}
