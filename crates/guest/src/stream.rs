//! The agent's own standard streams: what the controller sends, and what it is told.

use formicary_guest::frame::{self, Assembler};
use formicary_guest::message::run::Kind;
use formicary_guest::message::session::Report;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};

/// Bytes that are read at once.
const AT_ONCE: usize = 64 * 1024;

/// What comes from the controller.
pub struct Incoming {
    from: File,
    buffer: Vec<u8>,
    /// What has come, to be taken frame by frame.
    pub frames: Assembler,
}

impl Incoming {
    /// Our standard input, closed to everyone we start. A frame holds at most so many bytes.
    pub fn standard(most: usize) -> io::Result<Self> {
        let from = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        Ok(Self { from, buffer: vec![0; AT_ONCE], frames: Assembler::new(most) })
    }

    /// To wait for more.
    pub fn stream(&self) -> BorrowedFd<'_> {
        self.from.as_fd()
    }

    /// Takes what has come, waiting for it; whether anybody is left who could send more.
    pub fn receive(&mut self) -> io::Result<bool> {
        loop {
            match self.from.read(&mut self.buffer) {
                Ok(count) => {
                    self.frames.push(&self.buffer[..count]);
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// What goes to the controller.
pub struct Outgoing(File);

impl Outgoing {
    /// Our standard output, closed to everyone we start.
    pub fn standard() -> io::Result<Self> {
        Ok(Self(File::from(io::stdout().as_fd().try_clone_to_owned()?)))
    }

    /// Sends bytes of a run. Whoever listened may be gone: the end of our own orders will say so.
    pub fn send(&mut self, kind: Kind, content: &[u8]) {
        let _ = frame::write(self, kind, content);
    }

    /// Sends what is more than bytes.
    pub fn send_value(&mut self, kind: Kind, value: &impl serde::Serialize) {
        if let Ok(content) = postcard::to_allocvec(value) {
            self.send(kind, &content);
        }
    }

    /// Sends a report of a session. Without anybody who listens, there is nothing left to do here.
    pub fn report(&mut self, report: &Report) {
        if self.write_all(&frame::encode(report)).is_err() {
            std::process::exit(1);
        }
    }
}

impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
