//! The façade's use-cases of sessions: those of this process. The session server is this and a socket.

use super::SessionCall;
use crate::audit::keeping;
use crate::facade::{Platform, local_caller};
use formicary_execution::sessions::{SessionManager, SessionSettings};
use formicary_execution::{code_hash, new_run_id, now_ms};
use formicary_model::{
    Caller, CellRequest, CellResult, Event, EventKind, Failure, Observer, SessionRequest, Source, Stream,
    Terms,
};
use formicary_monitoring::audit::Ends;
use formicary_sandbox::Cancel;

impl Platform {
    /// A session as the configuration would have it, in this language.
    pub fn new_session(&self, language: &str) -> SessionRequest {
        let environment = self.new_request().environment;
        SessionRequest { language: language.to_owned(), environment, ..SessionRequest::default() }
    }

    /// The sessions of this process, which end with it. What should outlive it belongs to the session server.
    pub fn sessions(&self) -> Result<&SessionManager, Failure> {
        let manager = self.sessions.get_or_init(|| {
            let sessions = &self.settings().sessions;
            let settings = SessionSettings {
                most: sessions.most,
                idle: sessions.idle_seconds,
                lifetime: sessions.lifetime_seconds,
                ..SessionSettings::default()
            };
            SessionManager::new(self.execution.clone(), settings, self.providers.clone())
        });
        manager.as_ref().map_err(Clone::clone)
    }

    /// Runs one cell in a session, and lets the monitors and the audit log know.
    /// Output is shown to `watch` as it comes.
    pub fn run_cell(
        &self,
        id: &str,
        cell: &CellRequest,
        watch: &mut (dyn FnMut(Stream, &[u8]) + Send),
    ) -> Result<CellResult, Failure> {
        self.run_cell_as(&local_caller(), id, cell, &(), watch)
    }

    /// The same for a caller that a front end knows, of which `heard` hears. `id` is the name inside.
    pub(crate) fn run_cell_as(
        &self,
        caller: &Caller,
        id: &str,
        cell: &CellRequest,
        heard: &dyn Observer,
        watch: &mut (dyn FnMut(Stream, &[u8]) + Send),
    ) -> Result<CellResult, Failure> {
        let here = match self.is_front() {
            true => None,
            false => Some(self.sessions()?.find(id)?),
        };
        let (info, limits) = match &here {
            Some(session) => (session.info(), session.limits().clone()),
            None => {
                let info = self.session(SessionCall::Info(id.to_owned()))?.info()?;
                (info, self.execution.default_limits.clone())
            }
        };
        let audit = self.audit_log()?;
        let source = Source::code(cell.code.clone());
        keeping::offer(audit.as_ref(), &source);
        let cancel = Cancel::default();
        let writing = keeping::writing(audit.as_ref(), Ends::Settled, &cancel);
        let observer = self.fanout(caller, heard, writing.as_ref());
        let run_id = new_run_id()?;
        let tell = |kind| observer.event(&Event { run_id: run_id.clone(), at_ms: now_ms(), kind });
        let code_bytes = cell.code.len() as u64;
        tell(EventKind::Received {
            language: Some(info.language.clone()),
            code_hash: code_hash(&source),
            code_bytes,
        });
        let terms = Box::new(Terms { limits, ..Terms::default() });
        tell(EventKind::Accepted { language: info.language, provider: info.provider, code_bytes, terms });
        if let Some(failure) = keeping::objection(writing.as_ref()) {
            return Err(failure);
        }
        let result = match &here {
            Some(session) => session.run_watched(cell, watch),
            None => self.run_cell_elsewhere(caller, id, cell, watch),
        };
        tell(match &result {
            Ok(result) => finished(result),
            Err(failure) => EventKind::Failed { kind: failure.kind, message: failure.message.clone() },
        });
        // A cell that the log does not know of must not look like one that it does.
        let result = keeping::objection(writing.as_ref()).map_or(result, Err);
        result.map(|result| CellResult { run_id, ..result })
    }
}

/// A cell's end, as any run would tell it.
fn finished(result: &CellResult) -> EventKind {
    EventKind::Finished {
        status: result.status,
        exit_code: result.exit_code,
        duration: result.duration,
        usage: result.usage.clone(),
        level: result.enforcement.level,
        enforcement: result.enforcement.clone(),
        violations: Vec::new(),
        files: Vec::new(),
    }
}
