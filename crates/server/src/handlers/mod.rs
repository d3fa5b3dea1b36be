//! What each address does: read what was asked, one call of the façade, write what came of it.

pub mod about;
pub mod agent;
pub mod code;
pub mod debugging;
pub mod execute;
pub mod index;
pub mod inspect;
pub mod jobs;
pub mod judge;
pub mod operations;
pub mod reviews;
pub mod sessions;
pub mod socket;
pub mod tests;
