//! Debugging through the façade: why something failed.

mod diagnose;

pub use diagnose::Diagnosed;
