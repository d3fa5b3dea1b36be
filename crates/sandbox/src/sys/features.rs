//! Asking the kernel what it can do.

use super::check;
use std::io;

/// Landlock's version.
pub fn landlock_version() -> io::Result<u32> {
    const CREATE_RULESET: libc::c_long = 444;
    const VERSION_FLAG: u32 = 1;
    // SAFETY: a null pointer and size zero are what asks for the version.
    let version = unsafe { libc::syscall(CREATE_RULESET, std::ptr::null::<u8>(), 0usize, VERSION_FLAG) };
    Ok(check(version)? as u32)
}

/// Whether filters can tell a listener of the calls they refuse.
pub fn seccomp_listener() -> io::Result<()> {
    const GET_ACTION_AVAILABLE: libc::c_uint = 2;
    let action = libc::SECCOMP_RET_USER_NOTIF;
    // SAFETY: the action outlives the call.
    check(unsafe { libc::syscall(libc::SYS_seccomp, GET_ACTION_AVAILABLE, 0, &raw const action) })?;
    Ok(())
}

/// Whether processes can be made in new namespaces at all. An order of no size is refused as such where the call is known;
/// where it is not, a container's own filter stands before it, or the kernel is old.
pub fn makes_namespaces() -> io::Result<()> {
    // SAFETY: nothing is read from an order of no size.
    let answer = unsafe { libc::syscall(libc::SYS_clone3, std::ptr::null::<u8>(), 0usize) };
    match check(answer) {
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => Ok(()),
        Err(error) => Err(error),
        Ok(_) => Ok(()),
    }
}
