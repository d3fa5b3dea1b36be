//! The program's standard streams.

use rustix::process::Uid;
use rustix::thread::set_thread_res_uid;
use std::io;
use std::os::fd::OwnedFd;

/// Read end, write end.
pub type Pipe = (OwnedFd, OwnedFd);

/// Pipes for input, output and errors. The device names of the streams can be opened by their maker's user alone, so that
/// the agent is that user while it makes them.
pub fn three(owner: Option<(u32, u32)>) -> io::Result<[Pipe; 3]> {
    let Some((user, _)) = owner else { return make() };
    let root = Uid::ROOT;
    set_thread_res_uid(root, Uid::from_raw(user), root)?;
    let made = make();
    set_thread_res_uid(root, root, root)?;
    made
}

fn make() -> io::Result<[Pipe; 3]> {
    let one = || rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC);
    Ok([one()?, one()?, one()?])
}
