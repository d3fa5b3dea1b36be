//! What stands for the exporter in a build without the feature `otlp`.

use crate::fanout::Listener;
use crate::metrics::MetricsCollector;
use formicary_model::{Caller, Event};
use std::io;
use std::sync::Arc;

/// Where to send: nowhere.
#[derive(Debug, Clone)]
pub struct OtlpSettings;

impl OtlpSettings {
    /// To this collector.
    pub fn new(_: impl Into<String>) -> Self {
        Self
    }
}

/// What became of traces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sent {
    /// Traces that the collector took.
    pub sent: u64,
    /// Traces that were dropped.
    pub dropped: u64,
}

/// Sends traces and metrics: there is none in this build.
pub enum Exporter {}

impl Exporter {
    /// Says what this build is without.
    pub fn start(_: OtlpSettings, _: Arc<MetricsCollector>) -> io::Result<Self> {
        let why = "this build is without OpenTelemetry; the feature `otlp` brings it";
        Err(io::Error::new(io::ErrorKind::Unsupported, why))
    }

    /// What became of traces so far.
    pub fn sent(&self) -> Sent {
        match *self {}
    }
}

impl Listener for Exporter {
    fn heard(&self, _: &Caller, _: &Event) {
        match *self {}
    }
}
