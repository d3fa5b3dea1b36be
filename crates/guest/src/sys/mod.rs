//! What the agent cannot do without `unsafe`: beginning, starting another program, being
//! told that one has ended, and laying filters on it.

#[cfg(not(test))]
mod begin;
mod child;
mod ends;
mod filter;

pub use child::{become_program, start};
pub use ends::Ends;
pub use filter::lay_on;
