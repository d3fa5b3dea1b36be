//! Monitoring consumes [`formicary_model::Event`]s and nothing else: no engine depends on it.
//!
//! | module | what it tells |
//! |---|---|
//! | [`lifecycle`] | which runs are under way, and what became of the last ones |
//! | [`resources`] | what each run used over time |
//! | [`metrics`] | counts and percentiles over all runs |
//! | [`sketch`] | percentiles in little room |
//! | [`prometheus`] | the same figures for a scraper |
//! | [`otlp`] | traces and metrics for an OpenTelemetry collector |
//! | [`lines`] | one line of JSON a run |
//! | [`audit`] | a record of every execution, in a chain |
//! | [`fanout`] | one event, many listeners |

pub mod audit;
pub mod fanout;
pub mod lifecycle;
pub mod lines;
pub mod metrics;
pub mod otlp;
pub mod prometheus;
pub mod resources;
#[cfg(test)]
mod samples;
pub mod sketch;

pub use audit::{AuditError, AuditLog, AuditRecord};
pub use fanout::{Fanout, Listener};
pub use lifecycle::{ExecutionMonitor, RunRecord, Stage};
pub use metrics::{MetricsCollector, MetricsSnapshot, Percentiles};
pub use resources::{ResourceMonitor, Timeline};
