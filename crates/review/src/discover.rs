//! Which files are reviewed: ignore files are heeded, links are not followed, nothing odd can hang the walk.

use crate::engine::{SourceText, Watch};
use formicary_analysis::Settings;
use formicary_model::review::{Note, NoteKind};
use formicary_model::{Failure, FailureKind, Language};
use globset::GlobSet;
use ignore::{WalkBuilder, WalkState};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

const MOST_SETTINGS_FILES: usize = 500;
const MOST_SETTINGS_BYTES: u64 = 256 * 1024;

/// What is looked at.
#[derive(Debug, Clone)]
pub struct Scope {
    /// The project's folder; paths in reports are relative to it.
    pub root: PathBuf,
    /// Files and folders to review; empty for the whole project.
    pub paths: Vec<PathBuf>,
    /// Files that the configuration leaves out.
    pub exclude: GlobSet,
    /// Larger files are noted, not read.
    pub max_file_bytes: u64,
}

/// What was found to review.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The sources, by path.
    pub sources: Vec<SourceText>,
    /// Files that could not be taken.
    pub notes: Vec<Note>,
    /// Files in a known language that the configuration leaves out.
    pub excluded: BTreeSet<String>,
    /// What settings files beside Java say.
    pub settings: Settings,
}

/// Walks the scope and reads every source in it.
pub fn discover(scope: &Scope, watch: Watch<'_>) -> Result<Discovery, Failure> {
    let mut starts = scope.paths.clone();
    if starts.is_empty() {
        starts.push(scope.root.clone());
    }
    for start in &starts {
        if let Err(error) = start.symlink_metadata() {
            return Err(Failure::new(FailureKind::InvalidInput, format!("{}: {error}", start.display()))
                .hint("name files or folders that exist"));
        }
    }
    let mut found = Discovery::default();
    let (candidates, properties) = walk(scope, &starts, &mut found);
    let total = candidates.len();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let read: Vec<Taken> = candidates
        .into_par_iter()
        .filter_map(|candidate| {
            if (watch.cancelled)() {
                return None;
            }
            let taken = take(&candidate, scope.max_file_bytes);
            (watch.progress)("reading", 1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed), total);
            taken
        })
        .collect();
    for taken in read {
        match taken {
            Taken::Source(source) => found.sources.push(source),
            Taken::Note(note) => found.notes.push(note),
        }
    }
    if found.sources.iter().any(|source| source.language == Language::Java) {
        read_settings(&properties, &mut found.settings);
    }
    found.sources.sort_by(|a, b| a.path.cmp(&b.path));
    found.sources.dedup_by(|a, b| a.path == b.path);
    found.notes.sort();
    Ok(found)
}

struct Candidate {
    full: PathBuf,
    relative: String,
    language: Option<Language>,
    is_link: bool,
}

enum Taken {
    Source(SourceText),
    Note(Note),
}

fn walk(scope: &Scope, starts: &[PathBuf], found: &mut Discovery) -> (Vec<Candidate>, Vec<PathBuf>) {
    let Some((first, rest)) = starts.split_first() else { return Default::default() };
    let mut builder = WalkBuilder::new(first);
    for path in rest {
        builder.add(path);
    }
    builder
        .hidden(false)
        .follow_links(false)
        .require_git(false)
        .add_custom_ignore_filename(".formicaryignore");
    builder.filter_entry(|entry| entry.file_name() != ".git" && entry.file_name() != ".formicary");
    let named: BTreeSet<&Path> = starts.iter().map(PathBuf::as_path).collect();
    let gathered: Mutex<Gathered> = Mutex::default();
    builder.threads(2).build_parallel().run(|| {
        Box::new(|entry| {
            let mut gathered = gathered.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    gathered.notes.push(unreadable(&scope.root, &error));
                    return WalkState::Continue;
                }
            };
            let kind = entry.file_type();
            if kind.is_none_or(|kind| kind.is_dir()) {
                return WalkState::Continue;
            }
            let is_link = kind.is_some_and(|kind| kind.is_symlink());
            let relative = relative(&scope.root, entry.path());
            let language = language_of_name(entry.path());
            if entry.path().extension().is_some_and(|ending| ending == "properties") {
                gathered.properties.push(entry.into_path());
                return WalkState::Continue;
            }
            let has_ending = entry.path().extension().is_some();
            if language.is_none() && (has_ending || is_link) {
                return WalkState::Continue;
            }
            if scope.exclude.is_match(&relative) && !named.contains(entry.path()) {
                if language.is_some() {
                    gathered.excluded.insert(relative);
                }
                return WalkState::Continue;
            }
            gathered.candidates.push(Candidate { full: entry.into_path(), relative, language, is_link });
            WalkState::Continue
        })
    });
    let mut gathered = gathered.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    found.notes.extend(gathered.notes);
    found.excluded = gathered.excluded;
    gathered.properties.sort();
    (gathered.candidates, gathered.properties)
}

/// What a walk comes by.
#[derive(Default)]
struct Gathered {
    candidates: Vec<Candidate>,
    notes: Vec<Note>,
    excluded: BTreeSet<String>,
    properties: Vec<PathBuf>,
}

/// Reads settings files as far as they are small and few enough to be settings.
fn read_settings(files: &[PathBuf], into: &mut Settings) {
    for file in files.iter().take(MOST_SETTINGS_FILES) {
        if let Ok(Some((bytes, _))) = read(file, Some(Language::Java), MOST_SETTINGS_BYTES) {
            formicary_analysis::read_properties(&text_of(bytes).0, into);
        }
    }
}

fn unreadable(root: &Path, error: &ignore::Error) -> Note {
    let (mut inner, mut path) = (error, None);
    loop {
        inner = match inner {
            ignore::Error::WithPath { path: at, err } => {
                path = Some(relative(root, at));
                err
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => err,
            _ => break,
        };
    }
    Note { kind: NoteKind::Unreadable, file: path, line: None, message: inner.to_string() }
}

fn take(candidate: &Candidate, max_bytes: u64) -> Option<Taken> {
    let note = |kind, message: String| {
        Some(Taken::Note(Note { kind, file: Some(candidate.relative.clone()), line: None, message }))
    };
    if candidate.is_link {
        return note(NoteKind::Link, "is a link; what it points to is reviewed at its own place".into());
    }
    let (bytes, language) = match read(&candidate.full, candidate.language, max_bytes) {
        Ok(Some(read)) => read,
        Ok(None) => return None,
        Err(Refused::TooLarge(size)) => {
            return note(
                NoteKind::TooLarge,
                format!("has {size} bytes, more than {max_bytes}: not reviewed"),
            );
        }
        Err(Refused::Io(error)) => return note(NoteKind::Unreadable, format!("cannot be read: {error}")),
    };
    if bytes.iter().take(8192).any(|byte| *byte == 0) {
        return note(NoteKind::Binary, "is not text: not reviewed".into());
    }
    let path = candidate.relative.clone();
    let (text, exact) = text_of(bytes);
    Some(Taken::Source(SourceText {
        language: refine(language, &path, &text),
        path,
        text: text.into(),
        exact,
    }))
}

/// The text of these bytes, and whether it is the same byte for byte.
pub fn text_of(bytes: Vec<u8>) -> (String, bool) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, true),
        Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), false),
    }
}

enum Refused {
    TooLarge(u64),
    Io(io::Error),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

// O_NONBLOCK and the look at the opened file: a pipe or a device in a hostile project must not hang us.
fn read(path: &Path, language: Option<Language>, most: u64) -> Result<Option<(Vec<u8>, Language)>, Refused> {
    let mut file: File =
        OpenOptions::new().read(true).custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(Refused::Io(io::Error::other("it is not a regular file")));
    }
    let mut bytes = Vec::new();
    let language = match language {
        Some(language) => language,
        None => {
            (&mut file).take(128).read_to_end(&mut bytes)?;
            let Some(language) = language_of_shebang(&bytes) else { return Ok(None) };
            language
        }
    };
    if metadata.len() > most {
        return Err(Refused::TooLarge(metadata.len()));
    }
    bytes.reserve(metadata.len() as usize);
    file.take(most).read_to_end(&mut bytes)?;
    Ok(Some((bytes, language)))
}

/// The language that a file's name tells; headers count as C until their text is known.
pub fn language_of_name(path: &Path) -> Option<Language> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "h" => Some(Language::C),
        "hpp" | "hh" | "hxx" | "ipp" | "cppm" => Some(Language::Cpp),
        "pyi" => Some(Language::Python),
        other => Language::from_extension(other),
    }
}

/// Whether a file's name says that a tool squeezed it: it is nobody's source, and that it cannot be read hides nothing.
pub fn is_minified(path: &str) -> bool {
    [".min.js", ".min.mjs", ".min.cjs", "-min.js"].iter().any(|ending| path.ends_with(ending))
}

fn language_of_shebang(head: &[u8]) -> Option<Language> {
    let line = head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line).into_owned();
    let mut words = line.split(['/', ' ', '\t']).filter(|word| !word.is_empty() && !word.starts_with('-'));
    words.find_map(|word| {
        let word = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        match word {
            "python" | "pypy" => Some(Language::Python),
            "node" | "nodejs" => Some(Language::JavaScript),
            "bash" | "sh" | "dash" | "ksh" => Some(Language::Bash),
            _ => None,
        }
    })
}

/// A header is C++ if it says so.
pub fn refine(language: Language, path: &str, text: &str) -> Language {
    let speaks_cpp = || {
        text.lines().take(2000).map(str::trim_start).any(|line| {
            ["class ", "namespace ", "template <", "template<", "public:", "private:", "using "]
                .iter()
                .any(|word| line.starts_with(word))
                || line.contains("std::")
        })
    };
    if language == Language::C && path.ends_with(".h") && speaks_cpp() { Language::Cpp } else { language }
}

fn relative(root: &Path, path: &Path) -> String {
    let inner = path.strip_prefix(root).unwrap_or(path);
    let inner = inner.strip_prefix(".").unwrap_or(inner);
    inner.to_string_lossy().into_owned()
}
