//! What programs said, made fit to be read: bounded whatever its size, without colours, in lines.

use regex::Regex;
use std::collections::VecDeque;
use std::io::Read;
use std::sync::LazyLock;

/// Bytes that are kept of the beginning and of the end. Errors stand at the end, what caused them often at the
/// beginning; between them nobody looks.
const KEPT: usize = 1024 * 1024;
/// Characters of a line that are kept.
const LINE: usize = 2000;
/// Bytes of a line of a tool's JSON that are kept: cut, it could not be read at all.
const JSON_LINE: usize = 256 * 1024;
/// Lines that are looked at.
const LINES: usize = 60_000;

/// The beginning and the end of what a program said.
#[derive(Debug, Clone, Default)]
pub struct Said {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
}

impl Said {
    /// All of these bytes, as far as they are kept.
    pub fn of(bytes: &[u8]) -> Self {
        let mut said = Self::default();
        said.add(bytes);
        said
    }

    /// Everything that a reader gives, as far as it is kept: memory stays small however much comes.
    pub fn read(mut reader: impl Read) -> std::io::Result<Self> {
        let mut said = Self::default();
        let mut piece = vec![0; 64 * 1024];
        loop {
            match reader.read(&mut piece) {
                Ok(0) => return Ok(said),
                Ok(count) => said.add(&piece[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Appends bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let (first, rest) = bytes.split_at(bytes.len().min(KEPT - self.head.len()));
        self.head.extend_from_slice(first);
        let rest = &rest[rest.len().saturating_sub(KEPT)..];
        let over = (self.tail.len() + rest.len()).saturating_sub(KEPT);
        self.tail.drain(..over.min(self.tail.len()));
        self.tail.extend(rest);
    }

    /// What is kept, as text.
    pub fn text(&self) -> String {
        let (one, two) = self.tail.as_slices();
        String::from_utf8_lossy(&[self.head.as_slice(), one, two].concat()).into_owned()
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The first bytes.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// What was left out, if something was.
    pub fn gap(&self) -> Option<String> {
        let omitted = self.omitted();
        (omitted > 0).then(|| format!("{omitted} bytes between the first and the last {KEPT} were not read"))
    }

    /// Bytes that were left out.
    pub fn omitted(&self) -> u64 {
        self.total - (self.head.len() + self.tail.len()) as u64
    }
}

/// What a program said, in lines.
#[derive(Debug, Clone, Default)]
pub struct Log {
    /// The lines, without colours and control characters, cut to a bound.
    pub lines: Vec<String>,
    /// What had to be left out or was not text.
    pub notes: Vec<String>,
}

static COLOUR: LazyLock<Regex> = LazyLock::new(|| {
    super::raw::pattern(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
});

impl Log {
    /// The lines of what was said.
    pub fn new(said: &Said) -> Self {
        let mut log = Self::default();
        log.push(&said.head);
        log.notes.extend(said.gap());
        let (one, two) = said.tail.as_slices();
        log.push(&[one, two].concat());
        if log.lines.len() > LINES {
            let over = log.lines.len() - LINES;
            log.lines.drain(LINES / 2..LINES / 2 + over);
            log.notes.push(format!("{over} lines in the middle were not read"));
        }
        let strange =
            said.head.iter().take(4096).filter(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31)).count();
        if strange * 10 > said.head.len().min(4096) {
            log.notes.push("the output is binary; only what looks like text in it was read".into());
        }
        log
    }

    /// The lines of a text.
    pub fn of(text: &str) -> Self {
        Self::new(&Said::of(text.as_bytes()))
    }

    fn push(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let text = COLOUR.replace_all(&text, "");
        for line in text.lines() {
            // A carriage return inside a line is a progress bar that wrote over itself.
            let line = line.trim_end_matches('\r').rsplit('\r').next().unwrap_or_default();
            let clean = |c: &char| *c == '\t' || !c.is_control();
            let most = if line.starts_with("{\"") { JSON_LINE } else { LINE };
            self.lines.push(line.chars().take(most).filter(clean).collect::<String>().trim_end().to_owned());
        }
    }

    /// A line, empty beyond the end.
    pub fn line(&self, index: usize) -> &str {
        self.lines.get(index).map_or("", String::as_str)
    }

    /// Whether some line holds this.
    pub fn holds(&self, words: &str) -> bool {
        self.lines.iter().any(|line| line.contains(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_progress_bars_go() {
        let log = Log::of("\x1b[1;31merror\x1b[0m: x\r\n10%\r20%\rdone\n\x1b]0;title\x07end\n");
        assert_eq!(log.lines, ["error: x", "done", "end"]);
    }

    #[test]
    fn a_flood_is_cut_in_the_middle() {
        let mut said = Said::default();
        said.add(b"first\n");
        for _ in 0..64 {
            said.add(&[b'x'; 1024 * 1024]);
        }
        said.add(b"\nlast\n");
        let log = Log::new(&said);
        assert_eq!(log.lines.first().unwrap(), "first");
        assert_eq!(log.lines.last().unwrap(), "last");
        assert_eq!(log.notes.len(), 1);
        assert!(log.lines.iter().all(|line| line.len() <= LINE));
    }

    #[test]
    fn binary_output_is_said_to_be_so() {
        let bytes: Vec<u8> = (0..100_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        assert!(Log::new(&Said::of(&bytes)).notes.iter().any(|note| note.contains("binary")));
        assert!(Log::of("plain\ttext\n").notes.is_empty());
    }
}
