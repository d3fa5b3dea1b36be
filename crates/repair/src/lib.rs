//! From a diagnosed failure to a verified patch: candidates, their verification, and the loop that joins them.
//!
//! | module | what it holds |
//! |---|---|
//! | [`remedies`] | patches by rule: what an error usually wants, and what the tools propose |
//! | [`search`] | patches by search |
//! | [`candidate`] | what every source of patches speaks |
//! | [`judges`] | many candidates run in one sandbox |
//! | [`verify`] | whether a patch holds |
//! | [`patch`] | unified diffs: written, read, applied with patience |
//! | [`debugger`] | the loop that joins them |
//! | [`look`] | a second look at a failing test, for its variables |
//! | [`page`](mod@page) | its report as HTML |

pub mod candidate;
pub mod debugger;
pub mod judges;
pub mod look;
pub mod page;
pub mod patch;
pub mod remedies;
pub mod search;
pub mod verify;

pub use candidate::{Candidate, Strategy};
pub use debugger::{
    Advice, Adviser, Debugger, FixRequest, Help, Installing, Packages, Purpose, Question, Step,
};
pub use formicary_diagnose::case::{Case, CaseFile, Cases, Suspect, TextEdit};
