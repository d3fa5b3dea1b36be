//! One file per form in which things are shown.

pub mod audit;
pub mod clones;
pub mod diagnosis;
pub mod doctor;
pub mod events;
pub mod fix;
pub mod install;
pub mod judge;
pub mod patterns;
pub mod refactorings;
pub mod review;
pub mod sessions;
pub mod summary;
pub mod table;
