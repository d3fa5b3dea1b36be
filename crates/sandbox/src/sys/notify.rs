//! Hearing of system calls that the jail's filter asks about.

use super::{check, poll};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

const RECEIVE: libc::c_ulong = 0xc050_2100;
const SEND: libc::c_ulong = 0xc018_2101;
const STILL_WAITS: libc::c_ulong = 0x4008_2102;
/// The same before Linux 5.17, which still knows it.
const STILL_WAITS_BEFORE: libc::c_ulong = 0x8008_2102;

/// A call that waits for an answer.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    id: u64,
    /// Who calls, as seen from here.
    pub thread: i32,
    /// Its number.
    pub number: libc::c_long,
    /// Its first argument.
    pub first_argument: u64,
    /// Its second argument.
    pub second_argument: u64,
    /// Its third argument.
    pub third_argument: u64,
}

/// What to tell the caller.
#[derive(Debug, Clone, Copy)]
pub enum Answer {
    /// It fails with this error number.
    Refuse(i32),
    /// It goes on as if nobody had asked.
    Allow,
    /// It was made on the caller's behalf, and this is what it returns.
    Return(i64),
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
            thread: call.pid as i32,
            number: call.data.nr.into(),
            first_argument: call.data.args[0],
            second_argument: call.data.args[1],
            third_argument: call.data.args[2],
        })
    }
}

/// Whether the caller still waits, so that what was opened by its number is the caller's.
pub fn still_waits(listener: &OwnedFd, call: Call) -> io::Result<()> {
    // SAFETY: the number outlives the calls.
    unsafe {
        let ask = |request| check(libc::ioctl(listener.as_raw_fd(), request, &raw const call.id).into());
        ask(STILL_WAITS).or_else(|_| ask(STILL_WAITS_BEFORE)).map(drop)
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
            Answer::Return(value) => response.val = value,
            Answer::Allow => response.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
        }
        libc::ioctl(listener.as_raw_fd(), SEND, &raw mut response);
    }
}
