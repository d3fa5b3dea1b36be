//! One file per verb.

pub mod audit;
pub mod cache;
pub mod clones;
pub mod completions;
pub mod config;
pub mod diagnose;
pub mod doctor;
pub mod exit_codes;
pub mod fix;
pub mod images;
pub mod index;
pub mod judge;
pub mod keys;
pub mod languages;
pub mod man;
pub mod refactor;
pub mod refactorings;
pub mod review;
pub mod rewrite;
pub mod run;
pub mod search;
pub mod serve;
pub mod session;
pub mod version;
