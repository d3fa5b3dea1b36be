//! The isolation providers, one folder each; [`crate::registry`] lists them.

pub mod auto;
#[cfg(feature = "docker")]
pub mod docker;
#[cfg(not(feature = "docker"))]
#[path = "docker/without_engine.rs"]
pub mod docker;
pub mod gvisor;
pub mod native;
pub mod trusted;
