//! Records in a file of one's own. Several processes may write at a time: a transaction takes its turn, reads where the
//! chain ends, and adds to it.

use super::chain::Sealed;
use super::record::AuditRecord;
use super::store::{AuditError, AuditStore, Head, Order};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Transaction, TransactionBehavior};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long to wait for other writers.
const PATIENCE: Duration = Duration::from_secs(10);

/// Triggers make records append-only for everybody who comes by SQL; the chain finds those who come otherwise.
const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS records (
    seq INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, hash TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS records_at ON records (at_ms);
CREATE TABLE IF NOT EXISTS head (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    seq INTEGER NOT NULL, hash TEXT NOT NULL, base_seq INTEGER NOT NULL, base_hash TEXT NOT NULL) STRICT;
CREATE TRIGGER IF NOT EXISTS records_stay BEFORE UPDATE ON records
    BEGIN SELECT RAISE(ABORT, 'audit records are never changed'); END;
CREATE TRIGGER IF NOT EXISTS records_remain BEFORE DELETE ON records
    WHEN OLD.seq > (SELECT base_seq FROM head) BEGIN SELECT RAISE(ABORT, 'audit records are only pruned'); END;
PRAGMA user_version = 1;
";

/// A file of records.
pub struct SqliteStore {
    path: PathBuf,
    file: (u64, u64),
    connection: Connection,
}

impl SqliteStore {
    /// Opens the file, or makes it, readable by its owner only.
    pub fn open(path: &Path) -> Result<Self, AuditError> {
        let wrong = |why: String| AuditError { place: path.display().to_string(), why };
        check_format(path).map_err(wrong)?;
        let made =
            std::fs::OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path);
        let metadata = made.and_then(|file| file.metadata()).map_err(|error| wrong(error.to_string()))?;
        let told =
            |error: rusqlite::Error| AuditError { place: path.display().to_string(), why: why(&error) };
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags).map_err(told)?;
        connection.busy_timeout(PATIENCE).map_err(told)?;
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(told)?;
        if version > 1 {
            return Err(wrong(format!("it was written by a later version of Formicary (format {version})")));
        }
        if version == 0 {
            connection.execute_batch("PRAGMA auto_vacuum = INCREMENTAL").map_err(told)?;
            set_journal(&connection).map_err(told)?;
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(told)?;
            transaction.execute_batch(SCHEMA).and_then(|()| transaction.commit()).map_err(told)?;
        } else {
            set_journal(&connection).map_err(told)?;
        }
        // A commit reaches the kernel; that it reaches the disk is seen to for many commits at once, see `unsettled`.
        connection.execute_batch("PRAGMA synchronous = NORMAL").map_err(told)?;
        let file = (metadata.dev(), metadata.ino());
        Ok(Self { path: path.into(), file, connection })
    }

    /// The same, and the last process that closes it leaves the write-ahead log as it is: SQLite would flush both files.
    pub fn open_unflushed(path: &Path) -> Result<Self, AuditError> {
        let store = Self::open(path)?;
        let set = store.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        // The next process that opens it reads the write-ahead log as a whole: it stays short.
        let set = set.and_then(|_| store.connection.execute_batch("PRAGMA wal_autocheckpoint = 250"));
        set.map_err(|error| store.told(&error))?;
        Ok(store)
    }

    fn told(&self, error: &rusqlite::Error) -> AuditError {
        self.wrong(why(error))
    }

    fn wrong(&self, why: String) -> AuditError {
        AuditError { place: self.place(), why }
    }

    /// A file that was removed or replaced still takes what is written, and nobody would ever read it.
    fn check_file(&self) -> Result<(), AuditError> {
        match std::fs::metadata(&self.path) {
            Ok(metadata) if (metadata.dev(), metadata.ino()) == self.file => Ok(()),
            Ok(_) => Err(self.wrong("it was replaced by another file while it was in use".into())),
            Err(error) => Err(self.wrong(error.to_string())),
        }
    }

    fn write(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), AuditError> {
        self.check_file()?;
        let written = (|| {
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            work(&transaction)?;
            transaction.commit()
        })();
        written.map_err(|error| self.told(&error))
    }
}

/// Whoever writes keeps nobody from reading. Two that open a new file at once may meet here: the second one waits.
fn set_journal(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
}

/// Something else may stand at the place, such as an audit log of lines.
fn check_format(path: &Path) -> Result<(), String> {
    use std::io::Read as _;
    let mut start = [0; 16];
    let Ok(mut file) = std::fs::File::open(path) else { return Ok(()) };
    let count = file.read(&mut start).map_err(|error| error.to_string())?;
    if count == 0 || start[..count] == b"SQLite format 3\0"[..count] {
        return Ok(());
    }
    Err("it is not an audit log but some other file; give a new place, or move it away".into())
}

fn why(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => "the disk is full".into(),
        // Its shared memory is a file too, and a disk without room for that is told so.
        Some(rusqlite::ErrorCode::SystemIoFailure) => format!("{error}; is the disk full?"),
        Some(rusqlite::ErrorCode::DatabaseBusy) => "other writers hold it for too long".into(),
        _ => error.to_string(),
    }
}

fn head_of(connection: &Connection) -> rusqlite::Result<Head> {
    let row = connection
        .prepare_cached("SELECT seq, hash, base_seq, base_hash FROM head")?
        .query_row([], |row| {
            Ok(Head {
                seq: row.get::<_, i64>(0)? as u64,
                hash: row.get(1)?,
                base_seq: row.get::<_, i64>(2)? as u64,
                base_hash: row.get(3)?,
            })
        })
        .optional()?;
    Ok(row.unwrap_or_default())
}

fn seal(transaction: &Transaction<'_>, records: &[AuditRecord]) -> rusqlite::Result<()> {
    let Head { mut seq, mut hash, base_seq, base_hash } = head_of(transaction)?;
    let mut insert =
        transaction.prepare_cached("INSERT INTO records (seq, at_ms, hash, body) VALUES (?1, ?2, ?3, ?4)")?;
    for record in records {
        seq += 1;
        let sealed = Sealed::new(seq, &hash, record)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        insert.execute((seq as i64, sealed.at_ms as i64, &sealed.hash, &sealed.body))?;
        hash = sealed.hash;
    }
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO head (one, seq, hash, base_seq, base_hash) VALUES (1, ?1, ?2, ?3, ?4)",
        )?
        .execute((seq as i64, &hash, base_seq as i64, &base_hash))?;
    Ok(())
}

impl AuditStore for SqliteStore {
    fn place(&self) -> String {
        self.path.display().to_string()
    }

    fn append(&mut self, records: &[AuditRecord]) -> Result<(), AuditError> {
        self.write(|transaction| seal(transaction, records))
    }

    /// The write-ahead log. What left it for the main file reached the disk before: SQLite sees to that.
    fn unsettled(&self) -> Option<PathBuf> {
        let mut name = self.path.as_os_str().to_owned();
        name.push("-wal");
        Some(name.into())
    }

    fn head(&mut self) -> Result<Head, AuditError> {
        head_of(&self.connection).map_err(|error| self.told(&error))
    }

    fn page(&mut self, from: u64, order: Order, count: usize) -> Result<Vec<Sealed>, AuditError> {
        let (compare, order) = match order {
            Order::Rising => (">=", "ASC"),
            Order::Falling => ("<=", "DESC"),
        };
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        let text = format!(
            "SELECT seq, at_ms, hash, body FROM records WHERE seq {compare} ?1 ORDER BY seq {order} LIMIT ?2"
        );
        let read = || {
            let mut statement = self.connection.prepare_cached(&text)?;
            let rows = statement.query_map((from, count as i64), |row| {
                // Bytes that are no text were not written by us: they are shown, and break the chain.
                let text = |index| {
                    row.get_ref(index).map(|value| match value.as_bytes() {
                        Ok(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                        Err(_) => String::new(),
                    })
                };
                Ok(Sealed {
                    seq: row.get::<_, i64>(0)? as u64,
                    at_ms: row.get::<_, i64>(1)? as u64,
                    hash: text(2)?,
                    body: text(3)?,
                })
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(|error| self.told(&error))
    }

    fn last_before(&mut self, at_ms: u64) -> Result<u64, AuditError> {
        let at = i64::try_from(at_ms).unwrap_or(i64::MAX);
        // Records of several processes may be a little out of order: the first young one decides.
        let text = "SELECT coalesce((SELECT min(seq) - 1 FROM records WHERE at_ms >= ?1), (SELECT seq FROM head), 0)";
        let found = self.connection.query_row(text, [at], |row| row.get::<_, i64>(0));
        found.map(|seq| seq.max(0) as u64).map_err(|error| self.told(&error))
    }

    fn forget(&mut self, through: &Sealed, record: AuditRecord) -> Result<(), AuditError> {
        self.write(|transaction| {
            // Another process was quicker and let more go: the beginning of the chain never moves back.
            if head_of(transaction)?.base_seq >= through.seq {
                return Ok(());
            }
            seal(transaction, &[record])?;
            let base = (through.seq as i64, &through.hash);
            transaction.execute("UPDATE head SET base_seq = ?1, base_hash = ?2", base)?;
            transaction.execute("DELETE FROM records WHERE seq <= ?1", [through.seq as i64])?;
            Ok(())
        })?;
        // Room that is not given back is used again: nothing is lost where this fails.
        let _ = self.connection.execute_batch("PRAGMA incremental_vacuum");
        Ok(())
    }

    fn bytes(&mut self) -> Option<u64> {
        let number = |text: &str| self.connection.query_row(text, [], |row| row.get::<_, i64>(0)).ok();
        let pages = number("PRAGMA page_count")? - number("PRAGMA freelist_count")?;
        Some((pages * number("PRAGMA page_size")?) as u64)
    }
}
