//! Keeping the head and the tail of an endless stream in bounded memory.

use crate::job::Captured;

/// Collects a stream.
#[derive(Debug)]
pub struct Capture {
    head: Vec<u8>,
    tail: Vec<u8>,
    head_room: usize,
    tail_room: usize,
    total: u64,
}

impl Capture {
    /// Keeps at most `limit` bytes: the first half of them and the last.
    pub fn new(limit: u64) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let tail_room = limit / 2;
        Self { head: Vec::new(), tail: Vec::new(), head_room: limit - tail_room, tail_room, total: 0 }
    }

    /// Takes the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        self.total += piece.len() as u64;
        let (first, rest) = piece.split_at(piece.len().min(self.head_room - self.head.len()));
        self.head.extend_from_slice(first);
        let rest = &rest[rest.len().saturating_sub(self.tail_room)..];
        self.tail.extend_from_slice(rest);
        // Letting the tail grow to twice its room before it is cut makes the cutting cheap.
        if self.tail.len() >= 2 * self.tail_room.max(1) {
            self.cut_tail();
        }
    }

    /// Bytes seen so far.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// What was kept.
    pub fn finish(mut self) -> Captured {
        self.cut_tail();
        if self.total == (self.head.len() + self.tail.len()) as u64 {
            self.head.append(&mut self.tail);
        }
        Captured { head: self.head, tail: self.tail, total: self.total }
    }

    fn cut_tail(&mut self) {
        let excess = self.tail.len().saturating_sub(self.tail_room);
        self.tail.drain(..excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(limit: u64, pieces: &[&str], head: &str, tail: &str) {
        let mut capture = Capture::new(limit);
        pieces.iter().for_each(|piece| capture.push(piece.as_bytes()));
        let kept = capture.finish();
        assert_eq!((kept.head.as_slice(), kept.tail.as_slice()), (head.as_bytes(), tail.as_bytes()));
        assert_eq!(kept.total, pieces.iter().map(|piece| piece.len() as u64).sum::<u64>());
        assert_eq!(kept.omitted(), kept.total - (head.len() + tail.len()) as u64);
    }

    #[test]
    fn what_fits_is_kept_whole() {
        check(8, &[], "", "");
        check(8, &["abc", "def"], "abcdef", "");
        check(8, &["abcdefgh"], "abcdefgh", "");
    }

    #[test]
    fn what_does_not_keeps_its_ends() {
        check(8, &["abcdefghi"], "abcd", "fghi");
        check(8, &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"], "abcd", "klmn");
        check(8, &["abcdefghijklmnopqrstuvwxyz", "0123456789"], "abcd", "6789");
        check(1, &["abc"], "a", "");
    }

    #[test]
    fn memory_stays_bounded() {
        let mut capture = Capture::new(1024);
        for _ in 0..10_000 {
            capture.push(&[b'x'; 777]);
        }
        assert!(capture.tail.capacity() < 8 * 1024);
        assert_eq!(capture.finish().omitted(), 7_770_000 - 1024);
    }
}
