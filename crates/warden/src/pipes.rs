//! The program's standard streams.

use rustix::process::{Gid, Uid};
use rustix::thread::{set_thread_res_gid, set_thread_res_uid};
use std::io;
use std::os::fd::OwnedFd;

/// Read end, write end.
pub type Pipe = (OwnedFd, OwnedFd);

/// Pipes for input, output and errors. The device names of the streams can be opened by their maker's user alone, so that
/// the warden is that user while it makes them.
pub fn three(owner: Option<(u32, u32)>) -> io::Result<[Pipe; 3]> {
    let Some((user, group)) = owner else { return make() };
    let (root, roots) = (Uid::ROOT, Gid::ROOT);
    set_thread_res_gid(roots, Gid::from_raw(group), roots)?;
    set_thread_res_uid(root, Uid::from_raw(user), root)?;
    let made = make();
    set_thread_res_uid(root, root, root)?;
    set_thread_res_gid(roots, roots, roots)?;
    made
}

fn make() -> io::Result<[Pipe; 3]> {
    let one = || rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC);
    Ok([one()?, one()?, one()?])
}
