//! Telling the controller.

use crate::message::Message;
use crate::spec::CONTROL_FD;
use crate::sys::{Done, Fault, process, socket};
use alloc::format;

/// Sends a message and its descriptors.
pub fn tell(message: &Message, descriptors: &[i32]) -> Done {
    let bytes = postcard::to_allocvec(message)
        .map_err(|error| Fault { step: format!("encode {error}"), errno: libc::EINVAL })?;
    socket::send(CONTROL_FD, &bytes, descriptors)
}

/// Tells the controller which step failed, and ends this process.
pub fn give_up(fault: Fault) -> ! {
    let Fault { step, errno } = fault;
    // Nobody is left to hear of it if this fails too.
    let _ = tell(&Message::Failed { step, errno }, &[]);
    process::exit_now(1)
}
