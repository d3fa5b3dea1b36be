//! One file per verb.

pub mod completions;
pub mod config;
pub mod doctor;
pub mod exit_codes;
pub mod fix;
pub mod judge;
pub mod languages;
pub mod man;
pub mod review;
pub mod run;
pub mod session;
pub mod version;
