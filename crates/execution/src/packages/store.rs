//! The folder of environments: private to its owner, bounded in size, shared by any number of processes.
//!
//! An environment is made beside its place and renamed into it, by the one process that holds its lock; who uses it
//! holds the lock too, together with others, so that nothing in use is ever removed.

use super::environment::VENV;
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// What is told of an environment, beside it.
const ABOUT: &str = "environment.json";
const UNFINISHED: &str = ".unfinished";
const LOCK: &str = ".lock";
/// Between two tries for a lock that another process holds.
const AGAIN: Duration = Duration::from_millis(50);

/// An environment as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptEnvironment {
    /// Its name.
    pub name: String,
    /// The interpreter's version.
    pub python: String,
    /// What was asked for.
    pub requirements: Vec<String>,
    /// What was installed for it, with versions.
    pub packages: Vec<String>,
    /// Bytes on disk.
    pub bytes: u64,
    /// When it was last used, in milliseconds since the Unix epoch.
    #[serde(default)]
    pub used_ms: u64,
}

/// The folder.
#[derive(Debug, Clone)]
pub struct PackageStore {
    folder: PathBuf,
    max_bytes: u64,
}

/// Who may hold a lock beside us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// Others who only use it.
    Shared,
    /// Nobody.
    Alone,
}

impl PackageStore {
    /// A store in this folder. Nothing is touched before the first use.
    pub fn new(folder: PathBuf, max_bytes: u64) -> Self {
        Self { folder, max_bytes }
    }

    /// Bytes that all environments may take together.
    pub fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// Makes the folder where it is missing, and sees that it is ours alone.
    pub fn open(&self) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let metadata = self.folder.symlink_metadata()?;
        let ours = metadata.is_dir()
            && metadata.uid() == rustix::process::geteuid().as_raw()
            && metadata.mode() & 0o022 == 0;
        if ours {
            return Ok(());
        }
        let why = format!("{} belongs to another user, or others may write to it", self.folder.display());
        Err(io::Error::new(io::ErrorKind::PermissionDenied, why))
    }

    /// Waits for the lock of an environment for as long as `wait` says so.
    pub fn lock(&self, name: &str, hold: Hold, wait: &mut dyn FnMut() -> bool) -> io::Result<Option<File>> {
        loop {
            if let Some(file) = self.try_lock(name, hold)? {
                return Ok(Some(file));
            }
            if !wait() {
                return Ok(None);
            }
            std::thread::sleep(AGAIN);
        }
    }

    fn try_lock(&self, name: &str, hold: Hold) -> io::Result<Option<File>> {
        let path = self.folder.join(format!("{name}{LOCK}"));
        let operation = match hold {
            Hold::Shared => FlockOperation::NonBlockingLockShared,
            Hold::Alone => FlockOperation::NonBlockingLockExclusive,
        };
        loop {
            let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path)?;
            match flock(&file, operation) {
                Ok(()) => {}
                Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
            // Whoever removed an environment removed its lock too: then this is the lock of nothing.
            let same =
                path.metadata().is_ok_and(|now| file.metadata().is_ok_and(|own| own.ino() == now.ino()));
            if same {
                return Ok(Some(file));
            }
        }
    }

    /// The folder of an environment that is ready; its lock must be held. Marks it as used.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let folder = self.folder.join(name);
        let about = File::options().write(true).open(folder.join(ABOUT)).ok()?;
        // Only the order of going depends on the mark.
        let _ = about.set_modified(SystemTime::now());
        Some(folder)
    }

    /// A folder in which an environment can be made; its lock must be held alone.
    pub fn begin(&self, name: &str) -> io::Result<Unfinished> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        self.sweep();
        // Ours to remove: nobody else makes this environment now.
        for left in self.names().filter(|left| left.starts_with(name) && left.ends_with(UNFINISHED)) {
            remove_tree(&self.folder.join(left));
        }
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.join(format!("{name}.{}.{number}{UNFINISHED}", std::process::id()));
        DirBuilder::new().mode(0o700).create(&folder)?;
        Ok(Unfinished { folder })
    }

    /// Puts what was made into its place.
    pub fn finish(&self, made: &Unfinished, about: &KeptEnvironment) -> io::Result<PathBuf> {
        std::fs::write(made.folder.join(ABOUT), serde_json::to_vec(about)?)?;
        let place = self.folder.join(&about.name);
        // Without its description nobody knew of it.
        remove_tree(&place);
        std::fs::rename(&made.folder, &place)?;
        Ok(place)
    }

    /// Removes the lock of an environment that could not be made; it must be held alone.
    pub fn forget(&self, name: &str) {
        let _ = std::fs::remove_file(self.folder.join(format!("{name}{LOCK}")));
    }

    /// Every environment, the one used last first.
    pub fn list(&self) -> Vec<KeptEnvironment> {
        let mut all: Vec<KeptEnvironment> = self.names().filter_map(|name| self.about(&name)).collect();
        all.sort_by_key(|kept| (std::cmp::Reverse(kept.used_ms), kept.name.clone()));
        all
    }

    fn about(&self, name: &str) -> Option<KeptEnvironment> {
        let path = self.folder.join(name).join(ABOUT);
        let used = path.metadata().ok()?.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let about: KeptEnvironment = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
        let used_ms = u64::try_from(used.as_millis()).unwrap_or(u64::MAX);
        Some(KeptEnvironment { name: name.to_string(), used_ms, ..about })
    }

    /// Removes what is in nobody's use and, oldest first, exceeds `most` bytes. What was removed.
    pub fn prune(&self, most: u64) -> Vec<KeptEnvironment> {
        self.sweep();
        let mut all = self.list();
        let mut total: u64 = all.iter().map(|kept| kept.bytes).sum();
        let mut removed = Vec::new();
        while let Some(kept) = all.pop() {
            if total <= most {
                break;
            }
            let Ok(Some(_lock)) = self.try_lock(&kept.name, Hold::Alone) else { continue };
            self.remove(&kept.name);
            total -= kept.bytes;
            removed.push(kept);
        }
        removed
    }

    /// Removes an environment whose lock is held alone.
    fn remove(&self, name: &str) {
        let place = self.folder.join(name);
        let away = self.folder.join(format!("{name}.gone{UNFINISHED}"));
        remove_tree(&away);
        if std::fs::rename(&place, &away).is_ok() {
            remove_tree(&away);
        }
        self.forget(name);
    }

    /// Removes what processes that were killed left half-made.
    fn sweep(&self) {
        for left in self.names().filter(|left| left.ends_with(UNFINISHED)) {
            let name = left.split('.').next().unwrap_or_default();
            if let Ok(Some(_lock)) = self.try_lock(name, Hold::Alone) {
                remove_tree(&self.folder.join(&left));
                if !self.folder.join(name).exists() {
                    self.forget(name);
                }
            }
        }
    }

    fn names(&self) -> impl Iterator<Item = String> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok())
    }
}

/// A folder in which an environment is made; removed when dropped, unless it was put into its place.
#[derive(Debug)]
pub struct Unfinished {
    folder: PathBuf,
}

impl Unfinished {
    /// Where.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Packages and versions that were installed, by the folders that installers leave for each.
    pub fn packages(&self, version: &str) -> Vec<String> {
        let site = self.folder.join(VENV).join(format!("lib/python{version}/site-packages"));
        let entries = std::fs::read_dir(site).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut packages: Vec<String> = names
            .filter_map(|name| {
                let (package, version) = name.strip_suffix(".dist-info")?.split_once('-')?;
                Some(format!("{}=={version}", super::requirement::normal_name(package)))
            })
            .collect();
        packages.sort();
        packages
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        remove_tree(&self.folder);
    }
}

/// Bytes of all files in a folder, links not followed.
pub fn bytes_below(folder: &Path) -> u64 {
    let mut waiting = vec![folder.to_path_buf()];
    let mut total = 0;
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_dir() {
                waiting.push(entry.path());
            }
            total += metadata.blocks() * 512;
        }
    }
    total
}

/// Removes a folder with everything in it, folders without write permission included.
fn remove_tree(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    if std::fs::remove_dir_all(folder).is_ok() || folder.symlink_metadata().is_err() {
        return;
    }
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        let _ = std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700));
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                waiting.push(entry.path());
            }
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
