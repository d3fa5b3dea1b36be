//! The cache's folder: private to its owner, bounded in size, shared by any number of processes without locks.
//!
//! An entry is written beside its place and renamed into it: a reader sees all of it or nothing, and two writers of
//! the same entry write the same. Reading an entry marks it as used; what was not used for longest goes first.

use super::{Entry, Key};
use rustix::fs::OFlags;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Where the cache is and how large it may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheSettings {
    /// Its folder; made where it does not exist.
    pub folder: PathBuf,
    /// Bytes that its entries may take together.
    pub max_bytes: u64,
}

/// The compile cache of one user.
#[derive(Debug)]
pub struct CompileCache {
    settings: CacheSettings,
    /// Bytes that entries take, as far as this process knows; unknown before the first look.
    known_bytes: Mutex<Option<u64>>,
}

/// What a process that was killed left half-written is removed after this long.
const ABANDONED: Duration = Duration::from_secs(3600);
const UNFINISHED: &str = ".unfinished";

impl CompileCache {
    /// A cache with these settings. Nothing is touched before the first use.
    pub fn new(settings: CacheSettings) -> Self {
        Self { settings, known_bytes: Mutex::new(None) }
    }

    /// The entry of this name. What is there and is not whole, not ours or writable by others is removed.
    pub fn load(&self, key: Key) -> Option<Entry> {
        // In a folder of somebody else's, nothing is believed and nothing is removed.
        self.check_folder().ok()?;
        let path = self.path(key);
        let file = OpenOptions::new().read(true).custom_flags(no_follow()).open(&path).ok()?;
        let entry =
            is_private(&file.metadata().ok()?).then(|| read(&file, key, self.settings.max_bytes)).flatten();
        match entry {
            // Only the order of going depends on the mark.
            Some(_) => drop(file.set_modified(SystemTime::now())),
            None => drop(std::fs::remove_file(&path)),
        }
        entry
    }

    /// Keeps an entry, and lets others go where it grows too large. An entry that is not trustworthy, or that would
    /// push out most of the others, is not kept.
    pub fn keep(&self, key: Key, entry: &Entry) -> io::Result<()> {
        let Some(bytes) = entry.is_trustworthy().then(|| entry.to_bytes(key)).flatten() else {
            return Ok(());
        };
        let size = bytes.len() as u64;
        if size > self.settings.max_bytes / 4 {
            return Ok(());
        }
        self.make_folder()?;
        self.write(key, &bytes)?;
        let mut known = self.known_bytes.lock().unwrap_or_else(PoisonError::into_inner);
        match *known {
            Some(bytes) if bytes + size <= self.settings.max_bytes => *known = Some(bytes + size),
            _ => *known = Some(self.tidy()),
        }
        Ok(())
    }

    /// Entries and their bytes.
    pub fn figures(&self) -> (usize, u64) {
        if self.check_folder().is_err() {
            return (0, 0);
        }
        let entries = self.entries();
        (entries.len(), entries.iter().map(|entry| entry.size).sum())
    }

    /// Removes what exceeds `most` bytes, or the size that is set: what was not used for longest first. Entries and
    /// bytes that went.
    pub fn prune(&self, most: Option<u64>) -> (usize, u64) {
        let before = self.figures();
        if before.0 == 0 {
            return (0, 0);
        }
        match most {
            None => drop(self.tidy()),
            Some(most) => drop(self.shrink(most, most)),
        }
        *self.known_bytes.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let after = self.figures();
        (before.0.saturating_sub(after.0), before.1.saturating_sub(after.1))
    }

    fn path(&self, key: Key) -> PathBuf {
        self.settings.folder.join(key.file_name())
    }

    fn make_folder(&self) -> io::Result<()> {
        let folder = &self.settings.folder;
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        self.check_folder()
    }

    fn check_folder(&self) -> io::Result<()> {
        let folder = &self.settings.folder;
        if is_private(&folder.symlink_metadata()?) {
            return Ok(());
        }
        Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("{} belongs to another user, or others may write to it", folder.display()),
        ))
    }

    fn write(&self, key: Key, bytes: &[u8]) -> io::Result<()> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}.{}.{number}{UNFINISHED}", key.file_name(), std::process::id());
        let unfinished = self.settings.folder.join(name);
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&unfinished)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| std::fs::rename(&unfinished, self.path(key)));
        if written.is_err() {
            let _ = std::fs::remove_file(&unfinished);
        }
        written
    }

    /// Looks at every entry, removes what is abandoned and, where the rest is too large, what was not used for
    /// longest. The bytes that stay.
    fn tidy(&self) -> u64 {
        // Somewhat below the limit, so that not every further entry has to look at all of them again.
        self.shrink(self.settings.max_bytes, self.settings.max_bytes / 10 * 9)
    }

    /// Where entries take more than `most`, removes the oldest until they take `enough`.
    fn shrink(&self, most: u64, enough: u64) -> u64 {
        let mut entries = self.entries();
        let mut total: u64 = entries.iter().map(|entry| entry.size).sum();
        if total <= most {
            return total;
        }
        entries.sort_by_key(|entry| entry.used);
        for entry in entries {
            if total <= enough {
                break;
            }
            if std::fs::remove_file(&entry.path).is_ok() {
                total -= entry.size;
            }
        }
        total
    }

    fn entries(&self) -> Vec<Kept> {
        let mut entries = Vec::new();
        for found in std::fs::read_dir(&self.settings.folder).into_iter().flatten().flatten() {
            let (path, Ok(metadata)) = (found.path(), found.metadata()) else { continue };
            let Ok(used) = metadata.modified() else { continue };
            if is_unfinished(&path) {
                if used.elapsed().is_ok_and(|age| age > ABANDONED) {
                    let _ = std::fs::remove_file(&path);
                }
            } else if metadata.is_file() {
                entries.push(Kept { path, size: metadata.len(), used });
            }
        }
        entries
    }
}

struct Kept {
    path: PathBuf,
    size: u64,
    used: SystemTime,
}

fn is_unfinished(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(UNFINISHED))
}

fn no_follow() -> i32 {
    (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed()
}

/// Whether it is ours and nobody else may change it.
fn is_private(metadata: &std::fs::Metadata) -> bool {
    let plain = metadata.is_file() || metadata.is_dir();
    plain && metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o022 == 0
}

fn read(file: &File, key: Key, most: u64) -> Option<Entry> {
    let mut bytes = Vec::with_capacity(usize::try_from(file.metadata().ok()?.len().min(most)).ok()?);
    file.take(most + 1).read_to_end(&mut bytes).ok()?;
    Entry::from_bytes(&bytes, key)
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
