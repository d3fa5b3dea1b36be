//! The program's standard streams, and handing descriptors from process to process.

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags,
};
use rustix::process::{Gid, Uid};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

/// Read end, write end.
pub type Pipe = (OwnedFd, OwnedFd);

/// Pipes for input, output and errors. The device names of the streams can be opened by their maker's user alone, so that
/// a thread becomes that user to make them. It is nobody else's identity, and ends with it.
pub fn three(owner: Option<(u32, u32)>) -> io::Result<[Pipe; 3]> {
    let Some((user, group)) = owner else { return make() };
    let maker = std::thread::spawn(move || {
        let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
        rustix::thread::set_thread_res_gid(group, group, group)?;
        rustix::thread::set_thread_res_uid(user, user, user)?;
        make()
    });
    maker.join().map_err(|_| io::Error::other("the maker of pipes fell over"))?
}

fn make() -> io::Result<[Pipe; 3]> {
    let one = || rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC);
    Ok([one()?, one()?, one()?])
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
