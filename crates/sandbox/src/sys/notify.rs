//! Hearing of system calls that the jail's filter refuses.

use super::check;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

const RECEIVE: libc::c_ulong = 0xc050_2100;
const SEND: libc::c_ulong = 0xc018_2101;

/// Takes one refused call, answers it with "not permitted", and gives its number.
pub fn refuse_next(listener: &OwnedFd) -> io::Result<i64> {
    // SAFETY: both structures are plain data that the kernel requires to be zeroed first, and outlive the calls.
    unsafe {
        let mut call: libc::seccomp_notif = std::mem::zeroed();
        check(libc::ioctl(listener.as_raw_fd(), RECEIVE, &raw mut call).into())?;
        let mut answer: libc::seccomp_notif_resp = std::mem::zeroed();
        answer.id = call.id;
        answer.error = -libc::EPERM;
        // The caller may have been killed meanwhile; there is nobody to answer then.
        libc::ioctl(listener.as_raw_fd(), SEND, &raw mut answer);
        Ok(call.data.nr.into())
    }
}
