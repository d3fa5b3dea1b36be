//! The one framing of every stream to and from the guest agent: four bytes of length, then so many bytes of content.
//!
//! A session's content is one message. Most of what a run sends is a program's output, which travels as it is: there the first
//! byte of the content is a tag, and the rest belongs to it. The drivers of interpreters use the same lengths.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::io::{self, Write};

/// Bytes of length before each content.
pub const LENGTH: usize = 4;
/// Bytes before what belongs to a tag.
pub const HEADER: usize = LENGTH + 1;

/// Contents up to this size are written together with what stands before them.
const SMALL: usize = 4096;

/// What is on the stream is no frame of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Malformed {
    /// It claims more bytes than the stream's bound allows.
    TooLong(usize),
    /// Its tag is unknown, or missing.
    Tag(Option<u8>),
    /// Its content is not the message that it should be.
    Content,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(length) => write!(f, "a frame of {length} bytes"),
            Self::Tag(Some(tag)) => write!(f, "a frame with the unknown tag {tag}"),
            Self::Tag(None) => write!(f, "a frame without a tag"),
            Self::Content => write!(f, "a frame without a message"),
        }
    }
}

impl std::error::Error for Malformed {}

impl From<Malformed> for io::Error {
    fn from(malformed: Malformed) -> Self {
        Self::new(io::ErrorKind::InvalidData, malformed)
    }
}

/// A length as it is sent. What does not fit is sent as the largest there is, which every reader refuses.
fn length(bytes: usize) -> [u8; LENGTH] {
    u32::try_from(bytes).unwrap_or(u32::MAX).to_le_bytes()
}

/// The bytes before `bytes` bytes that belong to a tag.
pub fn header(tag: impl Into<u8>, bytes: usize) -> [u8; HEADER] {
    let [a, b, c, d] = length(bytes.saturating_add(1));
    [a, b, c, d, tag.into()]
}

/// Writes a tagged frame, a small one at once.
pub fn write(to: &mut impl Write, tag: impl Into<u8>, content: &[u8]) -> io::Result<()> {
    let head = header(tag, content.len());
    if content.len() <= SMALL {
        to.write_all(&[&head, content].concat())?;
    } else {
        to.write_all(&head)?;
        to.write_all(content)?;
    }
    to.flush()
}

/// A message as a frame.
pub fn encode(message: &impl Serialize) -> Vec<u8> {
    // What cannot be written as a message becomes an empty frame, which every reader refuses.
    let content = postcard::to_allocvec(message).unwrap_or_default();
    [&length(content.len())[..], &content].concat()
}

/// Puts frames together from bytes as they come.
#[derive(Debug)]
pub struct Assembler {
    most: usize,
    bytes: Vec<u8>,
    used: usize,
}

impl Assembler {
    /// For frames with at most so many bytes of content.
    pub fn new(most: usize) -> Self {
        Self { most, bytes: Vec::new(), used: 0 }
    }

    /// Takes what has come.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.used > 0 {
            self.bytes.drain(..self.used);
            self.used = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The content of the next whole frame, if it is there.
    pub fn content(&mut self) -> Result<Option<&[u8]>, Malformed> {
        let waiting = &self.bytes[self.used..];
        let Some((length, rest)) = waiting.split_first_chunk::<LENGTH>() else { return Ok(None) };
        let length = u32::from_le_bytes(*length) as usize;
        if length > self.most {
            return Err(Malformed::TooLong(length));
        }
        if rest.len() < length {
            return Ok(None);
        }
        let begin = self.used + LENGTH;
        self.used = begin + length;
        Ok(Some(&self.bytes[begin..self.used]))
    }

    /// The next whole frame as a tag and what belongs to it.
    pub fn tagged<T: TryFrom<u8>>(&mut self) -> Result<Option<(T, &[u8])>, Malformed> {
        let Some(content) = self.content()? else { return Ok(None) };
        let (tag, content) = content.split_first().ok_or(Malformed::Tag(None))?;
        match T::try_from(*tag) {
            Ok(known) => Ok(Some((known, content))),
            Err(_) => Err(Malformed::Tag(Some(*tag))),
        }
    }

    /// The next whole frame as a message.
    pub fn message<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Malformed> {
        match self.content()? {
            Some(content) => postcard::from_bytes(content).map(Some).map_err(|_| Malformed::Content),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::run::{self, Kind};
    use crate::message::session::{self, Report};

    #[test]
    fn tagged_frames_survive_any_cut() {
        let mut stream = Vec::new();
        write(&mut stream, Kind::Output, b"hello").unwrap();
        write(&mut stream, Kind::Ended, b"").unwrap();
        for cut in 0..=stream.len() {
            let mut assembler = Assembler::new(run::LARGEST);
            let mut got = Vec::new();
            for part in [&stream[..cut], &stream[cut..]] {
                assembler.push(part);
                while let Some((kind, content)) = assembler.tagged().unwrap() {
                    got.push((kind, content.to_vec()));
                }
            }
            assert_eq!(got, [(Kind::Output, b"hello".to_vec()), (Kind::Ended, Vec::new())], "cut at {cut}");
        }
    }

    #[test]
    fn messages_come_whole_whatever_the_pieces() {
        let sent = [
            Report::Output(vec![0; 1000]),
            Report::Written,
            Report::Reply { number: 7, bytes: b"x".to_vec() },
        ];
        let stream: Vec<u8> = sent.iter().flat_map(encode).collect();
        for size in [1, 3, 7, 1000, stream.len()] {
            let mut assembler = Assembler::new(session::LARGEST);
            let mut got = Vec::new();
            for piece in stream.chunks(size) {
                assembler.push(piece);
                while let Some(message) = assembler.message::<Report>().unwrap() {
                    got.push(message);
                }
            }
            assert_eq!(got, sent, "{size}");
        }
    }

    #[test]
    fn what_is_no_frame_is_refused() {
        let cases = [
            (&[0xff; 4][..], Malformed::TooLong(u32::MAX as usize)),
            (&[9, 0, 0, 0], Malformed::TooLong(9)),
            (&[1, 0, 0, 0, 200], Malformed::Tag(Some(200))),
            (&[0, 0, 0, 0], Malformed::Tag(None)),
        ];
        for (bytes, why) in cases {
            let mut assembler = Assembler::new(8);
            assembler.push(bytes);
            assert_eq!(assembler.tagged::<Kind>(), Err(why), "{bytes:?}");
        }
        let mut assembler = Assembler::new(8);
        assembler.push(&[1, 0, 0, 0, 0xee]);
        assert_eq!(assembler.message::<Report>(), Err(Malformed::Content));
    }

    #[test]
    fn a_length_that_cannot_be_sent_is_refused_by_the_reader() {
        let mut assembler = Assembler::new(run::LARGEST);
        assembler.push(&header(Kind::Order, usize::MAX));
        assert_eq!(assembler.tagged::<Kind>(), Err(Malformed::TooLong(u32::MAX as usize)));
    }
}
