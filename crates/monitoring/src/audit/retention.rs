//! Letting old records go. What goes is looked at first, may be written into an archive, and a record of the chain says what
//! went: the rest hangs on from there.

use super::chain::{PAGE, Sealed, link};
use super::record::{AuditRecord, Pruned, RecordKind};
use super::store::{AuditError, AuditStore, Order, sync_folder};
use formicary_model::Caller;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// What goes when.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Retention {
    /// Records older than this go; absent: they stay.
    pub keep_ms: Option<u64>,
    /// When the store takes more bytes than this, the older half goes; absent: never.
    pub max_bytes: Option<u64>,
    /// Where what goes for its size is kept: the name of the file, to which numbers are added. Absent: it is removed.
    pub archive: Option<PathBuf>,
}

impl Retention {
    /// Lets go what should, if anything should.
    pub fn apply(&self, store: &mut dyn AuditStore) -> Result<(), AuditError> {
        if let Some(keep) = self.keep_ms {
            let through = store.last_before(now_ms().saturating_sub(keep))?;
            if through > store.head()?.base_seq {
                prune_with_others(store, through, None)?;
            }
        }
        if let Some(most) = self.max_bytes
            && store.bytes().is_some_and(|bytes| bytes > most)
        {
            let head = store.head()?;
            let through = head.base_seq + (head.seq - head.base_seq) / 2;
            if through > head.base_seq {
                let archive =
                    self.archive.as_ref().map(|file| archive_name(file, head.base_seq + 1, through));
                prune_with_others(store, through, archive.as_deref())?;
            }
        }
        Ok(())
    }
}

/// Lets records go where other processes may do the same at this moment: what they took away is no break in the chain.
fn prune_with_others(
    store: &mut dyn AuditStore,
    through: u64,
    archive: Option<&Path>,
) -> Result<(), AuditError> {
    let before = store.head()?.base_seq;
    match prune(store, through, archive) {
        Err(_) if store.head()?.base_seq > before => Ok(()),
        done => done.map(drop),
    }
}

/// `audit.db.1-500.jsonl` for the records 1 to 500 of `audit.db`.
pub fn archive_name(file: &Path, first: u64, last: u64) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{first}-{last}.jsonl"));
    name.into()
}

/// Lets all records up to this number go, into an archive where one is named. Refuses where the chain is broken in what
/// would go: nobody could ever tell again. Says how many went.
pub fn prune(store: &mut dyn AuditStore, through: u64, archive: Option<&Path>) -> Result<u64, AuditError> {
    let head = store.head()?;
    let through = through.min(head.seq);
    if through <= head.base_seq {
        return Ok(0);
    }
    let place = store.place();
    let wrong = |why: String| AuditError { place: place.clone(), why };
    let mut writer = archive.map(create).transpose()?;
    let (mut from, mut before) = (head.base_seq + 1, head.base_hash.clone());
    let mut last: Option<Sealed> = None;
    while from <= through {
        let page = store.page(from, Order::Rising, PAGE)?;
        for sealed in page.into_iter().filter(|sealed| sealed.seq <= through) {
            if sealed.seq != from || link(&before, sealed.seq, &sealed.body) != sealed.hash {
                return Err(wrong(format!("the chain is broken at record {from}; nothing was let go")));
            }
            if let (Some((file, _)), Some(path)) = (&mut writer, archive) {
                let line = sealed.line(&before);
                writeln!(file, "{line}").map_err(|error| cannot(path, &error))?;
            }
            before.clone_from(&sealed.hash);
            from += 1;
            last = Some(sealed);
        }
        if last.as_ref().is_none_or(|last| last.seq + 1 != from) {
            return Err(wrong(format!("the chain is broken at record {from}; nothing was let go")));
        }
    }
    let Some(last) = last else { return Ok(0) };
    if let (Some((file, temporary)), Some(path)) = (writer, archive) {
        finish(file, &temporary, path)?;
    }
    let records = through - head.base_seq;
    let pruned = Pruned { through, hash: last.hash.clone(), records };
    let record = AuditRecord {
        at_ms: now_ms(),
        kind: RecordKind::Pruned,
        caller: Caller::new("formicary"),
        message: archive.map(|path| format!("moved to {}", path.display())),
        pruned: Some(pruned),
        ..AuditRecord::default()
    };
    store.forget(&last, record)?;
    Ok(records)
}

fn create(path: &Path) -> Result<(std::io::BufWriter<std::fs::File>, PathBuf), AuditError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let temporary = PathBuf::from(name);
    let options =
        std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary);
    let file = options.map_err(|error| cannot(path, &error))?;
    Ok((std::io::BufWriter::new(file), temporary))
}

/// An archive stands under its name when all of it is on the disk.
fn finish(file: std::io::BufWriter<std::fs::File>, temporary: &Path, path: &Path) -> Result<(), AuditError> {
    let finished = file.into_inner().map_err(|error| error.into_error()).and_then(|file| {
        file.sync_all()?;
        if path.exists() {
            return Err(std::io::Error::other("it is there already"));
        }
        std::fs::rename(temporary, path)?;
        sync_folder(path)
    });
    finished.map_err(|error| cannot(path, &error))
}

fn cannot(path: &Path, error: &std::io::Error) -> AuditError {
    AuditError { place: path.display().to_string(), why: format!("the archive cannot be written: {error}") }
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
