//! What each address does: read what was asked, one call of the façade, write what came of it.

pub mod about;
pub mod agent;
pub mod jobs;
pub mod operations;
pub mod perform;
pub mod reviews;
pub mod sessions;
pub mod socket;
