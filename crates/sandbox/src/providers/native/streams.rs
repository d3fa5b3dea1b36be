//! Standard input, output and error of a running payload.

use crate::capture::Capture;
use crate::job::Captured;
use crate::provider::Stdin;
use crate::sys::poll::{self, Interest};
use crate::sys::socket;
use formicary_model::Stream;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::time::Duration;

/// How much of what a dying interpreter says is read.
const MOST_WORDS: usize = 64 * 1024;

/// Our ends of the three streams.
pub struct Streams {
    input: Option<Pending>,
    output: Output,
    error: Output,
}

/// Bytes that the payload has yet to take.
struct Pending {
    pipe: OwnedFd,
    bytes: Vec<u8>,
    given: usize,
}

struct Output {
    pipe: Option<OwnedFd>,
    kept: Capture,
}

/// The payload's ends, to be handed over and then closed here.
#[derive(Debug)]
pub struct Theirs([OwnedFd; 3]);

impl Theirs {
    /// As descriptors 0, 1 and 2.
    pub fn descriptors(&self) -> [RawFd; 3] {
        [0, 1, 2].map(|i| self.0[i].as_raw_fd())
    }
}

/// Our ends of the pipes, before anything goes through them.
#[derive(Debug)]
pub struct Pipes([OwnedFd; 3]);

impl Pipes {
    /// Makes them.
    pub fn new() -> io::Result<(Self, Theirs)> {
        let (their_input, input) = socket::pipe()?;
        let (output, their_output) = socket::pipe()?;
        let (error, their_error) = socket::pipe()?;
        for pipe in [&output, &error] {
            socket::set_nonblocking(pipe)?;
        }
        Ok((Self([input, output, error]), Theirs([their_input, their_output, their_error])))
    }

    /// Begins to feed `stdin` in. At most `keep` bytes of each output are kept.
    pub fn open(self, stdin: Stdin, keep: u64) -> io::Result<Streams> {
        let Self([input, output, error]) = self;
        let new = |pipe| Output { pipe: Some(pipe), kept: Capture::new(keep) };
        Ok(Streams { input: feed(stdin, input)?, output: new(output), error: new(error) })
    }

    /// Takes what was written to the error stream, until it ends or nothing more comes for `patience`.
    pub fn last_words(&self, patience: Duration) -> String {
        let (mut said, mut buffer) = (Vec::new(), [0; 4096]);
        while said.len() < MOST_WORDS && poll::wait([(Some(&self.0[2]), Interest::Read)], patience)[0] {
            match socket::read(&self.0[2], &mut buffer) {
                Ok(got @ 1..) => said.extend_from_slice(&buffer[..got]),
                _ => break,
            }
        }
        String::from_utf8_lossy(&said).into_owned()
    }

    /// Gives them to another user, so that a program can open its own streams by name; only root can.
    pub fn give_to(&self, (user, group): (u32, u32)) {
        for pipe in &self.0 {
            socket::give(pipe, user, group);
        }
    }
}

impl Streams {
    /// The descriptor that can be read, while there is one.
    pub fn readable(&self, stream: Stream) -> Option<&OwnedFd> {
        self.of(stream).pipe.as_ref()
    }

    /// The descriptor that can be written, while there is something to write.
    pub fn writable(&self) -> Option<&OwnedFd> {
        self.input.as_ref().map(|pending| &pending.pipe)
    }

    /// Takes one helping and shows it to `tell`. `false`: there is nothing now, or nothing any more.
    pub fn take(&mut self, stream: Stream, buffer: &mut [u8], tell: impl FnOnce(&[u8])) -> bool {
        let output = match stream {
            Stream::Stdout => &mut self.output,
            Stream::Stderr => &mut self.error,
        };
        let Some(pipe) = &output.pipe else { return false };
        match socket::read(pipe, buffer) {
            Ok(got @ 1..) => {
                output.kept.push(&buffer[..got]);
                tell(&buffer[..got]);
                true
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => true,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => false,
            Ok(_) | Err(_) => {
                output.pipe = None;
                false
            }
        }
    }

    /// Gives the payload as much as it has room for.
    pub fn give(&mut self) {
        let Some(pending) = &mut self.input else { return };
        match socket::write(&pending.pipe, &pending.bytes[pending.given..]) {
            Ok(count) => pending.given += count,
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                return;
            }
            Err(_) => pending.given = pending.bytes.len(),
        }
        if pending.given == pending.bytes.len() {
            self.input = None;
        }
    }

    /// Bytes written so far, both outputs together.
    pub fn written(&self) -> u64 {
        self.output.kept.total() + self.error.kept.total()
    }

    /// What was kept of stdout and stderr.
    pub fn finish(self) -> (Captured, Captured) {
        (self.output.kept.finish(), self.error.kept.finish())
    }

    fn of(&self, stream: Stream) -> &Output {
        match stream {
            Stream::Stdout => &self.output,
            Stream::Stderr => &self.error,
        }
    }
}

/// Bytes are given as there is room; a reader that may block gets a thread of its own.
fn feed(stdin: Stdin, pipe: OwnedFd) -> io::Result<Option<Pending>> {
    match stdin {
        Stdin::Bytes(bytes) if bytes.is_empty() => Ok(None),
        Stdin::Bytes(bytes) => {
            socket::set_nonblocking(&pipe)?;
            Ok(Some(Pending { pipe, bytes, given: 0 }))
        }
        Stdin::Reader(mut reader) => {
            std::thread::Builder::new()
                .name("formicary-stdin".into())
                .spawn(move || pump(&mut *reader, &pipe))?;
            Ok(None)
        }
    }
}

/// Ends with the reader, or when nobody reads the pipe any more.
fn pump(reader: &mut dyn Read, pipe: &OwnedFd) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(got @ 1..) = reader.read(&mut buffer) {
        let mut rest = &buffer[..got];
        while !rest.is_empty() {
            match socket::write(pipe, rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }
}
