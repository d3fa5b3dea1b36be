//! Mending programs: what the doors ask of the debugging room.

pub mod fix;
mod project;

pub use fix::{FixDone, FixOptions};
pub use formicary_debugging::Step;
