//! Filters of system calls.

use formicary_guest::message::run::Instruction;
use std::io;

/// Lays a filter on this process and all that it becomes. Privileges must have been given up before.
pub fn lay_on(filter: &[Instruction]) -> io::Result<()> {
    let instruction =
        |(code, jt, jf, k): &Instruction| libc::sock_filter { code: *code, jt: *jt, jf: *jf, k: *k };
    let mut instructions: Vec<libc::sock_filter> = filter.iter().map(instruction).collect();
    let program = libc::sock_fprog {
        len: u16::try_from(instructions.len()).map_err(io::Error::other)?,
        filter: instructions.as_mut_ptr(),
    };
    // SAFETY: the program and its instructions outlive the call, which copies them.
    let answer =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) };
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
