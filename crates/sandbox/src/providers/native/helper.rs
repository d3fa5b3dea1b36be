//! The embedded jail, as a sealed file in memory: nothing on disk to find, replace or write to.

use crate::SandboxError;
use crate::sys::{memory_file, process};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::sync::{Mutex, PoisonError};

static JAIL: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/formicary-jail"));
static OPENED: Mutex<Option<File>> = Mutex::new(None);

/// The path by which this process can start the jail.
pub fn path() -> Result<String, SandboxError> {
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let file = match &mut *opened {
        Some(file) => file,
        none => none.insert(
            memory_file::sealed(c"formicary-jail", &[JAIL])
                .and_then(|file| process::out_of_the_way(file.as_raw_fd()))
                .map(File::from)
                .map_err(|error| SandboxError::step("put the jail into memory", error))?,
        ),
    };
    Ok(format!("/proc/self/fd/{}", file.as_raw_fd()))
}
