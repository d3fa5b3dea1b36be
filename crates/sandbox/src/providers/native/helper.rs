//! The embedded programs: the jail, as a sealed file in memory with nothing on disk to find, replace or write to, and
//! its form as a module for interpreters.

use crate::SandboxError;
use crate::sys::{memory_file, process};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::sync::{Mutex, PoisonError};

static JAIL: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/formicary-jail"));
/// The module.
pub static ZYGOTE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/formicary-zygote.so"));
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

/// The size of the largest file that is put into a nursery.
pub fn largest() -> u64 {
    ZYGOTE.len() as u64
}
