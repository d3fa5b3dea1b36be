//! Writing whole files or nothing, and taking it back.
//!
//! What a file was before is written down first, beside the project, in `.formicary/undo`. An entry may come from somebody
//! else's repository, so taking back trusts nothing in it: a path must lead into the project without links, and the file
//! must still be what the change made of it.

use super::transformer::Change;
use formicary_model::patterns::UndoReport;
use serde::{Deserialize, Serialize};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

const FOLDER: &str = ".formicary/undo";
/// Entries beyond this many are forgotten, the oldest first.
const MOST_ENTRIES: usize = 50;
/// An entry larger than this is none of ours.
const MOST_BYTES: u64 = 1 << 30;

/// Why nothing was written or taken back.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file is not what it was.
    #[error("{0} changed meanwhile: nothing was written")]
    Changed(String),
    /// A path leads elsewhere.
    #[error("{0} is not a plain file of the project: nothing was written")]
    Astray(String),
    /// There is no such entry.
    #[error("there is no change to take back{0}")]
    Nothing(String),
    /// The entry cannot be read.
    #[error("the entry {0} cannot be read: {1}")]
    Unreadable(String, String),
    /// The host refused.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the host says.
        source: io::Error,
    },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    what: String,
    files: Vec<EntryFile>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryFile {
    path: String,
    before: String,
    /// BLAKE3 of the text that the change made.
    after: String,
    /// The file's new name in the same folder, where it got one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moved_to: Option<String>,
}

impl EntryFile {
    /// Where the file stands after the change.
    fn now(&self) -> &str {
        self.moved_to.as_deref().unwrap_or(&self.path)
    }
}

/// The changes of one project that can be taken back.
#[derive(Debug, Clone)]
pub struct Journal {
    root: PathBuf,
}

impl Journal {
    /// The journal of the project in this folder.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Writes changed files: all of them or none. Gives the name of the entry.
    pub fn write(&self, what: &str, changes: &[Change]) -> Result<String, JournalError> {
        for change in changes {
            self.is_still(&change.path, change.before.as_bytes())?;
        }
        let file = |change: &Change| EntryFile {
            path: change.path.clone(),
            before: change.before.to_string(),
            after: blake3::hash(change.after.as_bytes()).to_hex().to_string(),
            moved_to: change.moved_to.clone(),
        };
        let entry = Entry { what: what.to_owned(), files: changes.iter().map(file).collect() };
        let name = self.keep(&entry)?;
        for (at, change) in changes.iter().enumerate() {
            let replaced = self.replace(&change.path, change.after.as_bytes());
            let done = replaced.and_then(|()| match &change.moved_to {
                Some(target) => self.relocate(&change.path, target),
                None => Ok(()),
            });
            if let Err(error) = done {
                for done in &changes[..=at] {
                    // What cannot be put back is still in the entry.
                    if let Some(target) = done.moved_to.as_ref().filter(|target| self.place(target).is_ok()) {
                        let _ = self.relocate(target, &done.path);
                    }
                    let _ = self.replace(&done.path, done.before.as_bytes());
                }
                return Err(error);
            }
        }
        Ok(name)
    }

    /// Takes back a change by its name, or the last one.
    pub fn undo(&self, name: Option<&str>) -> Result<UndoReport, JournalError> {
        let names = self.names();
        let name = match name {
            Some(name) => names.iter().find(|known| *known == name).ok_or_else(|| {
                let known =
                    if names.is_empty() { String::new() } else { format!("; known: {}", names.join(", ")) };
                JournalError::Nothing(format!(" called {name}{known}"))
            })?,
            None => names.last().ok_or_else(|| JournalError::Nothing(String::new()))?,
        };
        let path = self.folder().join(format!("{name}.json"));
        let unreadable = |why: String| JournalError::Unreadable(name.clone(), why);
        let size = path.symlink_metadata().map_err(|error| unreadable(error.to_string()))?;
        if !size.is_file() || size.len() > MOST_BYTES {
            return Err(unreadable("it is not a file of this journal".into()));
        }
        let text = std::fs::read(&path).map_err(|error| unreadable(error.to_string()))?;
        let entry: Entry = serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))?;
        for file in &entry.files {
            let now = self.read(file.now())?;
            if blake3::hash(&now).to_hex().as_str() != file.after {
                return Err(JournalError::Changed(file.path.clone()));
            }
        }
        for file in &entry.files {
            self.replace(file.now(), file.before.as_bytes())?;
            if let Some(target) = &file.moved_to {
                self.relocate(target, &file.path)?;
            }
        }
        std::fs::remove_file(&path).map_err(|source| self.io(&path, source))?;
        Ok(UndoReport {
            change: name.clone(),
            what: entry.what,
            restored: entry.files.into_iter().map(|file| file.path).collect(),
        })
    }

    /// The names of the entries, the oldest first.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder()).into_iter().flatten().flatten();
        let name =
            |entry: std::fs::DirEntry| Some(entry.file_name().to_str()?.strip_suffix(".json")?.to_owned());
        let mut names: Vec<String> = entries.filter_map(name).collect();
        names.sort();
        names
    }

    fn folder(&self) -> PathBuf {
        self.root.join(FOLDER)
    }

    fn io(&self, path: &Path, source: io::Error) -> JournalError {
        JournalError::Io { path: path.display().to_string(), source }
    }

    fn keep(&self, entry: &Entry) -> Result<String, JournalError> {
        let folder = self.folder();
        std::fs::create_dir_all(&folder).map_err(|source| self.io(&folder, source))?;
        let ignore = folder.join(".gitignore");
        if !ignore.exists() {
            std::fs::write(&ignore, "*\n").map_err(|source| self.io(&ignore, source))?;
        }
        let names = self.names();
        for old in names.iter().take((names.len() + 1).saturating_sub(MOST_ENTRIES)) {
            // An entry that stays costs only its bytes.
            let _ = std::fs::remove_file(folder.join(format!("{old}.json")));
        }
        let last: u64 = names.last().and_then(|name| name.parse().ok()).unwrap_or(0);
        let name = format!("{:06}", last + 1);
        let path = folder.join(format!("{name}.json"));
        let text = serde_json::to_vec(entry).map_err(|error| self.io(&path, error.into()))?;
        swap(&path, &text, None).map_err(|source| self.io(&path, source))?;
        Ok(name)
    }

    /// The real place of a file of the project.
    fn place(&self, path: &str) -> Result<PathBuf, JournalError> {
        let astray = || JournalError::Astray(path.to_owned());
        let relative = Path::new(path);
        let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
        if !plain || relative.as_os_str().is_empty() {
            return Err(astray());
        }
        let mut full = self.root.clone();
        for part in relative.components() {
            full.push(part);
            let metadata = full.symlink_metadata().map_err(|source| self.io(&full, source))?;
            if metadata.file_type().is_symlink() {
                return Err(astray());
            }
        }
        if full.is_file() { Ok(full) } else { Err(astray()) }
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, JournalError> {
        let full = self.place(path)?;
        std::fs::read(&full).map_err(|source| self.io(&full, source))
    }

    /// Another name in the same folder; nothing that stands there is overwritten.
    fn relocate(&self, from: &str, to: &str) -> Result<(), JournalError> {
        let full = self.place(from)?;
        let name = Path::new(to).file_name().filter(|_| Path::new(to).parent() == Path::new(from).parent());
        let target =
            name.map(|name| full.with_file_name(name)).ok_or_else(|| JournalError::Astray(to.into()))?;
        std::fs::hard_link(&full, &target).map_err(|source| self.io(&target, source))?;
        std::fs::remove_file(&full).map_err(|source| self.io(&full, source))
    }

    fn is_still(&self, path: &str, expected: &[u8]) -> Result<(), JournalError> {
        if self.read(path)? == expected { Ok(()) } else { Err(JournalError::Changed(path.to_owned())) }
    }

    fn replace(&self, path: &str, bytes: &[u8]) -> Result<(), JournalError> {
        let full = self.place(path)?;
        let replaced = || -> io::Result<()> {
            let permissions = std::fs::metadata(&full)?.permissions();
            swap(&full, bytes, Some(permissions))
        };
        replaced().map_err(|source| self.io(&full, source))
    }
}

/// A file is there whole or not at all.
fn swap(path: &Path, bytes: &[u8], permissions: Option<std::fs::Permissions>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(path)?;
    Ok(())
}
