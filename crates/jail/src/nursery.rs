//! Where sandboxes are born ahead of their use.
//!
//! A nursery is a sandbox without a payload: its root stands, its processes are the jail's own or those of an
//! interpreter that has started and has never seen foreign code. Each sandbox that it is asked for is a child in
//! namespaces of its own, which confines itself by the same steps as any other and then waits (see [`crate::cradle`]).
//!
//! It takes no memory while it serves, so that it can serve for ever: orders are decoded by the newborn.

use crate::cradle::{self, Newborn};
use crate::message::Message;
use crate::spec::{NAMESPACES, NURSERY_FD, Request};
use crate::sys::process::{self, Fork};
use crate::sys::raw::Fd;
use crate::sys::{Done, Fault, mounts, socket};
use alloc::vec::Vec;

/// The longest request: a birth with the command line and the environment of a program that is started early.
const LONGEST: usize = 128 * 1024;

/// How a newborn's payload is forked.
#[derive(Clone, Copy)]
pub enum Forks<'a> {
    /// By the bare system call.
    Plainly,
    /// As the interpreter around us needs it.
    By {
        /// The interpreter's own way.
        fork: fn() -> Done<Option<i32>>,
        /// Memory of the interpreter that programs write to, as (address, length).
        written: &'a [(usize, usize)],
    },
}

/// Serves until the controller is gone. Returns only in a payload that was forked from an interpreter, with its
/// words.
pub fn serve(own_network: bool, forks: Forks<'_>) -> Vec<u8> {
    process::forget_children(true);
    let mut networks = Networks::new(own_network);
    let mut buffer = [0; LONGEST];
    loop {
        let Some(received) = socket::receive(NURSERY_FD, &mut buffer) else { process::exit_now(0) };
        let bytes = &buffer[..received.length];
        // A birth is decoded by the newborn: only its first byte tells it from the rest.
        if bytes[0] != 0 {
            if let Ok(Request::Return { network, untouched }) = postcard::from_bytes(bytes) {
                networks.take_back(network, untouched);
            }
            continue;
        }
        let place = networks.hand_out().and_then(|network| {
            let new_network = if own_network && network.is_none() { libc::CLONE_NEWNET } else { 0 };
            Ok((network, process::clone_into(NAMESPACES | new_network, None)?))
        });
        match place {
            Ok((network, Fork::Child)) => {
                let bring_up = own_network && network.is_none();
                // Their descriptors are the nursery's; the newborn closes all numbers but its own.
                core::mem::forget(networks);
                let descriptors = received.descriptors();
                let newborn = Newborn { request: bytes, descriptors, network, bring_up };
                return cradle::live(newborn, forks);
            }
            Ok((_, Fork::Parent(..))) => {}
            Err(fault) => refuse(received.descriptors(), fault),
        }
        for fd in received.descriptors() {
            drop(Fd::new(*fd as usize));
        }
    }
}

/// Tells a controller, on the control socket of the sandbox that it wanted, why there is none.
fn refuse(descriptors: &[i32], fault: Fault) {
    let Fault { step, errno } = fault;
    if let (Some(control), Ok(bytes)) =
        (descriptors.first(), postcard::to_allocvec(&Message::Failed { step, errno }))
    {
        // Nobody is left to hear of it if this fails too.
        let _ = socket::send(*control, &bytes, &[]);
    }
}

/// Networks that were made ahead. Making and removing one costs the kernel more than all the rest of a sandbox, so
/// those in which nothing ever happened are used again. They belong to the nursery: no sandbox has rights over its own.
struct Networks {
    wanted: bool,
    places: [Place; 16],
}

#[derive(Debug)]
enum Place {
    Empty,
    Free(Fd),
    Used(Fd),
}

impl Networks {
    fn new(wanted: bool) -> Self {
        Self { wanted, places: [const { Place::Empty }; 16] }
    }

    /// Enters a network for the next newborn; which one. `None`: all are in use, or none is wanted.
    fn hand_out(&mut self) -> Done<Option<u8>> {
        if !self.wanted {
            return Ok(None);
        }
        let free = self.places.iter().position(|place| matches!(place, Place::Free(_)));
        let Some(at) = free.or_else(|| self.places.iter().position(|place| matches!(place, Place::Empty)))
        else {
            return Ok(None);
        };
        let network = match core::mem::replace(&mut self.places[at], Place::Empty) {
            Place::Free(network) => {
                mounts::enter_network(&network)?;
                network
            }
            Place::Empty | Place::Used(_) => {
                mounts::own_network()?;
                socket::loopback_up()?
            }
        };
        self.places[at] = Place::Used(network);
        Ok(Some(at as u8))
    }

    fn take_back(&mut self, network: u8, untouched: bool) {
        let Some(place) = self.places.get_mut(usize::from(network)) else { return };
        *place = match core::mem::replace(place, Place::Empty) {
            Place::Used(network) if untouched => Place::Free(network),
            _ => Place::Empty,
        };
    }
}
