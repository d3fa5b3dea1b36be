//! Debugging through the façade: why something failed, and mending it by its tests.

mod diagnose;
pub mod fix;
mod project;

pub use diagnose::Diagnosed;
pub use fix::{FixDone, FixOptions};
pub use formicary_debugging::Step;
