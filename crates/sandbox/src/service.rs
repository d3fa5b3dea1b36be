//! Starting a service of our own that outlives its starter: programs are started in this crate only.

use crate::sys::process;
use std::io;
use std::os::fd::AsRawFd as _;

/// Starts `program` (an absolute path) in a session of its own, without a terminal, with this environment alone. It
/// lives on when the caller ends; its output goes to the null device.
pub fn start_detached(program: &str, arguments: &[&str], environment: &[String]) -> io::Result<()> {
    let null = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null")?;
    let words: Vec<&str> = [program].into_iter().chain(arguments.iter().copied()).collect();
    let environment: Vec<&str> = environment.iter().map(String::as_str).collect();
    process::spawn_detached(program, &words, &environment, &[null.as_raw_fd(); 3])
}
