//! From events to records. The start of a run is written before anything of it runs, its end before the result is returned;
//! runs that end at the same time share one write to the disk.

use super::record::{AuditRecord, RecordKind};
use super::retention::Retention;
use super::store::{AuditError, AuditStore, Durability, sync_folder};
use crate::fanout::Listener;
use crate::metrics::failure_word;
use formicary_model::{Caller, Event, EventKind, FailureKind, ProtectionState};
use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Whether something may run that cannot be logged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Required {
    /// It may not.
    #[default]
    Yes,
    /// It may; what was lost is counted.
    No,
}

/// What is kept of the code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CodeKept {
    /// Its hash.
    #[default]
    Hash,
    /// All of it.
    Full,
}

/// Whether the end of a run waits until its record is on the disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Flush {
    /// It does: the record survives a loss of power.
    #[default]
    EachRun,
    /// The system writes it when it sees fit: the record survives the end of this process.
    Never,
}

/// How the log is kept.
#[derive(Debug, Clone, Default)]
pub struct AuditSettings {
    /// Whether something may run that cannot be logged.
    pub required: Required,
    /// What is kept of the code.
    pub code: CodeKept,
    /// Whether files that are brought back are named.
    pub files: bool,
    /// Whether the end of a run waits until its record is on the disk.
    pub flush: Flush,
    /// What goes when.
    pub retention: Retention,
}

/// Codes that are held for their first record.
const CODES: usize = 1_024;
/// Writes between two looks at what may go.
const WRITES_BETWEEN_LOOKS: u64 = 256;

/// The audit log of one process.
pub struct AuditLog {
    settings: AuditSettings,
    place: String,
    store: Mutex<Box<dyn AuditStore>>,
    queue: Mutex<Vec<Waiting>>,
    runs: Mutex<BTreeMap<String, AuditRecord>>,
    codes: Mutex<Codes>,
    trouble: Mutex<Option<AuditError>>,
    lost: AtomicU64,
    writes: AtomicU64,
    unsettled: Option<PathBuf>,
    settled: Mutex<u64>,
}

struct Waiting {
    record: AuditRecord,
    answer: Arc<Mutex<Option<Result<(), AuditError>>>>,
}

/// Code by its hash: still to be written, or `None` where it was.
#[derive(Default)]
struct Codes {
    by_hash: BTreeMap<String, Option<serde_json::Value>>,
    order: VecDeque<String>,
}

impl AuditLog {
    /// A log in this store.
    pub fn new(mut store: Box<dyn AuditStore>, settings: AuditSettings) -> Result<Self, AuditError> {
        settings.retention.apply(store.as_mut())?;
        Ok(Self {
            settings,
            place: store.place(),
            unsettled: store.unsettled(),
            settled: Mutex::new(0),
            store: Mutex::new(store),
            queue: Mutex::default(),
            runs: Mutex::default(),
            codes: Mutex::default(),
            trouble: Mutex::default(),
            lost: AtomicU64::new(0),
            writes: AtomicU64::new(0),
        })
    }

    /// How the log is kept.
    pub fn settings(&self) -> &AuditSettings {
        &self.settings
    }

    /// The file or the server, without a password.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Why the last write failed; nothing where it did not.
    pub fn trouble(&self) -> Option<AuditError> {
        lock(&self.trouble).clone()
    }

    /// Records that could not be written.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Whether the store answers now.
    pub fn check(&self) -> Result<(), AuditError> {
        lock(&self.store).head().map(drop)
    }

    /// Lets somebody look at the store, or change what it keeps.
    pub fn with_store<T>(&self, work: impl FnOnce(&mut dyn AuditStore) -> T) -> T {
        work(lock(&self.store).as_mut())
    }

    /// Code that is about to run, for its first record. Nothing where only hashes are kept.
    pub fn offer_code(&self, hash: &str, code: impl FnOnce() -> serde_json::Value) {
        if self.settings.code == CodeKept::Hash {
            return;
        }
        let mut codes = lock(&self.codes);
        if codes.by_hash.contains_key(hash) {
            return;
        }
        if codes.order.len() >= CODES
            && let Some(oldest) = codes.order.pop_front()
        {
            codes.by_hash.remove(&oldest);
        }
        codes.order.push_back(hash.to_owned());
        codes.by_hash.insert(hash.to_owned(), Some(code()));
    }

    /// Writes one record and waits until it is as durable as it must be.
    pub fn write(&self, record: AuditRecord, durability: Durability) -> Result<(), AuditError> {
        self.append(record)?;
        if durability == Durability::Disk { self.settle() } else { Ok(()) }
    }

    /// Waits until everything that was written is on the disk. Those who wait at the same time share one way to it.
    pub fn settle(&self) -> Result<(), AuditError> {
        let Some(file) = self.unsettled.as_ref().filter(|_| self.settings.flush == Flush::EachRun) else {
            return Ok(());
        };
        let wanted = self.writes.load(Ordering::Acquire);
        let mut settled = lock(&self.settled);
        if *settled >= wanted {
            return Ok(());
        }
        let reached = self.writes.load(Ordering::Acquire);
        let first = *settled == 0;
        let synced = File::open(file).and_then(|file| file.sync_data()).and_then(|()| {
            // The name of a new file must be on the disk too.
            if first { sync_folder(file) } else { Ok(()) }
        });
        match synced {
            Ok(()) => *settled = reached,
            Err(error) => {
                let error = AuditError { place: self.place.clone(), why: error.to_string() };
                *lock(&self.trouble) = Some(error.clone());
                return Err(error);
            }
        }
        Ok(())
    }

    // Whoever comes while another writes has its record written with all others that wait, by one of them.
    fn append(&self, record: AuditRecord) -> Result<(), AuditError> {
        let answer = Arc::new(Mutex::new(None));
        lock(&self.queue).push(Waiting { record, answer: Arc::clone(&answer) });
        let mut store = lock(&self.store);
        // Records leave the queue only under the store's lock, and are answered before it is given back.
        if let Some(answer) = lock(&answer).take() {
            return answer;
        }
        let waiting = std::mem::take(&mut *lock(&self.queue));
        let (records, answers): (Vec<_>, Vec<_>) =
            waiting.into_iter().map(|one| (one.record, one.answer)).unzip();
        let written = store.append(&records);
        self.note(&written, records.len() as u64, store.as_mut());
        for one in answers {
            *lock(&one) = Some(written.clone());
        }
        written
    }

    fn note(&self, written: &Result<(), AuditError>, records: u64, store: &mut dyn AuditStore) {
        *lock(&self.trouble) = written.as_ref().err().cloned();
        if written.is_err() {
            self.lost.fetch_add(records, Ordering::Relaxed);
            return;
        }
        let before = self.writes.fetch_add(records, Ordering::AcqRel);
        if before / WRITES_BETWEEN_LOOKS != (before + records) / WRITES_BETWEEN_LOOKS {
            // What should have gone stays until the next look: no run need wait for that.
            let _ = self.settings.retention.apply(store);
        }
    }

    /// A record of an event of this caller's, where it is one that is written; with what it must survive.
    pub fn record(&self, caller: &Caller, event: &Event) -> Option<(AuditRecord, Durability)> {
        let mut runs = lock(&self.runs);
        match &event.kind {
            EventKind::Received { language, code_hash, code_bytes } => {
                let record = AuditRecord {
                    language: language.clone(),
                    code_hash: Some(code_hash.clone()),
                    code_bytes: Some(*code_bytes),
                    ..blank(caller, event)
                };
                runs.insert(event.run_id.clone(), record);
                None
            }
            EventKind::Accepted { language, provider, code_bytes, terms } => {
                let run = runs.entry(event.run_id.clone()).or_insert_with(|| blank(caller, event));
                run.language = Some(language.clone());
                run.provider = Some(provider.clone());
                run.code_bytes = Some(*code_bytes);
                let code = run.code_hash.as_ref().and_then(|hash| self.take_code(hash));
                let (at_ms, terms) = (event.at_ms, Some(terms.clone()));
                let started = AuditRecord { at_ms, code, terms, ..run.clone() };
                // So that the end finds it known.
                run.kind = RecordKind::Ended;
                Some((started, Durability::Process))
            }
            EventKind::Finished { .. } | EventKind::Failed { .. } => {
                let run = runs.remove(&event.run_id).unwrap_or_else(|| blank(caller, event));
                drop(runs);
                Some((self.ended(run, event), Durability::Disk))
            }
            _ => None,
        }
    }

    fn ended(&self, run: AuditRecord, event: &Event) -> AuditRecord {
        let known = run.kind == RecordKind::Ended;
        let mut record = AuditRecord { at_ms: event.at_ms, kind: RecordKind::Ended, ..run };
        match &event.kind {
            EventKind::Finished {
                status,
                exit_code,
                duration,
                usage,
                level,
                enforcement,
                violations,
                files,
            } => {
                record.status = Some(*status);
                record.exit_code = *exit_code;
                record.duration = Some(*duration);
                record.usage = Some(usage.clone());
                record.level = Some(*level);
                let wanting = |state: &ProtectionState| !matches!(state, ProtectionState::Enforced(_));
                let states = enforcement.protections.iter().filter(|(_, state)| wanting(state));
                record.not_enforced = states.map(|(name, state)| (*name, state.clone())).collect();
                record.violations.clone_from(violations);
                if self.settings.files {
                    record.files.clone_from(files);
                }
            }
            EventKind::Failed { kind, message } => {
                record.failure = Some(failure_word(*kind));
                record.message = Some(message.clone());
                if !known {
                    record.kind = RecordKind::Refused;
                    record.code = record.code_hash.as_ref().and_then(|hash| self.take_code(hash));
                }
            }
            _ => {}
        }
        record
    }

    /// A record of a request that a door turned away before it came here.
    pub fn refused(&self, caller: &Caller, at_ms: u64, refusal: Refusal<'_>) -> Result<(), AuditError> {
        let record = AuditRecord {
            at_ms,
            kind: RecordKind::Refused,
            caller: caller.clone(),
            language: refusal.language.map(str::to_owned),
            code_hash: refusal.code_hash.map(str::to_owned),
            code_bytes: refusal.code_bytes,
            failure: Some(failure_word(refusal.kind)),
            message: Some(refusal.message.to_owned()),
            ..AuditRecord::default()
        };
        self.write(record, Durability::Disk)
    }

    fn take_code(&self, hash: &str) -> Option<serde_json::Value> {
        lock(&self.codes).by_hash.get_mut(hash)?.take()
    }
}

/// Why a door turned a request away, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Refusal<'a> {
    /// The kind of refusal.
    pub kind: FailureKind,
    /// In words.
    pub message: &'a str,
    /// The language, as it was named.
    pub language: Option<&'a str>,
    /// SHA-256 of the code.
    pub code_hash: Option<&'a str>,
    /// Bytes of code.
    pub code_bytes: Option<u64>,
}

/// When the end of a run must be on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// Before the run is over for whoever had it made.
    Settled,
    /// When somebody calls [`AuditLog::settle`], which must be before a result is shown.
    Gathered,
}

/// One caller's runs, written into the log as they go. `stop` is called when a run must not start.
pub struct Writing<'a> {
    log: &'a AuditLog,
    ends: Ends,
    stop: Box<dyn Fn() + Send + Sync + 'a>,
    error: Mutex<Option<AuditError>>,
}

impl<'a> Writing<'a> {
    /// Writes into this log.
    pub fn new(log: &'a AuditLog, ends: Ends, stop: impl Fn() + Send + Sync + 'a) -> Self {
        Self { log, ends, stop: Box::new(stop), error: Mutex::default() }
    }

    /// Waits until the ends of all runs so far are on the disk.
    pub fn settle(&self) -> Result<(), AuditError> {
        match self.error() {
            Some(error) => Err(error),
            None => self.log.settle(),
        }
    }

    /// The log.
    pub fn log(&self) -> &AuditLog {
        self.log
    }

    /// Why a record could not be written, where one could not.
    pub fn error(&self) -> Option<AuditError> {
        lock(&self.error).clone()
    }
}

impl Listener for Writing<'_> {
    fn heard(&self, caller: &Caller, event: &Event) {
        let Some((record, durability)) = self.log.record(caller, event) else { return };
        let durability = if self.ends == Ends::Gathered { Durability::Process } else { durability };
        if let Err(error) = self.log.write(record, durability) {
            lock(&self.error).get_or_insert(error);
            if self.log.settings.required == Required::Yes {
                (self.stop)();
            }
        }
    }
}

fn blank(caller: &Caller, event: &Event) -> AuditRecord {
    AuditRecord {
        at_ms: event.at_ms,
        run_id: event.run_id.clone(),
        caller: caller.clone(),
        ..AuditRecord::default()
    }
}

// A panic of another thread leaves nothing half-done in here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
