//! Installing the system call filter, which is made of the one table ([`crate::calls`]).

use super::raw::{Fd, sys};
use super::{Done, check};
use crate::calls::program::program;
use crate::calls::{Architecture, Layer};
use crate::spec::Refusal;
use libc::sock_filter;

/// Installs the filter for this process and all it starts, and gives the listener for calls that are reported.
///
/// Only calls that are refused may be reported. A caller that waits for an answer is interrupted by a signal that comes before it
/// was heard, on every kernel: a fork that is asked about fails with EINTR in any program that handles SIGCHLD.
/// `also` is refused only in this sandbox.
pub fn install(also: &[Refusal]) -> Done<Option<Fd>> {
    let listen = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER as u32;
    let filter = program(Architecture::HERE, Layer::Native, also);
    // A caller whose call was heard of waits for the answer, whatever signals come. Kernels before 5.19 do not know that, and
    // a signal handler may then turn the refusal into EINTR.
    let heard = load(&filter, listen | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV as u32);
    let heard =
        heard.or_else(|fault| if fault.errno == libc::EINVAL { load(&filter, listen) } else { Err(fault) });
    match heard {
        Ok(listener) => Ok(Some(Fd::new(listener))),
        // A listener is in force already further out (a container's own): refuse without reporting.
        Err(fault) if fault.errno == libc::EBUSY => {
            load(&program(Architecture::HERE, Layer::Guest, also), 0)?;
            Ok(None)
        }
        Err(fault) => Err(fault),
    }
}

fn load(filter: &[sock_filter], flags: u32) -> Done<usize> {
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the program and its instructions outlive the call, which copies them.
    let answer = unsafe { sys!(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program) };
    check(answer, || "seccomp".into())
}
