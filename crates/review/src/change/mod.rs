//! What a change made worse: the state before it and after it, both as texts, compared finding by finding.
//!
//! | module | what it holds |
//! |---|---|
//! | [`trees`] | where the two states come from: git, folders, a diff |
//! | [`git`] | reading a repository through a program that runs inside the sandbox |
//! | [`sandboxed`] | git inside the sandbox |
//! | [`versions`] | two versions of code as texts, for engines that compare them |
//! | [`patch`] | a diff undone |
//! | [`lines`] | which lines a change touched, and where the others came from |
//! | [`blame`] | which findings the change is to blame for |
//! | [`gaming`] | ways in which a change can look better than it is |

pub mod blame;
pub mod gaming;
pub mod git;
pub mod lines;
pub mod patch;
pub mod sandboxed;
pub mod trees;
pub mod versions;

pub use git::GitRunner;
pub use trees::{ChangeRequest, State};
