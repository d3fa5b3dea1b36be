//! Our side of the guest agent: the small program that stands beside the user's in a container, a guest kernel or a trusted
//! folder, and that we speak with over two pipes.
//!
//! | module | what it does |
//! |---|---|
//! | [`order`] | a job turned into the guest agent's order |
//! | [`filter`] | the system calls that a program is refused |
//! | [`talk`] | one run: give the order, move bytes, watch limits, end it |
//! | [`gather`] | bringing produced files back through the guest agent |
//! | [`place`] | a temporary folder that tells its owner |
//! | [`program`] | the embedded program |

pub mod filter;
mod gather;
pub mod order;
pub mod place;
pub mod program;
pub mod talk;

pub use talk::{Ends, Exhausted, Ground, Moment, Told, run};
