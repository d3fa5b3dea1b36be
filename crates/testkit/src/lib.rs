//! What several test suites share. A dev-dependency only: nothing that ships uses it.
//!
//! | module | what it holds |
//! |---|---|
//! | [`chance`] | numbers that look random, from a seed |
//! | [`leftovers`] | what a run may leave behind on the host, taken before and compared after |
//! | [`models`] | a server on loopback that speaks the wire formats of language models, by a script |
//! | [`programs`] | programs of every language, one for each way to end |
//! | [`scratch`] | a temporary folder that is gone with its owner |
//! | [`toolchains`] | where the real compilers and interpreters live, behind shims |
//! | [`redactions`] | what differs from run to run, replaced, so that the rest can be compared |
//! | [`skips`] | tests that cannot run here, with their reasons |

pub mod chance;
pub mod leftovers;
pub mod models;
pub mod programs;
pub mod redactions;
pub mod scratch;
pub mod skips;
pub mod toolchains;

pub use chance::Chance;
pub use leftovers::Leftovers;
pub use redactions::redact;
pub use scratch::Scratch;
