//! What the controller says, piece by piece.

use formicary_warden::frame::{Assembler, Kind};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};

const AT_ONCE: usize = 64 * 1024;

/// One piece.
pub type Piece = (Kind, Vec<u8>);

/// The stream of orders.
pub struct Orders {
    from: File,
    buffer: Vec<u8>,
    heard: Assembler,
    later: VecDeque<Piece>,
}

impl Orders {
    /// From this stream.
    pub fn new(from: File) -> Self {
        Self { from, buffer: vec![0; AT_ONCE], heard: Assembler::default(), later: VecDeque::new() }
    }

    /// To wait for more.
    pub fn stream(&self) -> BorrowedFd<'_> {
        self.from.as_fd()
    }

    /// Keeps a piece for those who come later.
    pub fn keep(&mut self, piece: Piece) {
        self.later.push_back(piece);
    }

    /// Takes what has come, waiting for it; whether anybody is left who could say more.
    pub fn hear(&mut self) -> io::Result<bool> {
        loop {
            match self.from.read(&mut self.buffer) {
                Ok(count) => {
                    self.heard.push(&self.buffer[..count]);
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The next whole piece of what has come.
    pub fn piece(&mut self) -> io::Result<Option<Piece>> {
        Ok(self.heard.piece()?.map(|(kind, content)| (kind, content.to_vec())))
    }

    /// The next piece, waiting for it. `None`: nobody is left to say anything.
    pub fn wait(&mut self) -> io::Result<Option<Piece>> {
        if let Some(kept) = self.later.pop_front() {
            return Ok(Some(kept));
        }
        loop {
            if let Some(piece) = self.piece()? {
                return Ok(Some(piece));
            }
            if !self.hear()? {
                return Ok(None);
            }
        }
    }
}
