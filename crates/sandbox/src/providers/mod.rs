//! The isolation providers, one folder each; [`crate::registry`] lists them.

pub mod native;
