//! Traces and metrics for an OpenTelemetry collector, by OTLP over HTTP with JSON.
//!
//! | module | what it holds |
//! |---|---|
//! | [`spans`] | from events to the spans of a run |
//! | [`message`] | spans and figures as OTLP's JSON |
//! | [`exporter`] | sending them in the background, in batches, never in a run's way |

#[cfg(feature = "otlp")]
pub mod exporter;
#[cfg(not(feature = "otlp"))]
#[path = "without_exporter.rs"]
pub mod exporter;
pub mod message;
pub mod spans;

pub use exporter::{Exporter, OtlpSettings, Sent};
pub use spans::{Span, Trace};
