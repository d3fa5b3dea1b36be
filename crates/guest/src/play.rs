//! The choice of a role.

use crate::{run, session};
use formicary_guest::role::Role;

/// The exit code for a first argument that is no role.
const USAGE: u8 = 64;

/// Plays the role that the first argument asks for.
pub fn play() -> u8 {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref().and_then(Role::of) {
        Some(Role::Run) => run::serve(),
        Some(Role::Session) => session::serve(),
        Some(Role::Oversee) => run::oversee(arguments),
        None => USAGE,
    }
}
