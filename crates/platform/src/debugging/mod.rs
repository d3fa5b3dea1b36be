//! Debugging through the façade: why something failed, and mending it by its tests.

mod adviser;
mod diagnose;
pub mod fix;
mod inspect;
mod look;
mod project;
mod prompt;
mod surroundings;

pub use adviser::{AskedModel, ModelOptions};
pub use diagnose::Diagnosed;
pub use fix::{FixDone, FixOptions};
pub use formicary_debugging::Step;
pub use formicary_debugging::inspect::wire::Move;
pub use formicary_debugging::inspect::{Happened, Session, Trouble};
pub use formicary_debugging::page::page;
