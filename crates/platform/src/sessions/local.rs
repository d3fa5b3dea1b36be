//! The façade's use-cases of sessions: those of this process. The session server is this and a socket.

use crate::facade::{Monitors, Platform, local_caller};
use formicary_execution::sessions::{SessionManager, SessionSettings};
use formicary_model::{
    Caller, CellRequest, CellResult, Event, EventKind, Failure, Observer as _, SessionRequest, Stream,
    Terms,
};
use formicary_monitoring::{AuditLog, Fanout};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

impl Platform {
    /// A session as the configuration would have it, in this language.
    pub fn new_session(&self, language: &str) -> SessionRequest {
        let request = self.new_request();
        SessionRequest {
            language: language.to_owned(),
            limits: self.execution.default_limits.clone(),
            network: request.network,
            assurance: request.assurance,
            ..SessionRequest::default()
        }
    }

    /// The sessions of this process, which end with it. What should outlive it belongs to the session server.
    pub fn sessions(&self) -> Result<&SessionManager, Failure> {
        let manager = self.sessions.get_or_init(|| {
            let seconds = |key: &str| Duration::from_secs_f64(self.configuration().number(key));
            let settings = SessionSettings {
                most: self.configuration().number("sessions.most") as usize,
                idle: seconds("sessions.idle_seconds"),
                lifetime: seconds("sessions.lifetime_seconds"),
                ..SessionSettings::default()
            };
            SessionManager::new(self.execution.clone(), settings, self.providers.clone())
        });
        manager.as_ref().map_err(Clone::clone)
    }

    /// Runs one cell in a session of this process, and lets the monitors and the audit log know.
    /// Output is shown to `watch` as it comes.
    pub fn run_cell(
        &self,
        id: &str,
        cell: &CellRequest,
        watch: &mut (dyn FnMut(Stream, &[u8]) + Send),
    ) -> Result<CellResult, Failure> {
        self.run_cell_as(&local_caller(), id, cell, watch)
    }

    /// The same for a caller that a door knows. Whether the session is theirs is the door's to check.
    pub fn run_cell_as(
        &self,
        caller: &Caller,
        id: &str,
        cell: &CellRequest,
        watch: &mut (dyn FnMut(Stream, &[u8]) + Send),
    ) -> Result<CellResult, Failure> {
        let session = self.sessions()?.find(id)?;
        let audit = self.open_audit()?;
        let result = session.run_watched(cell, watch)?;
        let Monitors { executions, resources, metrics } = &self.monitors;
        let mut observer = Fanout::new(caller).tell(executions).and(resources).and(metrics);
        if let Some(audit) = &audit {
            observer = observer.and(audit);
        }
        for (at_ms, kind) in told(&result, cell) {
            observer.event(&Event { run_id: result.run_id.clone(), at_ms, kind });
        }
        match audit.as_ref().and_then(AuditLog::take_error) {
            // A cell that the log does not know of must not look like one that it does.
            Some(error) => Err(self.audit_failure(&error)),
            None => Ok(result),
        }
    }
}

/// A cell's beginning and end, as any run would tell them.
fn told(result: &CellResult, cell: &CellRequest) -> [(u64, EventKind); 2] {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let ended = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
    let started = ended.saturating_sub((result.duration * 1000.0) as u64);
    let accepted = EventKind::Accepted {
        language: result.language.clone(),
        provider: result.enforcement.provider.clone(),
        code_bytes: cell.code.len() as u64,
        terms: Box::new(Terms::default()),
    };
    let finished = EventKind::Finished {
        status: result.status,
        exit_code: result.exit_code,
        duration: result.duration,
        usage: result.usage.clone(),
        level: result.enforcement.level,
        enforcement: result.enforcement.clone(),
        violations: Vec::new(),
        files: Vec::new(),
    };
    [(started, accepted), (ended, finished)]
}
