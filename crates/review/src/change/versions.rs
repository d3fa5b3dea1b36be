//! Two versions of code as texts: of two git revisions, two directories or two files.

use super::git::{GitRunner, Repository};
use crate::clones::{line, unread};
use crate::discover::{Scope, discover, language_of_name, text_of};
use crate::engine::Watch;
use crate::project::real;
use crate::settings::ReviewSettings;
use formicary_files::Root;
use formicary_model::review::{Note, NoteKind};
use formicary_model::{Failure, FailureKind};
use std::collections::HashSet;
use std::path::Path;

/// Larger files are not compared.
const MOST_BYTES: u64 = 16 << 20;

type Texts = Vec<(String, String)>;

/// What is compared with what, by name; without a version after it is the code as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The version before.
    pub before: String,
    /// The version after.
    pub after: Option<String>,
}

/// Both versions: paths and texts.
#[derive(Debug, Default)]
pub struct Versions {
    /// The version before.
    pub before: Texts,
    /// The version after.
    pub after: Texts,
    /// Files that were not read.
    pub notes: Vec<Note>,
}

impl Named {
    /// That the two are not of one kind.
    pub fn not_a_pair(before: &str, after: &str) -> Failure {
        let message = format!("{before} and {after} are not two of a kind");
        Failure::new(FailureKind::InvalidInput, message)
            .hint("name two git revisions, two directories or two files that exist, or send files for both")
    }

    /// Reads both versions. Paths are relative to this directory, revisions those of its repository.
    pub fn read(&self, directory: &Path, git: &dyn GitRunner, watch: Watch<'_>) -> Result<Versions, Failure> {
        let path = |name: &str| Some(directory.join(name)).filter(|path| path.exists());
        let mut versions = match (path(&self.before), self.after.as_deref().map(path)) {
            (Some(before), Some(Some(after))) => on_disk(&before, &after, watch)?,
            (None, Some(Some(_))) | (Some(_), Some(None) | None) if !self.is_revision(directory, git) => {
                return Err(Self::not_a_pair(&self.before, self.after.as_deref().unwrap_or("nothing")));
            }
            _ => self.of_repository(directory, git)?,
        };
        if (watch.cancelled)() {
            return Err(Failure::new(FailureKind::Cancelled, "the comparison was cancelled"));
        }
        versions.notes = unread(versions.notes);
        Ok(versions)
    }

    fn range(&self) -> String {
        match &self.after {
            Some(after) => format!("{}..{after}", self.before),
            None => self.before.clone(),
        }
    }

    fn is_revision(&self, directory: &Path, git: &dyn GitRunner) -> bool {
        let open = real(directory, Path::new("."))
            .and_then(|root| Repository::open(git, &root)?.ends(&self.range()));
        open.is_ok()
    }

    fn of_repository(&self, directory: &Path, git: &dyn GitRunner) -> Result<Versions, Failure> {
        let root = real(directory, Path::new("."))?;
        let repository = Repository::open(git, &root)?;
        let ends = repository.ends(&self.range())?;
        let differing = match &ends.after {
            Some(after) => repository.differing_between(&ends.before, after)?,
            None => repository.differing(&ends.before)?,
        };
        let paths: Vec<String> =
            differing.into_iter().filter(|path| language_of_name(Path::new(path)).is_some()).collect();
        let (mut notes, mut unread) = (Vec::new(), Vec::new());
        let note = |path: &str, kind: NoteKind, message: String| Note {
            kind,
            file: Some(path.to_owned()),
            line: None,
            message,
        };
        let mut read = |path: &str, bytes: Vec<u8>| {
            let text = readable(bytes);
            if text.is_none() {
                notes.push(note(path, NoteKind::Binary, "is no text and was not compared".into()));
            }
            text
        };
        let mut texts = |commit: &str| -> Result<Texts, Failure> {
            let found = repository.read(commit, &paths)?;
            let text = |(path, bytes): (String, Option<Vec<u8>>)| {
                let text = read(&path, bytes?)?;
                Some((path, text))
            };
            Ok(found.into_iter().filter_map(text).collect())
        };
        let before = texts(&ends.before)?;
        let mut after = Vec::new();
        match &ends.after {
            Some(commit) => after = texts(commit)?,
            None => {
                let now = Root::open(&root).map_err(|error| {
                    Failure::new(FailureKind::InvalidInput, error.to_string())
                        .hint("name a directory that you may read")
                })?;
                for path in &paths {
                    match now.read(Path::new(path), MOST_BYTES) {
                        Ok(bytes) => after.extend(read(path, bytes).map(|text| (path.clone(), text))),
                        Err(error) if error.is_missing() => {}
                        Err(error) => {
                            let why = format!("was not compared: {}", error.reason);
                            unread.push(note(path, NoteKind::Unreadable, why));
                        }
                    }
                }
            }
        }
        notes.append(&mut unread);
        Ok(Versions { before, after, notes }.without_unread())
    }
}

impl Versions {
    /// Of a file that is known in one version only, everything would seem to have been added or removed.
    fn without_unread(mut self) -> Self {
        let unread =
            |note: &&Note| matches!(note.kind, NoteKind::Binary | NoteKind::TooLarge | NoteKind::Unreadable);
        let named = self.notes.iter().filter(unread).filter_map(|note| note.file.as_deref());
        let files: HashSet<&str> = named.collect();
        for texts in [&mut self.before, &mut self.after] {
            texts.retain(|(path, _)| !files.contains(path.as_str()));
        }
        self
    }
}

fn on_disk(before: &Path, after: &Path, watch: Watch<'_>) -> Result<Versions, Failure> {
    let mut notes = Vec::new();
    let mut read = |path: &Path| -> Result<Texts, Failure> {
        let real = real(path, path)?;
        let (root, paths) = if real.is_dir() {
            (real, Vec::new())
        } else {
            (real.parent().unwrap_or(&real).to_owned(), vec![real.clone()])
        };
        let settings = ReviewSettings::default();
        let scope =
            Scope { root, paths, exclude: settings.excluded(), max_file_bytes: settings.max_file_bytes };
        let found = discover(&scope, watch)?;
        // Of a file that was named and cannot be read nothing can be said; in a directory the others can be.
        if !path.is_dir() && found.sources.is_empty() {
            let unknown = || format!("{} is in no language that is known here", path.display());
            let why = found.notes.first().map_or_else(unknown, line);
            return Err(Failure::new(FailureKind::InvalidInput, why)
                .hint("name two files of code; `formicary languages` lists the languages"));
        }
        notes.extend(found.notes);
        Ok(found.sources.into_iter().map(|source| (source.path, source.text.to_string())).collect())
    };
    let (old, new) = (read(before)?, read(after)?);
    let mut versions = Versions { before: old, after: new, notes }.without_unread();
    // Two files are two versions of one, whatever they are called.
    if before.is_file()
        && after.is_file()
        && let ([(path, _)], [(now, _)]) = (versions.before.as_mut_slice(), versions.after.as_slice())
    {
        path.clone_from(now);
    }
    Ok(versions)
}

fn readable(bytes: Vec<u8>) -> Option<String> {
    let binary = bytes.iter().take(8192).any(|byte| *byte == 0);
    (!binary).then(|| text_of(bytes).0)
}
