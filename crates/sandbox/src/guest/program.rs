//! The embedded guest agent: as a sealed file in memory, to be started on this host, and as bytes, to be put elsewhere.

use crate::SandboxError;
use crate::sys::{memory_file, process};
pub use formicary_embedded::GUEST as BYTES;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::sync::{Mutex, PoisonError};

static OPENED: Mutex<Option<File>> = Mutex::new(None);

/// The path by which this process can start it.
pub fn path() -> Result<String, SandboxError> {
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let file = match &mut *opened {
        Some(file) => file,
        none => none.insert(
            memory_file::sealed(c"formicary-guest", &[BYTES])
                .and_then(|file| process::out_of_the_way(file.as_raw_fd()))
                .map(File::from)
                .map_err(|error| SandboxError::step("put the guest agent into memory", error))?,
        ),
    };
    Ok(format!("/proc/self/fd/{}", file.as_raw_fd()))
}
