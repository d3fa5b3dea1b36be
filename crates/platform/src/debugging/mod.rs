//! Debugging through the façade: why something failed, and mending it by its tests.

mod diagnose;
pub mod fix;
mod inspect;
mod project;

pub use diagnose::Diagnosed;
pub use fix::{FixDone, FixOptions};
pub use formicary_debugging::Step;
pub use formicary_debugging::inspect::wire::Move;
pub use formicary_debugging::inspect::{Happened, Session, Trouble};
