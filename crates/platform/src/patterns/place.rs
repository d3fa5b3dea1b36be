//! Which files the structural engines look at.

use crate::review::project;
use formicary_files::Viewpoint;
use formicary_model::patterns::SkippedFile;
use formicary_model::review::NoteKind;
use formicary_model::{Failure, FailureKind, Language, suggest};
use formicary_review::discover::{Scope, discover};
use formicary_review::engine::Watch;
use formicary_search::Source;
use globset::GlobSet;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Larger files are noted, not read.
const MOST_BYTES: u64 = 4 << 20;

/// A project's files.
pub(super) struct Place {
    /// The project's folder; paths are relative to it.
    pub root: PathBuf,
    /// How they are written for the caller.
    pub viewpoint: Viewpoint,
    pub sources: Vec<Source>,
    pub skipped: Vec<SkippedFile>,
}

/// Reads the files that the paths name.
pub(super) fn read(working_folder: &Path, paths: &[PathBuf], watch: Watch<'_>) -> Result<Place, Failure> {
    let found = find(working_folder, paths)?;
    let scope = Scope {
        root: found.root.clone(),
        paths: found.paths,
        exclude: GlobSet::empty(),
        max_file_bytes: MOST_BYTES,
    };
    let discovery = discover(&scope, watch)?;
    let told = |kind: NoteKind| !matches!(kind, NoteKind::Link);
    let skipped = discovery.notes.into_iter().filter(|note| told(note.kind)).filter_map(|note| {
        Some(SkippedFile { file: note.file?, why: note.message.replace("reviewed", "read") })
    });
    let sources = discovery.sources.into_par_iter().map(|source| {
        let dialect = formicary_search::dialect_of(&source.path, source.language, &source.text);
        let exact = source.exact;
        let source = Source::new(source.path, dialect, source.text);
        if exact { source } else { source.inexact() }
    });
    let viewpoint = Viewpoint::new(working_folder, &found.root);
    Ok(Place { root: found.root, viewpoint, sources: sources.collect(), skipped: skipped.collect() })
}

/// The project's folder alone.
pub(crate) fn root(working_folder: &Path, paths: &[PathBuf]) -> Result<PathBuf, Failure> {
    find(working_folder, paths).map(|found| found.root)
}

/// The project of the paths. One without a mark is what the user stands in, not the folder that was named: paths are shown
/// as they were written, and a change is taken back from where it was made.
fn find(working_folder: &Path, paths: &[PathBuf]) -> Result<project::Place, Failure> {
    let mut found = project::find_paths(working_folder, paths)?;
    if let Ok(here) = working_folder.canonicalize()
        && found.root != here
        && found.root.starts_with(&here)
    {
        if found.paths.is_empty() {
            found.paths.push(found.root);
        }
        found.root = here;
    }
    Ok(found)
}

/// A language by its word.
pub(super) fn language(word: &str) -> Result<Language, Failure> {
    Language::from_word(word).ok_or_else(|| {
        let hint = match suggest::nearest(word, Language::ALL.map(Language::id)) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("known: {}", Language::ALL.map(Language::id).join(", ")),
        };
        Failure::new(FailureKind::InvalidInput, format!("unknown language {word}")).hint(hint)
    })
}

pub(super) fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}
