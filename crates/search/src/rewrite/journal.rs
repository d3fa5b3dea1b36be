//! Writing whole files or nothing, and taking it back.
//!
//! What a file was before is written down first, beside the project, in `.formicary/undo`. An entry may come from somebody
//! else's repository, so taking back trusts nothing in it: a path must lead into the project without links, and the file
//! must still be what the change made of it.

use super::transformer::Change;
use crate::named::invalid;
use formicary_files::{Entry as Entries, FileError, Kind, Reason, Root};
use formicary_model::Failure;
use formicary_model::patterns::UndoReport;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

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

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        let hint = match error {
            JournalError::Changed(_) => "look at what changed, then try again",
            JournalError::Astray(_) => "links are not written through",
            JournalError::Nothing(_) => "what was written by `--write` in this project can be taken back",
            JournalError::Unreadable(..) => "remove it from .formicary/undo",
            JournalError::Io { .. } => "the directory must be one that you may write",
        };
        invalid(error.to_string(), hint)
    }
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
                    if let Some(target) = done.moved_to.as_ref().filter(|target| self.read(target).is_ok()) {
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
        let files = self.files()?;
        let path = Path::new(FOLDER).join(format!("{name}.json"));
        let unreadable = |why: String| JournalError::Unreadable(name.clone(), why);
        let text = files.read(&path, MOST_BYTES).map_err(|error| unreadable(error.reason.to_string()))?;
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
        files.remove(&path)?;
        Ok(UndoReport {
            change: name.clone(),
            what: entry.what,
            restored: entry.files.into_iter().map(|file| file.path).collect(),
        })
    }

    /// The names of the entries, the oldest first.
    pub fn names(&self) -> Vec<String> {
        let files = self.files();
        let entries = files.and_then(|files| Ok(files.entries(Path::new(FOLDER))?)).unwrap_or_default();
        let name = |entry: &Entries| {
            let name = entry.name.to_str()?.strip_suffix(".json").filter(|name| number(name).is_some());
            name.filter(|_| entry.kind == Kind::File).map(str::to_owned)
        };
        let mut names: Vec<String> = entries.iter().filter_map(name).collect();
        names.sort_by_key(|name| number(name));
        names
    }

    fn files(&self) -> Result<Root, JournalError> {
        Ok(Root::open(&self.root)?)
    }

    fn keep(&self, entry: &Entry) -> Result<String, JournalError> {
        let (files, folder) = (self.files()?, Path::new(FOLDER));
        files.create_directories(folder)?;
        let ignore = folder.join(".gitignore");
        if files.facts(&ignore).is_err_and(|error| error.is_missing()) {
            files.write(&ignore, b"*\n")?;
        }
        let names = self.names();
        for old in names.iter().take((names.len() + 1).saturating_sub(MOST_ENTRIES)) {
            // An entry that stays costs only its bytes.
            let _ = files.remove(&folder.join(format!("{old}.json")));
        }
        let last = names.last().and_then(|name| number(name)).unwrap_or(0);
        let name = format!("{:06}", last.saturating_add(1));
        let path = folder.join(format!("{name}.json"));
        let text = serde_json::to_vec(entry)
            .map_err(|error| JournalError::Io { path: path.display().to_string(), source: error.into() })?;
        files.write(&path, &text)?;
        Ok(name)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, JournalError> {
        Ok(self.files()?.read(Path::new(path), MOST_BYTES)?)
    }

    /// Another name in the same folder; nothing that stands there is overwritten.
    fn relocate(&self, from: &str, to: &str) -> Result<(), JournalError> {
        if Path::new(to).parent() != Path::new(from).parent() {
            return Err(JournalError::Astray(to.into()));
        }
        Ok(self.files()?.rename(Path::new(from), Path::new(to))?)
    }

    fn is_still(&self, path: &str, expected: &[u8]) -> Result<(), JournalError> {
        if self.read(path)? == expected { Ok(()) } else { Err(JournalError::Changed(path.to_owned())) }
    }

    /// Replaces a file that is there.
    fn replace(&self, path: &str, bytes: &[u8]) -> Result<(), JournalError> {
        let files = self.files()?;
        files.open_file(Path::new(path))?;
        Ok(files.write(Path::new(path), bytes)?)
    }
}

/// The number of an entry of ours. What is written is the last by its number, whatever a stranger named his.
fn number(name: &str) -> Option<u64> {
    let plain = name.len() >= 6 && name.bytes().all(|byte| byte.is_ascii_digit());
    name.parse().ok().filter(|number: &u64| plain && *name == format!("{number:06}"))
}

impl From<FileError> for JournalError {
    fn from(FileError { path, reason }: FileError) -> Self {
        let path = path.display().to_string();
        match reason {
            Reason::Link | Reason::NotRegular | Reason::Outside | Reason::Records => Self::Astray(path),
            Reason::Io(source) => Self::Io { path, source },
            Reason::Missing => Self::Io { path, source: io::ErrorKind::NotFound.into() },
            other => Self::Io { path, source: io::Error::other(other.to_string()) },
        }
    }
}
