//! From a failing program to a verified patch: diagnosis, localisation, candidates, verification, the loop.

pub mod debugger;
pub mod localise;
pub mod repair;
pub mod verify;

pub use debugger::{Debugger, FixRequest, Step};
