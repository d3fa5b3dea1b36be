//! The agent of a run: one program, from its start to its last file. What it is told and answers: `formicary_guest::message::run`.
//!
//! | module | what it does |
//! |---|---|
//! | [`serve`] | from the order to the last file |
//! | [`starter`] | the program's limits, and what it gives up |
//! | [`attend`] | moving its bytes, hearing orders, ending it |
//! | [`meter`], [`kernel`], [`processes`] | what it uses, from control groups and the process table |
//! | [`finish`] | which files there are, and sending them |
//! | [`oversee`] | standing over another program on the host |

mod attend;
mod finish;
mod input;
mod kernel;
mod meter;
mod orders;
mod oversee;
mod pipes;
mod processes;
mod serve;
mod starter;

pub use oversee::oversee;
pub use serve::serve;
