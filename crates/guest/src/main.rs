//! The program `formicary-guest`: one binary, because both roles speak the same framing, start programs in the same way and
//! handle the same files. What is said with it: see the library.

#![cfg_attr(not(test), no_main)]
#![cfg_attr(test, expect(dead_code, reason = "tests begin in their own way"))]

mod files;
mod program;
mod run;
mod session;
mod stream;
mod sys;

use formicary_guest::role::Role;

/// The exit code for a first argument that is no role.
const USAGE: u8 = 64;

/// Plays the role that the first argument asks for.
fn play() -> u8 {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref().and_then(Role::of) {
        Some(Role::Run) => run::serve(),
        Some(Role::Session) => session::serve(),
        Some(Role::Oversee) => run::oversee(arguments),
        None => USAGE,
    }
}
