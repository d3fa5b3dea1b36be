//! One file per form in which things are shown.

pub mod doctor;
pub mod events;
pub mod fix;
pub mod judge;
pub mod review;
pub mod sessions;
pub mod summary;
pub mod table;
