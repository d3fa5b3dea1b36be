//! Whether runs can be made now: a provider that isolates, an audit log that can be written, a queue that moves.

use crate::audit::keeping;
use crate::facade::Platform;
use formicary_model::{Assurance, Level};
use formicary_monitoring::prometheus::{self, Figure};
use serde::Serialize;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long what is known of a provider holds: asking may start programs.
const KNOWN_FOR: Duration = Duration::from_secs(10);

/// Whether runs can be made, and why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Health {
    /// Whether they can.
    pub ready: bool,
    /// The isolation provider.
    pub provider: ProviderHealth,
    /// The audit log.
    pub audit: AuditHealth,
    /// Those that run and those that wait.
    pub queue: QueueHealth,
}

/// The configured provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProviderHealth {
    /// Its name.
    pub name: String,
    /// Whether it gives what the configuration requires.
    pub ok: bool,
    /// The level that it reaches.
    pub level: Level,
}

/// The audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditHealth {
    /// Whether one is kept.
    pub configured: bool,
    /// Whether it can be written, where it is kept.
    pub ok: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Records that could not be written.
    pub records_lost: u64,
}

/// Those that run and those that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct QueueHealth {
    /// Runs at this moment.
    pub running: usize,
    /// Runs that wait for their turn.
    pub waiting: usize,
    /// Runs at one time, at the most.
    pub at_once: usize,
}

/// What was known of the provider when it was last asked.
#[derive(Default)]
pub(crate) struct Known(Mutex<Option<(Instant, Level)>>);

impl Platform {
    /// Whether runs can be made now. Cheap enough to be asked every second.
    pub fn health(&self) -> Health {
        let level = self.provider_level();
        let provider = ProviderHealth {
            name: self.settings().provider.clone(),
            ok: match self.new_request().assurance {
                Assurance::Require(wanted) => level >= wanted,
                Assurance::BestEffort => true,
            },
            level,
        };
        let audit = self.audit_health();
        let place = keeping::place(self.configuration()).ok().flatten();
        // A configuration that names no place to write to is wrong in itself.
        let required = place.is_none_or(|place| keeping::is_required(self.configuration(), &place));
        let ready = provider.ok && (audit.ok || !required);
        Health { ready, provider, audit, queue: self.queue() }
    }

    /// Everything that is counted, in Prometheus' text form; its media type is
    /// [`prometheus::MEDIA_TYPE`](formicary_monitoring::prometheus::MEDIA_TYPE).
    pub fn prometheus(&self) -> String {
        let queue = self.queue();
        let sent = self.watchers.exporter.as_ref().map(|exporter| exporter.sent()).unwrap_or_default();
        let figure = |name, about, counter, value: u64| Figure { name, about, counter, value: value as f64 };
        let figures = [
            figure("queue_running", "Runs that have their turn", false, queue.running as u64),
            figure("queue_waiting", "Runs that wait for their turn", false, queue.waiting as u64),
            figure(
                "audit_records_lost_total",
                "Audit records that could not be written",
                true,
                self.audit_records_lost(),
            ),
            figure("otlp_traces_sent_total", "Traces that a collector took", true, sent.sent),
            figure("otlp_traces_dropped_total", "Traces that were dropped", true, sent.dropped),
        ];
        prometheus::render(&self.monitors.metrics.counted(), &figures)
    }

    /// Whether runs are to be logged.
    pub fn keeps_audit_log(&self) -> bool {
        keeping::place(self.configuration()).is_ok_and(|place| place.is_some())
    }

    fn queue(&self) -> QueueHealth {
        QueueHealth { running: self.runs.running(), waiting: self.runs.waiting(), at_once: self.runs.slots() }
    }

    fn audit_health(&self) -> AuditHealth {
        let configured = self.keeps_audit_log();
        let checked = match self.audit_log() {
            Ok(Some(log)) => log.check().map_err(|error| error.to_string()),
            Ok(None) => self.any_audit_trouble().map_or(Ok(()), Err),
            Err(failure) => Err(failure.message),
        };
        AuditHealth {
            configured,
            ok: checked.is_ok(),
            why: checked.err(),
            records_lost: self.audit_records_lost(),
        }
    }

    fn provider_level(&self) -> Level {
        let mut known = self.known.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, level)) = known.filter(|(at, _)| at.elapsed() < KNOWN_FOR) {
            return level;
        }
        let name = self.settings().provider.as_str();
        let provider = self.providers.iter().find(|provider| provider.name() == name);
        let level = provider.map_or(Level::None, |provider| provider.capabilities().level);
        *known = Some((Instant::now(), level));
        level
    }
}
