//! From a failing program to a verified patch: diagnosis, localisation, candidates, verification, the loop.
//!
//! | module | what it holds |
//! |---|---|
//! | [`diagnose`] | what a program or its compiler said, read: what is wrong, where and why |
//! | [`patch`] | unified diffs: written, read, applied with patience |
//! | [`repair`] | candidates for patches |
//! | [`rules`] | patches by rule: what an error usually wants, and what the tools propose |
//! | [`snapshot`] | the variables of a program when it failed |

pub mod diagnose;
pub mod patch;
pub mod repair;
pub mod rules;
pub mod snapshot;
