//! Files that live in memory only.

use super::check;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd};

/// A file in memory that holds these parts, one after the other, and can never change again.
///
/// It is opened anew for reading and the writable descriptor closed, so that it can be executed as well.
pub fn sealed(name: &std::ffi::CStr, parts: &[&[u8]]) -> io::Result<File> {
    // SAFETY: the name outlives the call; the descriptor is new and owned by nobody else.
    let mut file = unsafe {
        let fd = libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING);
        File::from_raw_fd(check(fd.into())? as i32)
    };
    for part in parts {
        file.write_all(part)?;
    }
    let seals = libc::F_SEAL_WRITE | libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
    // SAFETY: plain integers.
    check(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) }.into())?;
    File::open(format!("/proc/self/fd/{}", file.as_raw_fd()))
}
