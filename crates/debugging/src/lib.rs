//! From a failing program to a verified patch: diagnosis, localisation, candidates, verification, the loop.
//!
//! | module | what it holds |
//! |---|---|
//! | [`diagnose`] | what a program or its compiler said, read: what is wrong, where and why |
//! | [`causes`] | from a failing value back to where it came from |
//! | [`hangs`] | where a program is that does not end |
//! | [`snapshot`] | the variables of a program when it failed |
//! | [`inspect`] | stopping a program where one wants, looking, going on |
//! | [`localise`] | which lines are suspicious |
//! | [`rules`] | patches by rule: what an error usually wants, and what the tools propose |
//! | [`repair`] | patches by search |
//! | [`patch`] | unified diffs: written, read, applied with patience |
//! | [`verify`] | whether a patch holds |
//! | [`debugger`] | the loop that joins them |
//! | [`page`](mod@page) | its report as a page |

pub mod causes;
pub mod debugger;
pub mod diagnose;
pub mod hangs;
pub mod inspect;
pub mod localise;
pub mod page;
pub mod patch;
pub mod repair;
pub mod rules;
pub mod snapshot;
pub mod verify;
mod watched;

pub use debugger::{Advice, Adviser, Debugger, FixRequest, Help, Packages, Purpose, Question, Step};
