//! Hearing of system calls that the jail's filter asks about.

use super::{check, poll};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

const RECEIVE: libc::c_ulong = 0xc050_2100;
const SEND: libc::c_ulong = 0xc018_2101;

/// A call that waits for an answer.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    id: u64,
    /// Its number.
    pub number: libc::c_long,
    /// Its first argument.
    pub first_argument: u64,
    /// Its second argument.
    pub second_argument: u64,
}

/// What to tell the caller.
#[derive(Debug, Clone, Copy)]
pub enum Answer {
    /// It fails with this error number.
    Refuse(i32),
    /// It goes on as if nobody had asked.
    Allow,
}

/// Takes the next call that waits; ENOENT where none does.
///
/// Kernels before 6.11 wait for ever for a call of processes that are all gone, and say of such a listener that there is
/// something to hear: it must be asked what.
pub fn next(listener: &OwnedFd) -> io::Result<Call> {
    if !poll::has_data(listener) {
        return Err(io::Error::from_raw_os_error(libc::ENOENT));
    }
    // SAFETY: plain data that the kernel requires to be zeroed first, and that outlives the call.
    unsafe {
        let mut call: libc::seccomp_notif = std::mem::zeroed();
        check(libc::ioctl(listener.as_raw_fd(), RECEIVE, &raw mut call).into())?;
        Ok(Call {
            id: call.id,
            number: call.data.nr.into(),
            first_argument: call.data.args[0],
            second_argument: call.data.args[1],
        })
    }
}

/// Answers a call. Its caller may have been killed meanwhile; then there is nobody to answer.
pub fn answer(listener: &OwnedFd, call: Call, answer: Answer) {
    // SAFETY: plain data that outlives the call.
    unsafe {
        let mut response: libc::seccomp_notif_resp = std::mem::zeroed();
        response.id = call.id;
        match answer {
            Answer::Refuse(errno) => response.error = -errno,
            Answer::Allow => response.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
        }
        libc::ioctl(listener.as_raw_fd(), SEND, &raw mut response);
    }
}
