//! Starting another program without a copy of this one.
//!
//! A copy of a process costs a guest's kernel several milliseconds: the table of its memory, and each page that either of the two
//! touches afterwards. So the child works in the memory of the agent, which stands still until the child is another program.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io;

/// What the child may use of its stack; it is touched only as far as it is used.
const STACK: usize = 96 * 1024;
/// What nobody sees: the child tells why it failed by itself.
const NOT_STARTED: c_int = 127;

/// What the child does, and what it leaves behind when that fails.
struct Errand<'a> {
    steps: &'a mut dyn FnMut() -> io::Error,
    failed: Option<io::Error>,
}

/// Has a child do `steps`, the last of which is [`become_program`]: where they return, starting has failed with what they say. The
/// child has descriptors, limits and signals of its own, and the agent's memory. Its process number.
///
/// Only for an agent that has no other thread.
pub fn start(steps: &mut dyn FnMut() -> io::Error) -> io::Result<u32> {
    let mut stack = Vec::<u128>::with_capacity(STACK / size_of::<u128>());
    let top = stack.spare_capacity_mut().as_mut_ptr_range().end;
    let mut errand = Errand { steps, failed: None };
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    // SAFETY: the child runs on a stack of its own, whose end is aligned for sixteen bytes, and touches nothing else than what
    // it was given. The kernel lets this thread, the only one, stand still until the child is another program or has ended, so
    // that stack and errand live longer than the child's use of them, and nobody else uses them meanwhile.
    let number = unsafe { libc::clone(begin, top.cast(), flags, (&raw mut errand).cast()) };
    let told = io::Error::last_os_error();
    drop(stack);
    match (number, errand.failed.take()) {
        (-1, _) => Err(told),
        (number, Some(failed)) => {
            // It has ended; nobody else waits for it.
            let _ = rustix::process::waitpid(
                rustix::process::Pid::from_raw(number),
                rustix::process::WaitOptions::empty(),
            );
            Err(failed)
        }
        (number, None) => Ok(number.unsigned_abs()),
    }
}

extern "C" fn begin(errand: *mut c_void) -> c_int {
    // SAFETY: `start` gives us its own errand, and stands still while we have it.
    let errand = unsafe { &mut *errand.cast::<Errand<'_>>() };
    // SAFETY: the dispositions and the mask are the child's own. What this program ignores and holds back, the next would too.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        let mut none = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
    errand.failed = Some((errand.steps)());
    // SAFETY: ends the child alone, without what a program does at its end: that is the agent's.
    unsafe { libc::_exit(NOT_STARTED) }
}

/// Becomes the program at this place; says why not where it cannot.
pub fn become_program(path: &CStr, words: &[CString], environment: &[CString]) -> io::Error {
    let list = |words: &[CString]| -> Vec<*const c_char> {
        words.iter().map(|word| word.as_ptr()).chain([std::ptr::null()]).collect()
    };
    let (words, environment) = (list(words), list(environment));
    // SAFETY: both lists end with a null pointer, and all they point to lives through the call.
    unsafe { libc::execve(path.as_ptr(), words.as_ptr(), environment.as_ptr()) };
    io::Error::last_os_error()
}
