//! Debugging: why something failed, fixing it by its tests, looking into a running program.

#[cfg(feature = "agent")]
mod adviser;
#[cfg(not(feature = "agent"))]
#[path = "without_adviser.rs"]
mod adviser;
mod diagnose;
mod fix;
mod inspect;

pub use diagnose::Diagnose;
pub use fix::Fix;
pub use formicary_diagnose::inspect::wire::Move;
pub use formicary_diagnose::inspect::{Happened, Session, Trouble};
pub use formicary_repair::page::page;
pub use inspect::Inspect;
