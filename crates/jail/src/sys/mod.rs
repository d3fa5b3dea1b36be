//! Every system call of the jail, each with its name and what it was done to in the error.

pub mod arena;
pub mod bpf;
pub mod files;
pub mod identity;
pub mod landlock;
pub mod memory;
pub mod mounts;
pub mod process;
pub mod python;
pub mod raw;
pub mod socket;

use alloc::ffi::CString;
use alloc::format;
use alloc::string::String;
use raw::Answer;

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

/// Names the step that failed.
fn check(answer: Answer, step: impl FnOnce() -> String) -> Done<usize> {
    answer.map_err(|errno| Fault { step: step(), errno })
}

/// A path for the kernel.
fn c(text: &str) -> Done<CString> {
    CString::new(text).map_err(|_| Fault { step: format!("NUL in {text:?}"), errno: libc::EINVAL })
}
