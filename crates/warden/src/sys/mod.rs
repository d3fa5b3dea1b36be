//! The one thing that the warden cannot do without `unsafe`: work in a child between its birth and its becoming another program.

use std::io;
use std::os::unix::process::CommandExt;

/// Has `steps` done by the child last, before it becomes the program; when they fail, starting it fails with their error.
///
/// Only for a warden that has no other thread.
#[expect(clippy::disallowed_types, reason = "the warden starts the program")]
pub fn before_it_becomes(
    command: &mut std::process::Command,
    steps: impl FnMut() -> io::Result<()> + Send + Sync + 'static,
) {
    // SAFETY: after the fork of a process with several threads, a lock that another of them held stays locked for ever. Programs
    // are started before the warden has a second thread, so that in the child everything is as it is in the warden.
    unsafe { command.pre_exec(steps) };
}
