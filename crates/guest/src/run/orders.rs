//! What the controller of a run says, frame by frame.

use crate::stream::Incoming;
use formicary_guest::message::run::{Kind, LARGEST};
use std::collections::VecDeque;
use std::io;
use std::os::fd::BorrowedFd;

/// One of its frames.
pub type Piece = (Kind, Vec<u8>);

/// The stream of orders.
pub struct Orders {
    from: Incoming,
    later: VecDeque<Piece>,
}

impl Orders {
    /// Those on our standard input.
    pub fn standard() -> io::Result<Self> {
        Ok(Self { from: Incoming::standard(LARGEST)?, later: VecDeque::new() })
    }

    /// To wait for more.
    pub fn stream(&self) -> BorrowedFd<'_> {
        self.from.stream()
    }

    /// Keeps a piece for those who come later.
    pub fn keep(&mut self, piece: Piece) {
        self.later.push_back(piece);
    }

    /// Takes what has come, waiting for it; whether anybody is left who could say more.
    pub fn hear(&mut self) -> io::Result<bool> {
        self.from.receive()
    }

    /// The next whole piece of what has come.
    pub fn piece(&mut self) -> io::Result<Option<Piece>> {
        Ok(self.from.frames.tagged()?.map(|(kind, content)| (kind, content.to_vec())))
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
