//! The embedded programs: the jail, as a sealed file in memory with nothing on disk to find, replace or write to, and
//! its form as a module for interpreters.

use crate::SandboxError;
use crate::sys::{memory_file, process};
use formicary_embedded::JAIL;
pub use formicary_embedded::ZYGOTE;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::OnceLock;

static OPENED: OnceLock<OwnedFd> = OnceLock::new();

/// The jail's file.
pub fn file() -> Result<&'static OwnedFd, SandboxError> {
    if let Some(file) = OPENED.get() {
        return Ok(file);
    }
    let made = memory_file::sealed(c"formicary-jail", &[JAIL])
        .and_then(|file| process::out_of_the_way(file.as_raw_fd()))
        .map_err(|error| SandboxError::step("put the jail into memory", error))?;
    Ok(OPENED.get_or_init(|| made))
}

/// The path by which a child of this process can start the jail.
pub fn path() -> Result<String, SandboxError> {
    Ok(format!("/proc/self/fd/{}", file()?.as_raw_fd()))
}

/// The size of the largest file that is put into a nursery.
pub fn largest() -> u64 {
    ZYGOTE.len() as u64
}
