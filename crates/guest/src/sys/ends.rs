//! Being told that a child has ended, by something that can be waited for beside other things.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};

/// Readable when a child has ended since it was last heard.
pub struct Ends(File);

impl Ends {
    /// From now on. The signal is held back for it: in threads that are started later, too.
    pub fn new() -> io::Result<Self> {
        // SAFETY: the set is made here, and written by nobody else; the descriptor is new and ours alone.
        let made = unsafe {
            let mut children = std::mem::zeroed();
            libc::sigemptyset(&raw mut children);
            libc::sigaddset(&raw mut children, libc::SIGCHLD);
            libc::sigprocmask(libc::SIG_BLOCK, &raw const children, std::ptr::null_mut());
            let made = libc::signalfd(-1, &raw const children, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
            (made >= 0).then(|| OwnedFd::from_raw_fd(made))
        };
        made.map(|descriptor| Self(descriptor.into())).ok_or_else(io::Error::last_os_error)
    }

    /// To wait for.
    pub fn stream(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// Hears what was told so far: whoever ended later tells again.
    pub fn hear(&mut self) {
        let _ = self.0.read(&mut [0; size_of::<libc::signalfd_siginfo>()]);
    }
}
