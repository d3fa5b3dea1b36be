//! What the audit log is read for: is it whole, what does it say, and what may go.

use super::keeping::{cannot_open, place};
use super::time::Moment;
use crate::facade::Platform;
use formicary_model::failure::code;
use formicary_model::{Failure, FailureKind};
use formicary_monitoring::audit::retention::prune;
use formicary_monitoring::audit::{self, AuditStore, Filter, Order, Sealed, Verification};
use formicary_monitoring::{AuditError, AuditRecord};
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::Path;

/// A record as it is shown: its place in the chain and what it says.
#[derive(Debug, Clone, Serialize)]
pub struct ShownRecord {
    /// Its number.
    pub seq: u64,
    /// Its hash.
    pub hash: String,
    /// Its time, as people write it.
    pub at: String,
    /// What it says.
    #[serde(flatten)]
    pub record: AuditRecord,
}

impl ShownRecord {
    fn new(sealed: &Sealed, record: &AuditRecord) -> Self {
        let at = Moment(record.at_ms).to_string();
        Self { seq: sealed.seq, hash: sealed.hash.clone(), at, record: record.clone() }
    }
}

/// What was let go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PruneReport {
    /// How many records.
    pub removed: u64,
}

impl Platform {
    /// Looks at every record of the audit log. `expected` are ends of the chain that were noted earlier, `SEQ:HASH` each.
    pub fn audit_verify(&self, expected: &[String]) -> Result<Verification, Failure> {
        let expected = noted(expected)?;
        self.with_audit(|store| audit::verify(store, &expected))
    }

    /// The same for an archive, or anything else that `export` wrote whole.
    pub fn audit_verify_archive(&self, archive: &Path, expected: &[String]) -> Result<Verification, Failure> {
        let expected = noted(expected)?;
        let name = archive.display().to_string();
        let wrong = |why: String| Failure::new(FailureKind::InvalidInput, format!("{name}: {why}"));
        let file = std::fs::File::open(archive).map_err(|error| wrong(error.to_string()))?;
        audit::verify_archive(std::io::BufReader::new(file), &name, &expected)
            .map_err(|error| wrong(error.why).hint("give a file that `audit export` or `audit prune` wrote"))
    }

    /// The latest records that the filter takes, latest first, at most so many.
    pub fn audit_query(&self, filter: &Filter, most: usize) -> Result<Vec<ShownRecord>, Failure> {
        let mut found = Vec::new();
        self.with_audit(|store| {
            audit::search(store, filter, Order::Falling, &mut |sealed, record| {
                if found.len() < most {
                    found.push(ShownRecord::new(sealed, record));
                }
                if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
        })?;
        Ok(found)
    }

    /// Shows every record that the filter takes to `show`, oldest first, with the hash before it.
    pub fn audit_export(
        &self,
        filter: &Filter,
        show: &mut dyn FnMut(&Sealed, &AuditRecord, &str) -> Result<(), Failure>,
    ) -> Result<u64, Failure> {
        let (mut count, mut failed) = (0, None);
        self.with_audit(|store| {
            let mut before: (u64, String) = (0, String::new());
            let head = store.head()?;
            if head.base_seq > 0 || head.seq > 0 {
                before = (head.base_seq, head.base_hash);
            }
            let mut step = |sealed: &Sealed, record: &AuditRecord| {
                // The record before stands in front of it unless the filter left it out.
                let known = if before.0 + 1 == sealed.seq { before.1.as_str() } else { "" };
                let told =
                    if filter.takes(record, &sealed.body) { show(sealed, record, known) } else { Ok(()) };
                count += u64::from(filter.takes(record, &sealed.body));
                before = (sealed.seq, sealed.hash.clone());
                match told {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(failure) => {
                        failed = Some(failure);
                        ControlFlow::Break(())
                    }
                }
            };
            audit::search(store, &Filter::default(), Order::Rising, &mut step)
        })?;
        failed.map_or(Ok(count), Err)
    }

    /// Lets records go that are older than this, into an archive where one is named.
    pub fn audit_prune(&self, before: Moment, archive: Option<&Path>) -> Result<PruneReport, Failure> {
        let removed = self.with_audit(|store| {
            let through = store.last_before(before.0)?;
            prune(store, through, archive)
        })?;
        Ok(PruneReport { removed })
    }

    fn with_audit<T>(
        &self,
        work: impl FnOnce(&mut dyn AuditStore) -> Result<T, AuditError>,
    ) -> Result<T, Failure> {
        let missing = || {
            let on = self.settings().audit.enabled;
            let why = if on { "there is no home directory" } else { "audit.enabled is off" };
            Failure::new(FailureKind::InvalidConfiguration, format!("there is no audit log: {why}"))
                .hint("set audit.file to a file, as in --set audit.file=/var/lib/formicary/audit.db")
        };
        let place = place(self.configuration())?.ok_or_else(missing)?.at;
        if !place.contains("://") && !Path::new(&place).exists() {
            let message = format!("the audit log {place} is not there: nothing was logged yet");
            return Err(Failure::new(FailureKind::InvalidInput, message)
                .code(code::EMPTY_AUDIT)
                .hint("set audit.file to where it is"));
        }
        let log = self.audit_log()?;
        let done = match log {
            Some(log) => log.with_store(work),
            // It need not be kept, but to be read it must be there.
            None => audit::open(&place)
                .map_err(|error| cannot_open(&error))
                .map(|mut store| work(store.as_mut()))?,
        };
        done.map_err(|error| Failure::new(FailureKind::Internal, format!("the audit log: {error}")))
    }
}

fn noted(ends: &[String]) -> Result<Vec<(u64, String)>, Failure> {
    let read = |text: &String| {
        let (seq, hash) = text.split_once(':')?;
        let hexadecimal = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some((seq.parse().ok()?, hash.to_ascii_lowercase())).filter(|_| hexadecimal)
    };
    ends.iter()
        .map(|text| {
            read(text).ok_or_else(|| {
                Failure::new(FailureKind::InvalidInput, format!("{text:?} is not an end of an audit log"))
                    .hint("give SEQ:HASH, as `formicary audit verify` told it")
            })
        })
        .collect()
}
