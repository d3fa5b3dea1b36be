//! From a failing program to a verified patch: diagnosis, localisation, candidates, verification, the loop.
//!
//! | module | what it holds |
//! |---|---|
//! | [`diagnose`] | what a program or its compiler said, read: what is wrong, where and why |
//! | [`repair`] | candidates for patches |

pub mod debugger;
pub mod diagnose;
pub mod localise;
pub mod repair;
pub mod verify;

pub use debugger::{Debugger, FixRequest, Step};
