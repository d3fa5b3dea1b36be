//! The façade that every door talks to.
//!
//! | module | what it holds |
//! |---|---|
//! | [`config`] | where settings come from and what they resolve to |
//! | [`exit`] | the one table of how things end |

pub mod config;
pub mod exit;
