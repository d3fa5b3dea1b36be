//! The audit log: one JSON line for every execution, appended to a file that rotates when it grows too large.

use crate::metrics::failure_word;
use formicary_model::{Event, EventKind, Level, Observer, Status};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// Milliseconds since the Unix epoch of the end.
    pub at_ms: u64,
    /// The run.
    pub run_id: String,
    /// The language's identifier; absent when the request was refused before it was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The isolation provider; absent in the same case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Bytes of code; absent in the same case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_bytes: Option<u64>,
    /// How the program ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Its exit code, if it exited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// The protection level that held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// Formicary's own failure, where there is no result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Its message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Appends a line for every run that ends. Several processes may share the file: each line is one write.
pub struct AuditLog {
    path: PathBuf,
    max_bytes: u64,
    state: Mutex<State>,
}

struct State {
    file: File,
    pending: BTreeMap<String, AuditRecord>,
    error: Option<io::Error>,
}

impl AuditLog {
    /// Opens the log at `path` for appending, readable by its owner only. When a line would make it larger than
    /// `max_bytes`, the file moves to `<path>.1` (what was there goes) and a new one begins.
    pub fn open(path: impl Into<PathBuf>, max_bytes: u64) -> io::Result<Self> {
        let path = path.into();
        let file = open_for_append(&path)?;
        Ok(Self { path, max_bytes, state: Mutex::new(State { file, pending: BTreeMap::new(), error: None }) })
    }

    /// The first write that failed since the last call. A run goes on when its log cannot be written; the caller
    /// decides what to say.
    pub fn take_error(&self) -> Option<io::Error> {
        self.lock().error.take()
    }

    /// The file that holds the lines before the last rotation.
    pub fn rotated_path(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(".1");
        name.into()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append(&self, state: &mut State, record: &AuditRecord) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.lock_current(state)?;
        let length = state.file.metadata()?.len();
        if length > 0 && length + line.len() as u64 > self.max_bytes {
            std::fs::rename(&self.path, Self::rotated_path(&self.path))?;
            let rotated = std::mem::replace(&mut state.file, open_for_append(&self.path)?);
            rotated.unlock()?;
            self.lock_current(state)?;
        }
        let written = state.file.write_all(&line);
        state.file.unlock()?;
        written
    }

    // Another process may rotate the file away while we wait for its lock: follow the name, not the descriptor.
    fn lock_current(&self, state: &mut State) -> io::Result<()> {
        loop {
            state.file.lock()?;
            let ours = state.file.metadata()?;
            let on_disk = std::fs::metadata(&self.path).ok().map(|m| (m.dev(), m.ino()));
            if on_disk == Some((ours.dev(), ours.ino())) {
                return Ok(());
            }
            state.file = open_for_append(&self.path)?;
        }
    }
}

fn open_for_append(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

impl Observer for AuditLog {
    fn event(&self, event: &Event) {
        let mut state = self.lock();
        let mut record = match &event.kind {
            EventKind::Accepted { language, provider, code_bytes, .. } => {
                let mut record = blank(event);
                record.language = Some(language.clone());
                record.provider = Some(provider.clone());
                record.code_bytes = Some(*code_bytes);
                state.pending.insert(event.run_id.clone(), record);
                return;
            }
            EventKind::Finished { .. } | EventKind::Failed { .. } => {
                state.pending.remove(&event.run_id).unwrap_or_else(|| blank(event))
            }
            _ => return,
        };
        record.at_ms = event.at_ms;
        match &event.kind {
            EventKind::Finished { status, exit_code, duration, level, .. } => {
                record.status = Some(*status);
                record.exit_code = *exit_code;
                record.duration = Some(*duration);
                record.level = Some(*level);
            }
            EventKind::Failed { kind, message } => {
                record.failure = Some(failure_word(*kind));
                record.message = Some(message.clone());
            }
            _ => {}
        }
        if let Err(error) = self.append(&mut state, &record) {
            state.error.get_or_insert(error);
        }
    }
}

fn blank(event: &Event) -> AuditRecord {
    AuditRecord {
        at_ms: event.at_ms,
        run_id: event.run_id.clone(),
        language: None,
        provider: None,
        code_bytes: None,
        status: None,
        exit_code: None,
        duration: None,
        level: None,
        failure: None,
        message: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{failed, successful_run};
    use std::os::unix::fs::PermissionsExt as _;

    fn records(path: &Path) -> Vec<AuditRecord> {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn every_end_of_a_run_is_one_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let log = AuditLog::open(&path, 1 << 20).unwrap();
        successful_run("good", "python", 0.25).iter().for_each(|e| log.event(e));
        log.event(&failed("bad"));
        let lines = records(&path);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].status, Some(Status::Success));
        assert_eq!((lines[0].language.as_deref(), lines[0].code_bytes), (Some("python"), Some(8)));
        assert_eq!((lines[0].level, lines[0].duration), (Some(Level::Full), Some(0.25)));
        assert_eq!(lines[1].failure.as_deref(), Some("sandbox_failed"));
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(log.take_error().is_none());
    }

    #[test]
    fn it_appends_to_what_is_there_and_rotates_when_full() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        for round in 0..40 {
            let log = AuditLog::open(&path, 1_000).unwrap();
            successful_run(&format!("r{round}"), "go", 0.1).iter().for_each(|e| log.event(e));
        }
        assert!(std::fs::metadata(&path).unwrap().len() <= 1_000);
        let rotated = AuditLog::rotated_path(&path);
        assert!(std::fs::metadata(&rotated).unwrap().len() <= 1_000);
        let newest = records(&path).last().unwrap().run_id.clone();
        assert_eq!(newest, "r39");
        let first_of_new = records(&path)[0].run_id[1..].parse::<u32>().unwrap();
        let last_of_old = records(&rotated).last().unwrap().run_id[1..].parse::<u32>().unwrap();
        assert_eq!(first_of_new, last_of_old + 1, "no line is lost between the two");
    }

    #[test]
    fn writers_share_a_file_through_a_rotation() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    let log = AuditLog::open(path, 20_000).unwrap();
                    for n in 0..50 {
                        successful_run(&format!("{writer}-{n}"), "c", 0.1).iter().for_each(|e| log.event(e));
                    }
                });
            }
        });
        let rotated = AuditLog::rotated_path(&path);
        assert_eq!(records(&path).len() + records(&rotated).len(), 200);
    }

    #[test]
    fn a_failing_write_is_kept_for_the_caller() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub").join("audit.jsonl");
        assert!(AuditLog::open(&path, 1_000).is_err());
        std::fs::create_dir(path.parent().unwrap()).unwrap();
        let log = AuditLog::open(&path, 1_000).unwrap();
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
        log.event(&failed("r"));
        assert!(log.take_error().is_some());
        assert!(log.take_error().is_none());
    }
}
