//! Where the log is, and what happens when it cannot be written. One connection serves all runs of the process.

use crate::config::{Configuration, Value};
use crate::facade::Platform;
use formicary_execution::{code_bytes, code_hash, now_ms};
use formicary_model::{Caller, ExecutionRequest, Failure, FailureKind, Source};
use formicary_monitoring::audit::{
    self, AuditSettings, CodeKept, Ends, Refusal, Required, Retention, Writing,
};
use formicary_monitoring::{AuditError, AuditLog};
use formicary_sandbox::Cancel;
use std::sync::{Arc, Mutex, PoisonError};

/// The log of this process, once it is open, and why it is not where it should be.
#[derive(Default)]
pub(crate) struct Kept {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    log: Option<Arc<AuditLog>>,
    trouble: Option<String>,
}

impl Platform {
    /// The audit log, opened at its first use; absent where none is configured. Where it cannot be opened nothing runs,
    /// unless `audit.required` is off.
    pub(crate) fn audit_log(&self) -> Result<Option<Arc<AuditLog>>, Failure> {
        let Some(place) = place(self.configuration())? else { return Ok(None) };
        let mut state = self.audit.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(log) = &state.log {
            return Ok(Some(Arc::clone(log)));
        }
        let settings = settings(self.configuration(), &place);
        let required = settings.required == Required::Yes;
        match audit::open(&place).and_then(|store| AuditLog::new(store, settings)) {
            Ok(log) => {
                state.trouble = None;
                Ok(Some(Arc::clone(state.log.insert(Arc::new(log)))))
            }
            Err(error) if required => Err(cannot_open(&error)),
            Err(error) => {
                state.trouble = Some(error.to_string());
                Ok(None)
            }
        }
    }

    /// Why runs are not logged as configured, where they are not: `audit.required` is off and the log cannot be written.
    pub fn audit_trouble(&self) -> Option<String> {
        let state = self.audit.state.lock().unwrap_or_else(PoisonError::into_inner);
        let of_log = || state.log.as_ref().and_then(|log| log.trouble()).map(|error| error.to_string());
        state.trouble.clone().or_else(of_log)
    }

    /// Records that could not be written.
    pub fn audit_records_lost(&self) -> u64 {
        let state = self.audit.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.log.as_ref().map_or(0, |log| log.lost())
    }

    /// Writes down a request that a door turned away by itself: over a quota, too many at a time, no leave. What the guard
    /// refuses is written down without this.
    pub fn record_refusal(
        &self,
        caller: &Caller,
        request: Option<&ExecutionRequest>,
        refusal: &Failure,
    ) -> Result<(), Failure> {
        let Some(log) = self.audit_log()? else { return Ok(()) };
        let hash = request.map(|request| code_hash(&request.source));
        let refusal = Refusal {
            kind: refusal.kind,
            message: &refusal.message,
            language: request.and_then(|request| request.language.as_deref()),
            code_hash: hash.as_deref(),
            code_bytes: request.map(|request| code_bytes(&request.source)),
        };
        match log.refused(caller, now_ms(), refusal) {
            Err(error) if log.settings().required == Required::Yes => Err(cannot_write(&error)),
            _ => Ok(()),
        }
    }
}

/// Writes one caller's runs into the log. A run that cannot be logged and must be is cancelled before it starts.
pub(crate) fn writing<'a>(
    log: Option<&'a Arc<AuditLog>>,
    ends: Ends,
    cancel: &Cancel,
) -> Option<Writing<'a>> {
    let cancel = cancel.clone();
    log.map(|log| Writing::new(log, ends, move || cancel.cancel()))
}

/// Code that is about to run, where the log keeps it.
pub(crate) fn offer(log: Option<&Arc<AuditLog>>, source: &Source) {
    if let Some(log) = log.filter(|log| log.settings().code == CodeKept::Full) {
        log.offer_code(&code_hash(source), || match source {
            Source::Code { code, .. } => String::from_utf8_lossy(code).into(),
            Source::Files { .. } => serde_json::to_value(source).unwrap_or_default(),
        });
    }
}

/// What the log has against handing out a result.
pub(crate) fn objection(writing: Option<&Writing<'_>>) -> Option<Failure> {
    let writing = writing.filter(|writing| writing.log().settings().required == Required::Yes)?;
    writing.error().map(|error| cannot_write(&error))
}

/// The same, once everything so far is on the disk.
pub(crate) fn settled(writing: Option<&Writing<'_>>) -> Result<(), Failure> {
    let Some(writing) = writing else { return Ok(()) };
    match writing.settle() {
        Err(error) if writing.log().settings().required == Required::Yes => Err(cannot_write(&error)),
        _ => Ok(()),
    }
}

/// Where the configuration wants the log.
pub(crate) fn place(configuration: &Configuration) -> Result<Option<String>, Failure> {
    match (configuration.value("audit.file"), configuration.value("audit.url")) {
        (Value::Path(_), Value::Text(_)) => {
            let message = "audit.file and audit.url are both set: there is one audit log";
            Err(Failure::new(FailureKind::InvalidConfiguration, message).hint("take one of them out"))
        }
        (Value::Path(path), _) => Ok(Some(path.display().to_string())),
        (_, Value::Text(url)) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
            Ok(Some(url.clone()))
        }
        (_, Value::Text(_)) => {
            let message = "audit.url is not the address of a PostgreSQL server";
            Err(Failure::new(FailureKind::InvalidConfiguration, message)
                .hint("write postgres://USER:PASSWORD@HOST:PORT/DATABASE, or set audit.file to a file"))
        }
        _ => Ok(None),
    }
}

fn settings(configuration: &Configuration, place: &str) -> AuditSettings {
    let days = configuration.number("audit.keep_days");
    let file = matches!(configuration.value("audit.file"), Value::Path(_));
    AuditSettings {
        required: if configuration.word("audit.required") == "off" { Required::No } else { Required::Yes },
        code: if configuration.word("audit.code") == "full" { CodeKept::Full } else { CodeKept::Hash },
        files: configuration.word("audit.files") == "on",
        retention: Retention {
            keep_ms: (days > 0.0).then_some((days * 86_400_000.0) as u64),
            max_bytes: file.then(|| configuration.number("audit.max_bytes") as u64),
            archive: file.then(|| place.into()),
        },
    }
}

pub(crate) fn cannot_open(error: &AuditError) -> Failure {
    Failure::new(FailureKind::InvalidConfiguration, format!("the audit log cannot be kept: {error}")).hint(
        "set audit.file to a file in a folder that exists and that you may write, or audit.url to a server that answers; \
         audit.required=off runs without a log",
    )
}

pub(crate) fn cannot_write(error: &AuditError) -> Failure {
    Failure::new(FailureKind::Internal, format!("the audit log cannot be written: {error}")).hint(
        "nothing runs that cannot be logged: make room, or bring the server back; audit.required=off runs on",
    )
}
