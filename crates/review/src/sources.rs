//! The sources of a project as the structural engines take them: searched, rewritten, indexed, refactored.

use crate::discover::{Scope, discover};
use crate::engine::Watch;
use crate::project::{self, Project};
use formicary_files::Viewpoint;
use formicary_model::Failure;
use formicary_model::patterns::SkippedFile;
use formicary_model::review::NoteKind;
use formicary_search::{Source, dialect_of};
use globset::GlobSet;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Larger files are noted, not read.
const MOST_BYTES: u64 = 4 << 20;

/// A project's files.
pub struct Sources {
    /// The project's directory; paths are relative to it.
    pub root: PathBuf,
    /// How they are written for the caller.
    pub viewpoint: Viewpoint,
    /// The files.
    pub sources: Vec<Source>,
    /// Those that were not read, and why.
    pub skipped: Vec<SkippedFile>,
}

/// Reads the files that the paths name.
pub fn read(working_directory: &Path, paths: &[PathBuf], watch: Watch<'_>) -> Result<Sources, Failure> {
    let found = find(working_directory, paths)?;
    let scope = Scope {
        root: found.root.clone(),
        paths: found.paths,
        exclude: GlobSet::empty(),
        max_file_bytes: MOST_BYTES,
    };
    let discovery = discover(&scope, watch)?;
    let reported = |kind: NoteKind| !matches!(kind, NoteKind::Link);
    let skipped = discovery.notes.into_iter().filter(|note| reported(note.kind)).filter_map(|note| {
        Some(SkippedFile { file: note.file?, why: note.message.replace("reviewed", "read") })
    });
    let sources = discovery.sources.into_par_iter().map(|source| {
        let dialect = dialect_of(&source.path, source.language, &source.text);
        let exact = source.exact;
        let source = Source::new(source.path, dialect, source.text);
        if exact { source } else { source.inexact() }
    });
    let viewpoint = Viewpoint::new(working_directory, &found.root);
    Ok(Sources { root: found.root, viewpoint, sources: sources.collect(), skipped: skipped.collect() })
}

/// The project's directory alone.
pub fn root(working_directory: &Path, paths: &[PathBuf]) -> Result<PathBuf, Failure> {
    find(working_directory, paths).map(|found| found.root)
}

/// The project of the paths. One without a mark is what the user stands in, not the directory that was named: paths are
/// shown as they were written, and a change is taken back from where it was made.
fn find(working_directory: &Path, paths: &[PathBuf]) -> Result<Project, Failure> {
    let mut found = project::find_paths(working_directory, paths)?;
    if let Ok(here) = working_directory.canonicalize()
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
