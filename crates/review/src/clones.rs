//! Clones of code in a project, or those that a change left behind.

use crate::change::git::GitRunner;
use crate::change::trees::Finder;
use crate::discover::{Scope, discover};
use crate::engine::{SourceText, Watch};
use crate::native::NativeAnalyzer;
use crate::project;
use crate::reviewer::CodeReviewer;
use crate::settings::read_settings;
use formicary_clones::baseline::{KNOWN_CLONES, KnownClones};
use formicary_clones::{CloneOptions, CloneSource, change, detect};
use formicary_files::Viewpoint;
use formicary_model::clones::{CloneReport, ClonesInput};
use formicary_model::review::Note;
use formicary_model::{Failure, FailureKind};
use std::path::{Path, PathBuf};

/// What a search for clones looks at.
pub struct CloneSearch<'a> {
    directory: &'a Path,
    root: PathBuf,
    paths: Vec<PathBuf>,
    request: &'a ClonesInput,
}

impl<'a> CloneSearch<'a> {
    /// A search in what is named below a directory.
    pub fn new(directory: &'a Path, named: &[PathBuf], request: &'a ClonesInput) -> Result<Self, Failure> {
        let (root, paths) = project::common(directory, named)?;
        Ok(Self { directory, root, paths, request })
    }

    /// Searches; writes the groups as known where the request wants that.
    pub fn run(self, git: &dyn GitRunner, watch: Watch<'_>) -> Result<CloneReport, Failure> {
        let mut report = self.find(git, watch)?;
        let known = self.known_path();
        if let Some(groups) = KnownClones::read(&self.root, &known)? {
            groups.mark(&mut report);
        }
        if self.request.write_baseline {
            KnownClones::of(&report).write(&self.root, &known)?;
        }
        let viewpoint = Viewpoint::new(self.directory, &self.root);
        let groups = report.groups.iter_mut().flat_map(|group| &mut group.places);
        let edited = report.inconsistent.iter_mut();
        let edited = edited.flat_map(|edit| std::iter::once(&mut edit.edited).chain(&mut edit.untouched));
        let noted = report.notes.iter_mut().filter_map(|note| note.file.as_mut());
        let places = groups.chain(edited).map(|place| &mut place.file);
        places.chain(noted).for_each(|file| viewpoint.rewrite(file));
        Ok(report)
    }

    fn find(&self, git: &dyn GitRunner, watch: Watch<'_>) -> Result<CloneReport, Failure> {
        let analyzer = NativeAnalyzer::new(None);
        let names = CodeReviewer::new(&analyzer, git).rule_names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let settings = read_settings(&self.root, &self.root, &names)?;
        let scope = Scope {
            root: self.root.clone(),
            paths: self.paths.clone(),
            exclude: settings.excluded(),
            max_file_bytes: settings.max_file_bytes,
        };
        let found = discover(&scope, watch)?;
        if found.sources.is_empty() {
            let why = found.notes.first().map(|note| format!(": {}", line(note))).unwrap_or_default();
            let message = format!("there is no code in {}{why}", self.root.display());
            return Err(Failure::new(FailureKind::InvalidInput, message)
                .hint("name a directory with sources in a language that `formicary languages` lists"));
        }
        let options = CloneOptions::of(self.request);
        let sources = of_texts(&found.sources);
        let mut report = detect(&sources, &options, watch.cancelled);
        report.notes = unread(found.notes);
        if let Some(new) = &self.request.new {
            let request = project::change(new, self.directory, &self.root, git)?;
            let finder = Finder { scope: &scope, now: &found.sources, baseline: None, rules: &[] };
            let states = finder.find(&request, git, watch)?;
            let before = of_texts(&states.before.sources);
            let after = states.after.as_ref().map(|state| of_texts(&state.sources));
            let after = after.as_deref().unwrap_or(&sources);
            report.inconsistent = change::inconsistent(&before, after, &options, watch.cancelled);
        }
        match (watch.cancelled)() {
            true => Err(Failure::new(FailureKind::Cancelled, "the search for clones was cancelled")),
            false => Ok(report),
        }
    }

    /// The file of known groups: one that the user named, else the project's.
    fn known_path(&self) -> PathBuf {
        match &self.request.baseline {
            Some(path) => self.directory.join(path),
            None => PathBuf::from(KNOWN_CLONES),
        }
    }
}

/// Notes of files in the words of those who read and do not review.
pub fn unread(notes: Vec<Note>) -> Vec<Note> {
    let words = |note: Note| Note { message: note.message.replace("not reviewed", "not read"), ..note };
    notes.into_iter().map(words).collect()
}

/// A note in one line.
pub(crate) fn line(note: &Note) -> String {
    let message = note.message.replace("not reviewed", "not read");
    note.file.as_ref().map_or_else(|| message.clone(), |file| format!("{file} {message}"))
}

/// Sources as the search for clones takes them.
pub(crate) fn of_texts(sources: &[SourceText]) -> Vec<CloneSource<'_>> {
    sources
        .iter()
        .map(|source| CloneSource { path: &source.path, language: source.language, text: &source.text })
        .collect()
}
