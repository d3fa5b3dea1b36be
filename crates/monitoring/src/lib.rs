//! Monitoring consumes [`formicary_model::Event`]s and nothing else: no engine depends on it.
//!
//! | module | what it tells |
//! |---|---|
//! | [`lifecycle`] | which runs are under way, and what became of the last ones |
//! | [`resources`] | what each run used over time |
//! | [`metrics`] | counts and percentiles over all runs |
//! | [`audit`] | one JSON line for every execution |
//! | [`fanout`] | one event, many listeners |

pub mod audit;
pub mod fanout;
pub mod lifecycle;
pub mod metrics;
pub mod resources;
#[cfg(test)]
mod samples;

pub use audit::{AuditLog, AuditRecord};
pub use fanout::{Fanout, Listener};
pub use lifecycle::{ExecutionMonitor, RunRecord, Stage};
pub use metrics::{MetricsCollector, MetricsSnapshot, Percentiles};
pub use resources::{ResourceMonitor, Timeline};
