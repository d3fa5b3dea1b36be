//! Every system call of the jail, each with its name and what it was done to in the error.

pub mod bpf;
pub mod files;
pub mod identity;
pub mod landlock;
pub mod mounts;
pub mod process;
pub mod socket;

use std::ffi::CString;

/// A failed step.
#[derive(Debug)]
pub struct Fault {
    /// The call and its main argument.
    pub step: String,
    /// The system's error number.
    pub errno: i32,
}

/// What a step gives.
pub type Done<T = ()> = Result<T, Fault>;

impl Fault {
    /// The current `errno`, for this step.
    pub fn last(step: impl Into<String>) -> Self {
        Self { step: step.into(), errno: std::io::Error::last_os_error().raw_os_error().unwrap_or(0) }
    }
}

/// Turns the usual "minus one and errno" into a result.
fn check(returned: libc::c_long, step: impl FnOnce() -> String) -> Done<libc::c_long> {
    if returned < 0 { Err(Fault::last(step())) } else { Ok(returned) }
}

/// A path for the kernel.
fn c(text: &str) -> Done<CString> {
    CString::new(text).map_err(|_| Fault { step: format!("NUL in {text:?}"), errno: libc::EINVAL })
}
