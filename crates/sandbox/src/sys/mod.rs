//! System calls of the controller's side: starting the jail, moving bytes, looking into what it left.

pub mod beginning;
pub mod features;
pub mod folder;
pub mod memory_file;
pub mod notify;
pub mod poll;
pub mod process;
pub mod socket;
pub mod watches;

use std::io;

/// Turns the usual "minus one and errno" into a result.
fn check(returned: libc::c_long) -> io::Result<libc::c_long> {
    if returned < 0 { Err(io::Error::last_os_error()) } else { Ok(returned) }
}
