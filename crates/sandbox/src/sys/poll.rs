//! Waiting for several descriptors at once.

use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

/// What to wait for on a descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interest {
    /// Something to read, or the end of it.
    Read,
    /// Room to write, or nobody left to read it.
    Write,
}

/// Waits until one of these is ready or `timeout` is over; tells for each whether it is ready. Absent ones never are.
pub fn wait<const N: usize>(watched: [(Option<&OwnedFd>, Interest); N], timeout: Duration) -> [bool; N] {
    let mut polled = watched.map(|(fd, interest)| libc::pollfd {
        fd: fd.map_or(-1, AsRawFd::as_raw_fd),
        events: if interest == Interest::Read { libc::POLLIN } else { libc::POLLOUT },
        revents: 0,
    });
    let limit = libc::timespec { tv_sec: timeout.as_secs() as i64, tv_nsec: timeout.subsec_nanos().into() };
    // SAFETY: the array and the time outlive the call; the length is given; a null mask is allowed.
    unsafe { libc::ppoll(polled.as_mut_ptr(), N as libc::nfds_t, &raw const limit, std::ptr::null()) };
    polled.map(|one| one.revents != 0)
}

/// Whether there is something to read now, and not merely an end.
pub fn has_data(fd: &OwnedFd) -> bool {
    let mut polled = libc::pollfd { fd: fd.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: the one entry outlives the call.
    unsafe { libc::poll(&raw mut polled, 1, 0) == 1 && polled.revents & libc::POLLIN != 0 }
}
