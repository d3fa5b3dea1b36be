//! Where the log is, and what happens when it cannot be written. One connection serves all runs of the process.

use crate::config::Configuration;
use crate::config::table::{Audit, AuditFlush};
use crate::doctor::AuditReport;
use crate::facade::Platform;
use crate::key;
use formicary_execution::{code_bytes, code_hash, now_ms};
use formicary_model::{Caller, ExecutionRequest, Failure, FailureKind, Source};
use formicary_monitoring::audit::{
    self, AuditSettings, AuditStore, CodeKept, Ends, Flush, Refusal, Required, Retention, Writing,
};
use formicary_monitoring::{AuditError, AuditLog};
use formicary_sandbox::Cancel;
use std::path::{Path, PathBuf};
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
        let configuration = self.configuration();
        let mut state = self.audit.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(log) = &state.log {
            return Ok(Some(Arc::clone(log)));
        }
        let settings = settings(configuration, &place);
        let required = settings.required == Required::Yes;
        match open(&place).and_then(|store| AuditLog::new(store, settings)) {
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
    /// Nothing where nobody configured a log: then [`doctor`](Self::doctor) shows it.
    pub fn audit_trouble(&self) -> Option<String> {
        let named = place(self.configuration()).is_ok_and(|place| place.is_some_and(|place| place.named));
        self.any_audit_trouble().filter(|_| named)
    }

    /// Why runs are not logged, where they are not though they should be.
    pub(crate) fn any_audit_trouble(&self) -> Option<String> {
        let state = self.audit.state.lock().unwrap_or_else(PoisonError::into_inner);
        let of_log = || state.log.as_ref().and_then(|log| log.trouble()).map(|error| error.to_string());
        state.trouble.clone().or_else(of_log)
    }

    /// Whether runs are logged, and where.
    pub(crate) fn audit_report(&self) -> AuditReport {
        let configuration = self.configuration();
        let checked = match self.audit_log() {
            Ok(Some(log)) => {
                let file = log.settings().retention.max_bytes;
                let place = Some(log.place().to_owned());
                let why = log.check().err().map(|error| error.to_string());
                return AuditReport { kept: why.is_none(), place, max_bytes: file, why };
            }
            Ok(None) => self.any_audit_trouble(),
            Err(failure) => Some(failure.message),
        };
        let why = checked.unwrap_or_else(|| match configuration.settings.audit.enabled {
            false => "audit.enabled is off".into(),
            true => "there is no home directory, and audit.file names no file".into(),
        });
        AuditReport { why: Some(why), ..AuditReport::default() }
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

/// Where the log is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The file or the server.
    pub at: String,
    /// Whether somebody named it. Else it is the one in the user's state directory, which is kept as far as that goes
    /// without any cost: bounded, never waited for, and no reason not to run.
    pub named: bool,
}

/// The name of the log in the user's state directory.
const USUAL: &str = "audit.db";

fn open(place: &Place) -> Result<Box<dyn AuditStore>, AuditError> {
    if place.named {
        return audit::open(&place.at);
    }
    let file = Path::new(&place.at);
    if let Some(folder) = file.parent() {
        use std::os::unix::fs::DirBuilderExt as _;
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|error| AuditError { place: folder.display().to_string(), why: error.to_string() })?;
    }
    audit::open_unflushed(file)
}

/// Whether nothing runs that cannot be logged.
pub(crate) fn is_required(configuration: &Configuration, place: &Place) -> bool {
    configuration.settings.audit.required && (place.named || configuration.is_set(key!(audit.required)))
}

/// Where the configuration has the log; nothing where it is off, or where there is no place for it.
pub(crate) fn place(configuration: &Configuration) -> Result<Option<Place>, Failure> {
    if !configuration.settings.audit.enabled {
        return Ok(None);
    }
    let usual = |folder: &PathBuf| Place { at: folder.join(USUAL).display().to_string(), named: false };
    let named = named(&configuration.settings.audit)?.map(|at| Place { at, named: true });
    Ok(named.or_else(|| configuration.state_folder.as_ref().map(usual)))
}

/// The place that the configuration names.
fn named(audit: &Audit) -> Result<Option<String>, Failure> {
    match (&audit.file, &audit.url) {
        (Some(_), Some(_)) => {
            let message = "audit.file and audit.url are both set: there is one audit log";
            Err(Failure::new(FailureKind::InvalidConfiguration, message).hint("take one of them out"))
        }
        (Some(path), None) => Ok(Some(path.display().to_string())),
        (None, Some(url)) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
            Ok(Some(url.clone()))
        }
        (None, Some(_)) => {
            let message = "audit.url is not the address of a PostgreSQL server";
            Err(Failure::new(FailureKind::InvalidConfiguration, message)
                .hint("write postgres://USER:PASSWORD@HOST:PORT/DATABASE, or set audit.file to a file"))
        }
        (None, None) => Ok(None),
    }
}

fn settings(configuration: &Configuration, place: &Place) -> AuditSettings {
    let audit = &configuration.settings.audit;
    let named_file = audit.file.is_some();
    let file = named_file || !place.named;
    AuditSettings {
        required: if is_required(configuration, place) { Required::Yes } else { Required::No },
        code: audit.code,
        files: audit.files,
        flush: match audit.flush {
            AuditFlush::On => Flush::EachRun,
            AuditFlush::Off => Flush::Never,
            AuditFlush::Auto if place.named => Flush::EachRun,
            AuditFlush::Auto => Flush::Never,
        },
        retention: Retention {
            keep_ms: (audit.keep_days > 0.0).then_some((audit.keep_days * 86_400_000.0) as u64),
            max_bytes: file.then_some(audit.max_bytes),
            archive: named_file.then(|| place.at.clone().into()),
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
