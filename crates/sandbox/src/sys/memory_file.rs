//! Files that live in memory only.

use super::check;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::time::{Duration, Instant};

/// A file in memory that holds these parts, one after the other, and can never change again.
///
/// It is opened anew for reading and the writable descriptor closed, so that it can be executed as well.
pub fn sealed(name: &std::ffi::CStr, parts: &[&[u8]]) -> io::Result<File> {
    let file = empty(name)?;
    fill(&file, parts)?;
    File::open(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// A file in memory that is yet to be filled.
pub fn empty(name: &std::ffi::CStr) -> io::Result<File> {
    // By its number: glibc has a function for it since 2.27 only, and what is released runs with 2.17.
    // SAFETY: the name outlives the call; the descriptor is new and owned by nobody else.
    unsafe {
        let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        let fd = libc::syscall(libc::SYS_memfd_create, name.as_ptr(), flags);
        Ok(File::from_raw_fd(check(fd)? as i32))
    }
}

/// Writes these parts, one after the other; the file can never change again.
pub fn fill(file: &File, parts: &[&[u8]]) -> io::Result<()> {
    let mut to = file;
    match parts.iter().map(|part| part.len()).sum::<usize>() {
        // One call for many small parts.
        0..=AT_ONCE => to.write_all(&parts.concat())?,
        _ => parts.iter().try_for_each(|part| to.write_all(part))?,
    }
    seal(file, libc::F_SEAL_WRITE | libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL)
}

/// What is copied once more rather than written part by part.
const AT_ONCE: usize = 64 * 1024;

/// On a busy host the kernel itself may still hold pages that were just written, and says so by EBUSY: it lets go soon.
fn seal(file: &File, seals: i32) -> io::Result<()> {
    let deadline = Instant::now() + Duration::from_secs(5);
    loop {
        // SAFETY: plain integers.
        match check(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) }.into()) {
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) && Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(2));
            }
            answer => return answer.map(drop),
        }
    }
}
