//! The program's standard streams, and handing descriptors from process to process.

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags,
};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{ExitCode, Stdio};

/// The word that makes a copy of the warden a maker of pipes.
pub const WORD: &str = "pipes";

/// Read end, write end.
pub type Pipe = (OwnedFd, OwnedFd);

/// Pipes for input, output and errors. The device names of the streams can be opened by their maker's user alone, so that
/// a copy of the warden makes them as that user.
#[expect(clippy::disallowed_types, reason = "the warden starts a copy of itself")]
pub fn three(owner: Option<(u32, u32)>) -> io::Result<[Pipe; 3]> {
    let Some((user, group)) = owner else { return make() };
    let (ours, theirs) = UnixStream::pair()?;
    let mut maker = std::process::Command::new("/proc/self/exe")
        .arg(WORD)
        .env_clear()
        .uid(user)
        .gid(group)
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let ends = receive(&ours);
    maker.wait()?;
    let mut ends = ends?.into_iter();
    let mut next = || ends.next().ok_or_else(|| io::Error::other("six descriptors were promised"));
    Ok([(next()?, next()?), (next()?, next()?), (next()?, next()?)])
}

fn make() -> io::Result<[Pipe; 3]> {
    let one = || rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC);
    Ok([one()?, one()?, one()?])
}

/// The maker's whole life.
pub fn make_and_send() -> ExitCode {
    let sent = make().and_then(|pipes| {
        let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
        let ends: Vec<OwnedFd> = pipes.into_iter().flat_map(|(read, write)| [read, write]).collect();
        send(&socket, &ends)
    });
    if sent.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Sends descriptors, at most six.
pub fn send(socket: &UnixStream, descriptors: &[OwnedFd]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(6))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    let borrowed: Vec<_> = descriptors.iter().map(AsFd::as_fd).collect();
    beside.push(SendAncillaryMessage::ScmRights(&borrowed));
    rustix::net::sendmsg(socket, &[IoSlice::new(b"s")], &mut beside, SendFlags::empty())?;
    Ok(())
}

/// Receives descriptors; they are closed to whatever this process becomes.
pub fn receive(socket: &UnixStream) -> io::Result<Vec<OwnedFd>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(6))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0; 1];
    let mut parts = [IoSliceMut::new(&mut byte)];
    rustix::net::recvmsg(socket, &mut parts, &mut beside, RecvFlags::CMSG_CLOEXEC)?;
    let mut received = Vec::new();
    for message in beside.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            received.extend(descriptors);
        }
    }
    Ok(received)
}
