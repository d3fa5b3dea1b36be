//! The program's standard input. Whether it takes what it is given is its own affair; nobody waits for it.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// Our end of it.
pub struct Input {
    to: Option<File>,
    given: Vec<u8>,
    written: usize,
    ends: bool,
}

impl Input {
    /// By this pipe.
    pub fn new(to: OwnedFd) -> io::Result<Self> {
        rustix::fs::fcntl_setfl(&to, rustix::fs::OFlags::NONBLOCK)?;
        Ok(Self { to: Some(File::from(to)), given: Vec::new(), written: 0, ends: false })
    }

    /// To wait until the program takes more, where there is more.
    pub fn stream(&self) -> Option<BorrowedFd<'_>> {
        self.to.as_ref().filter(|_| self.written < self.given.len()).map(AsFd::as_fd)
    }

    /// The next bytes.
    pub fn give(&mut self, bytes: Vec<u8>) {
        self.given = bytes;
        self.written = 0;
    }

    /// Nothing comes after what was given.
    pub fn end(&mut self) {
        self.ends = true;
        if self.written >= self.given.len() {
            self.to = None;
        }
    }

    /// Lets the program have what it takes now; whether that was the last of what was given.
    pub fn push(&mut self) -> bool {
        while let Some(to) = self.to.as_mut().filter(|_| self.written < self.given.len()) {
            match to.write(&self.given[self.written..]) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return false,
                // Nobody reads it any more.
                Err(_) => self.to = None,
            }
        }
        self.given = Vec::new();
        self.written = 0;
        if self.ends {
            self.to = None;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn what_is_given_arrives_whole_and_then_ends() {
        let (from, to) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).unwrap();
        let mut input = Input::new(to).unwrap();
        input.give(vec![7; 200_000]);
        assert!(!input.push(), "a pipe holds less");
        input.end();
        assert!(input.stream().is_some());
        let mut from = File::from(from);
        let mut got = vec![0; 50_000];
        from.read_exact(&mut got).unwrap();
        while !input.push() {
            from.read_exact(&mut got[..10_000]).unwrap();
        }
        let mut rest = Vec::new();
        from.read_to_end(&mut rest).unwrap();
        assert!(input.stream().is_none() && rest.iter().all(|byte| *byte == 7));
    }

    #[test]
    fn a_program_that_does_not_listen_is_no_hindrance() {
        let (from, to) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).unwrap();
        let mut input = Input::new(to).unwrap();
        drop(from);
        input.give(vec![1; 10]);
        assert!(input.push() && input.stream().is_none());
        input.give(vec![1; 10]);
        assert!(input.push());
    }
}
