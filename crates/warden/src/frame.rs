//! Pieces of a byte stream: four bytes of length, one of kind, then the content. Output of a program is most of what
//! travels, so that it travels as it is.

use std::io::{self, Write};

/// A piece's largest content. An order carries the input files; all else is far smaller.
pub const MAX_CONTENT: usize = 1 << 30;
/// Bytes before the content.
pub const HEADER: usize = 5;

/// Contents up to this size travel together with what stands before them.
const SMALL: usize = 4096;

/// What a piece is. The first half goes to the warden, the second comes from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// The order, once, first.
    Order = 1,
    /// The next bytes of standard input; sent only when the warden has taken the last.
    Input,
    /// Standard input ends here.
    InputEnds,
    /// End everything.
    Kill,
    /// Tell which files there are.
    List,
    /// Send the file of this number in the list.
    Fetch,
    /// Nothing more is wanted.
    Bye,
    /// Interrupt the program, as Ctrl-C does.
    Interrupt,

    /// The program runs.
    Started = 64,
    /// It could not be started: an error number.
    NotStarted,
    /// A step failed: the step and an error number.
    Failed,
    /// Standard output.
    Output,
    /// Standard error.
    Error,
    /// The last input was taken.
    Taken,
    /// What is used.
    Sample,
    /// How it ended.
    Ended,
    /// A part of the list of files; an empty one ends it.
    Entries,
    /// A file's content.
    Content,
    /// A file could not be read: why.
    Unreadable,
    /// The warden is there, and waits for its order.
    Awake,
}

impl Kind {
    const ALL: [Self; 20] = [
        Self::Order,
        Self::Input,
        Self::InputEnds,
        Self::Kill,
        Self::List,
        Self::Fetch,
        Self::Bye,
        Self::Interrupt,
        Self::Started,
        Self::NotStarted,
        Self::Failed,
        Self::Output,
        Self::Error,
        Self::Taken,
        Self::Sample,
        Self::Ended,
        Self::Entries,
        Self::Content,
        Self::Unreadable,
        Self::Awake,
    ];

    fn of(byte: u8) -> io::Result<Self> {
        let known = Self::ALL.into_iter().find(|kind| *kind as u8 == byte);
        known.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, format!("a piece of kind {byte}")))
    }
}

/// The bytes before a content.
pub fn header(kind: Kind, length: usize) -> [u8; HEADER] {
    let [a, b, c, d] = (length as u32).to_le_bytes();
    [a, b, c, d, kind as u8]
}

/// Writes one piece, a small one at once.
pub fn write(to: &mut impl Write, kind: Kind, content: &[u8]) -> io::Result<()> {
    let head = header(kind, content.len());
    if content.len() <= SMALL {
        to.write_all(&[&head, content].concat())?;
    } else {
        to.write_all(&head)?;
        to.write_all(content)?;
    }
    to.flush()
}

fn parse(head: [u8; HEADER]) -> io::Result<(usize, Kind)> {
    let [a, b, c, d, kind] = head;
    let length = u32::from_le_bytes([a, b, c, d]) as usize;
    if length > MAX_CONTENT {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a piece of {length} bytes")));
    }
    Ok((length, Kind::of(kind)?))
}

/// Puts pieces together from bytes as they come.
#[derive(Debug, Default)]
pub struct Assembler {
    bytes: Vec<u8>,
    used: usize,
}

impl Assembler {
    /// Takes what has come.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.used > 0 {
            self.bytes.drain(..self.used);
            self.used = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole piece, if it is there.
    pub fn piece(&mut self) -> io::Result<Option<(Kind, &[u8])>> {
        let waiting = &self.bytes[self.used..];
        let Some(head) = waiting.first_chunk::<HEADER>() else { return Ok(None) };
        let (length, kind) = parse(*head)?;
        if waiting.len() < HEADER + length {
            return Ok(None);
        }
        let begin = self.used + HEADER;
        self.used = begin + length;
        Ok(Some((kind, &self.bytes[begin..self.used])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_survive_any_cut() {
        let mut stream = Vec::new();
        write(&mut stream, Kind::Output, b"hello").unwrap();
        write(&mut stream, Kind::Ended, b"").unwrap();
        for cut in 0..=stream.len() {
            let mut assembler = Assembler::default();
            let mut got = Vec::new();
            for part in [&stream[..cut], &stream[cut..]] {
                assembler.push(part);
                while let Some((kind, content)) = assembler.piece().unwrap() {
                    got.push((kind, content.to_vec()));
                }
            }
            assert_eq!(got, [(Kind::Output, b"hello".to_vec()), (Kind::Ended, Vec::new())], "cut at {cut}");
        }
    }

    #[test]
    fn what_is_no_piece_is_refused() {
        for bytes in [&[0, 0, 0, 0, 200][..], &[255, 255, 255, 255, 1]] {
            let mut assembler = Assembler::default();
            assembler.push(bytes);
            assert!(assembler.piece().is_err());
        }
    }

    #[test]
    fn every_kind_has_its_number() {
        for kind in Kind::ALL {
            assert_eq!(Kind::of(kind as u8).unwrap(), kind);
        }
    }
}
