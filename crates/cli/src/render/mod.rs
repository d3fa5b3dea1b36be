//! One file per form in which things are shown.

#[cfg(feature = "agent")]
pub mod agent;
pub mod audit;
pub mod clones;
pub mod diagnosis;
pub mod doctor;
pub mod events;
pub mod fix;
pub mod inspect;
pub mod install;
pub mod judge;
pub mod patterns;
pub mod refactorings;
pub mod review;
pub mod sessions;
pub mod summary;
pub mod table;
pub mod tests;
