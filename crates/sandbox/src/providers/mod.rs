//! The isolation providers, one folder each; [`crate::registry`] lists them.

pub mod auto;
pub mod docker;
pub mod gvisor;
pub mod native;
pub mod trusted;
