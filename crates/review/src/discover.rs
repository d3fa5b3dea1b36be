//! Which files are reviewed: ignore files are heeded, links are not followed, nothing odd can hang the walk.

use crate::engine::{SourceText, Watch};
use crate::walk::{Found, walk};
use formicary_files::{FileError, Kind, Reason, Root};
use formicary_model::review::{Note, NoteKind};
use formicary_model::{Failure, FailureKind, Language};
use formicary_taint::Settings;
use globset::GlobSet;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

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
    let invalid = |message: String| {
        Failure::new(FailureKind::InvalidInput, message).hint("name files or folders that exist")
    };
    let root = Root::open(&scope.root).map_err(|error| invalid(error.to_string()))?;
    let mut found = Discovery::default();
    let (mut candidates, mut properties) = (Vec::new(), Vec::new());
    for start in &starts {
        let Ok(below) = start.strip_prefix(&scope.root) else {
            return Err(invalid(format!("{} is not in {}", start.display(), scope.root.display())));
        };
        let walked = walk(&root, below).map_err(|error| invalid(error.to_string()))?;
        found.notes.extend(walked.refused.iter().map(|error| unreadable(&scope.root, error)));
        for one in walked.found {
            sort_out(scope, below, one, &mut candidates, &mut properties, &mut found.excluded);
        }
    }
    properties.sort();
    let total = candidates.len();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let read: Vec<Taken> = candidates
        .into_par_iter()
        .filter_map(|candidate| {
            if (watch.cancelled)() {
                return None;
            }
            let taken = take(&root, &candidate, scope.max_file_bytes);
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
        read_settings(&root, &properties, &mut found.settings);
    }
    found.sources.sort_by(|a, b| a.path.cmp(&b.path));
    found.sources.dedup_by(|a, b| a.path == b.path);
    found.notes.sort();
    found.notes.dedup();
    Ok(found)
}

struct Candidate {
    /// The path below the root.
    path: PathBuf,
    relative: String,
    language: Option<Language>,
    is_link: bool,
}

enum Taken {
    Source(SourceText),
    Note(Note),
}

/// Whether something that was found is to be read, by its name.
fn sort_out(
    scope: &Scope,
    start: &Path,
    Found { path, kind }: Found,
    candidates: &mut Vec<Candidate>,
    properties: &mut Vec<PathBuf>,
    excluded: &mut BTreeSet<String>,
) {
    let is_link = kind == Kind::Link;
    let relative = path.to_string_lossy().into_owned();
    let language = language_of_name(&path);
    if path.extension().is_some_and(|ending| ending == "properties") {
        properties.push(path);
    } else if language.is_none() && (path.extension().is_some() || is_link) {
        // Neither its name nor its first line can say what it is.
    } else if scope.exclude.is_match(&relative) && path != start {
        if language.is_some() {
            excluded.insert(relative);
        }
    } else {
        candidates.push(Candidate { path, relative, language, is_link });
    }
}

/// Reads settings files as far as they are small and few enough to be settings.
fn read_settings(root: &Root, files: &[PathBuf], into: &mut Settings) {
    for file in files.iter().take(MOST_SETTINGS_FILES) {
        if let Ok(Some((bytes, _))) = read(root, file, Some(Language::Java), MOST_SETTINGS_BYTES) {
            formicary_taint::read_properties(&text_of(bytes).0, into);
        }
    }
}

fn unreadable(root: &Path, error: &FileError) -> Note {
    let path = error.path.strip_prefix(root).unwrap_or(&error.path).to_string_lossy().into_owned();
    let file = (!path.is_empty()).then_some(path);
    Note {
        kind: NoteKind::Unreadable,
        file,
        line: None,
        message: format!("cannot be read: {}", error.reason),
    }
}

fn take(root: &Root, candidate: &Candidate, max_bytes: u64) -> Option<Taken> {
    let note = |kind, message: String| {
        Some(Taken::Note(Note { kind, file: Some(candidate.relative.clone()), line: None, message }))
    };
    if candidate.is_link {
        return note(NoteKind::Link, "is a link; what it points to is reviewed at its own place".into());
    }
    let (bytes, language) = match read(root, &candidate.path, candidate.language, max_bytes) {
        Ok(Some(read)) => read,
        Ok(None) => return None,
        Err(Refused::TooLarge(size)) => {
            return note(
                NoteKind::TooLarge,
                format!("has {size} bytes, more than {max_bytes}: not reviewed"),
            );
        }
        Err(Refused::File(reason)) => {
            return note(NoteKind::Unreadable, format!("cannot be read: {reason}"));
        }
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
    File(Reason),
}

impl From<std::io::Error> for Refused {
    fn from(error: std::io::Error) -> Self {
        Self::File(Reason::Io(error))
    }
}

fn read(
    root: &Root,
    path: &Path,
    language: Option<Language>,
    most: u64,
) -> Result<Option<(Vec<u8>, Language)>, Refused> {
    let mut file = root.open_file(path).map_err(|error| Refused::File(error.reason))?;
    let metadata = file.metadata()?;
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
