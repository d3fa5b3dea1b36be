//! What the façade lets be known of its runs, besides the monitors themselves.
//!
//! | module | what it holds |
//! |---|---|
//! | [`watching`] | who hears of runs, and what they are told besides |
//! | [`health`] | whether runs can be made, and figures for a scraper |

pub mod health;
pub mod watching;

pub use health::{AuditHealth, Health, ProviderHealth, QueueHealth};
