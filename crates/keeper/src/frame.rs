//! Messages on a stream: four bytes of length, then the message.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Bytes of one message at the most. Larger files are not moved by message.
pub const LARGEST: usize = 80 * 1024 * 1024;

/// What is on the stream is not a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Garbled;

/// A message with its length before it.
pub fn frame(message: &impl Serialize) -> Vec<u8> {
    let body = postcard::to_allocvec(message).unwrap_or_default();
    let mut bytes = Vec::with_capacity(body.len() + 4);
    bytes.extend_from_slice(&(body.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&body);
    bytes
}

/// Puts pieces of a stream together into messages.
#[derive(Debug, Default)]
pub struct Unframe {
    bytes: Vec<u8>,
    read: usize,
}

impl Unframe {
    /// Takes the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        if self.read > 0 {
            self.bytes.drain(..self.read);
            self.read = 0;
        }
        self.bytes.extend_from_slice(piece);
    }

    /// The next raw message, if it is whole.
    pub fn next_raw(&mut self) -> Result<Option<&[u8]>, Garbled> {
        let rest = &self.bytes[self.read..];
        let Some((length, body)) = rest.split_first_chunk::<4>() else { return Ok(None) };
        let length = u32::from_le_bytes(*length) as usize;
        if length > LARGEST {
            return Err(Garbled);
        }
        if body.len() < length {
            return Ok(None);
        }
        let start = self.read + 4;
        self.read = start + length;
        Ok(Some(&self.bytes[start..self.read]))
    }

    /// The next message, if it is whole.
    pub fn next_message<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Garbled> {
        match self.next_raw()? {
            Some(raw) => postcard::from_bytes(raw).map(Some).map_err(|_| Garbled),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Report;

    #[test]
    fn messages_come_whole_whatever_the_pieces() {
        let sent = [
            Report::Output(vec![0; 1000]),
            Report::Written,
            Report::Reply { number: 7, bytes: b"x".to_vec() },
        ];
        let stream: Vec<u8> = sent.iter().flat_map(frame).collect();
        for size in [1, 3, 7, 1000, stream.len()] {
            let mut unframe = Unframe::default();
            let mut got = Vec::new();
            for piece in stream.chunks(size) {
                unframe.push(piece);
                while let Some(message) = unframe.next_message::<Report>().unwrap() {
                    got.push(message);
                }
            }
            assert_eq!(got, sent, "{size}");
        }
    }

    #[test]
    fn what_is_no_message_is_told() {
        for bytes in [&[0xff; 4][..], &[1, 0, 0, 0, 0xee]] {
            let mut unframe = Unframe::default();
            unframe.push(bytes);
            assert_eq!(unframe.next_message::<Report>(), Err(Garbled), "{bytes:?}");
        }
    }
}
