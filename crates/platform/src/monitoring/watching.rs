//! Who hears of runs: the audit log first, the monitors, an OpenTelemetry collector, the log of a server, the caller.

use crate::config::Settings;
use crate::config::table::LogFormat;
use crate::facade::{Monitors, Platform};
use formicary_model::{Caller, Event, EventKind, Failure, FailureKind, Observer, Step};
use formicary_monitoring::audit::Writing;
use formicary_monitoring::lines::LogLines;
use formicary_monitoring::otlp::{Exporter, OtlpSettings};
use formicary_monitoring::{Fanout, MetricsCollector};
use std::io::{ErrorKind, Write};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Those who hear of runs because the configuration says so.
#[derive(Default)]
pub(crate) struct Watchers {
    pub exporter: Option<Exporter>,
    pub lines: OnceLock<LogLines>,
}

impl Watchers {
    /// Starts what the configuration wants.
    pub fn start(settings: &Settings, metrics: &Arc<MetricsCollector>) -> Result<Self, Failure> {
        let Some(endpoint) = &settings.otlp.endpoint else { return Ok(Self::default()) };
        if !["http://", "https://"].iter().any(|scheme| endpoint.starts_with(scheme)) {
            let message = format!("otlp.endpoint {endpoint:?} is not an address");
            return Err(Failure::new(FailureKind::InvalidConfiguration, message)
                .hint("write it with its scheme and without a path, as in http://localhost:4318"));
        }
        let started = Exporter::start(OtlpSettings::new(endpoint), Arc::clone(metrics));
        let exporter = started.map_err(|error| match error.kind() {
            ErrorKind::Unsupported => Failure::new(FailureKind::InvalidConfiguration, error.to_string())
                .hint("leave otlp.endpoint out, or use another build"),
            _ => Failure::new(FailureKind::Internal, format!("no thread can be started: {error}")),
        })?;
        Ok(Self { exporter: Some(exporter), lines: OnceLock::new() })
    }
}

impl Platform {
    /// Writes one line of JSON for each run to `out`, where `log.format` is `json`. Doors that stay give their stderr.
    pub fn log_to(&self, out: Box<dyn Write + Send>) {
        if self.settings().log.format == LogFormat::Json {
            self.watchers.lines.get_or_init(|| LogLines::new(out));
        }
    }

    /// Everybody who hears of a run of this caller's, the audit log first.
    pub(crate) fn fanout<'a>(
        &'a self,
        caller: &'a Caller,
        observer: &'a dyn Observer,
        writing: Option<&'a Writing<'a>>,
    ) -> Fanout<'a> {
        let Monitors { executions, resources, metrics } = &self.monitors;
        let mut fanout = Fanout::new(caller);
        if let Some(writing) = writing {
            fanout = fanout.tell(writing);
        }
        fanout = fanout.tell(executions).tell(metrics.as_ref());
        if let Some(exporter) = &self.watchers.exporter {
            fanout = fanout.tell(exporter);
        }
        if let Some(lines) = self.watchers.lines.get() {
            fanout = fanout.tell(lines);
        }
        fanout.and(resources).and(observer)
    }
}

/// Tells of the time that a run waited for its turn, once it has a name.
pub(crate) struct Waited<'a> {
    pub observer: &'a dyn Observer,
    pub time: Duration,
}

impl Observer for Waited<'_> {
    fn event(&self, event: &Event) {
        self.observer.event(event);
        if matches!(event.kind, EventKind::Received { .. }) {
            let kind = EventKind::Step { step: Step::Queue, seconds: self.time.as_secs_f64() };
            self.observer.event(&Event { run_id: event.run_id.clone(), at_ms: event.at_ms, kind });
        }
    }

    fn reads_along(&self) -> bool {
        self.observer.reads_along()
    }
}
