//! What the warden cannot do without `unsafe`: starting another program, and being told that one has ended.

mod child;
mod ends;

pub use child::{become_program, start};
pub use ends::Ends;
