//! One file per verb.

pub mod completions;
pub mod config;
pub mod doctor;
pub mod exit_codes;
pub mod index;
pub mod judge;
pub mod languages;
pub mod man;
pub mod refactor;
pub mod review;
pub mod rewrite;
pub mod run;
pub mod search;
pub mod session;
pub mod version;
