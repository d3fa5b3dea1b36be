//! Copies of code in a project, or those that a change left behind.

use crate::facade::Platform;
use crate::review::git::SandboxedGit;
use crate::review::{ReviewOptions, project};
use formicary_model::clones::{CloneReport, CloneType};
use formicary_model::review::Note;
use formicary_model::{Failure, FailureKind};
use formicary_patterns::clones::baseline::KnownClones;
use formicary_patterns::clones::{CloneOptions, CloneSource, Tests, change, detect};
use formicary_review::CodeReviewer;
use formicary_review::change::trees::Finder;
use formicary_review::discover::{Scope, discover};
use formicary_review::engine::{SourceText, Watch};
use formicary_review::native::NativeAnalyzer;
use formicary_review::settings::read_settings;
use std::path::{Path, PathBuf};

/// Which copies to look for, as a door was asked.
#[derive(Debug, Clone, Default)]
pub struct CloneRequest {
    /// Where the user stands; relative paths start there.
    pub working_folder: PathBuf,
    /// Files and folders; empty for where the user stands.
    pub paths: Vec<PathBuf>,
    /// Which kinds; empty for all.
    pub types: Vec<CloneType>,
    /// The fewest lines of a copy.
    pub lines: Option<u32>,
    /// The fewest tokens of a copy.
    pub tokens: Option<usize>,
    /// The least likeness, from 0 to 1.
    pub similarity: Option<f32>,
    /// Whether files with tests are left out.
    pub without_tests: bool,
    /// A change: a git range or revision, a folder, or a diff file.
    pub new: Option<String>,
    /// The file of known groups.
    pub baseline: Option<PathBuf>,
}

/// Where known groups stand when nobody names a file.
pub const KNOWN_CLONES: &str = ".formicary/clones.json";

impl Platform {
    /// Finds copies of code; with a change also those that it edited here and not there.
    pub fn clones(&self, request: &CloneRequest, watch: Watch<'_>) -> Result<CloneReport, Failure> {
        let (root, paths) = place(request)?;
        let analyzer = NativeAnalyzer::new(None);
        let git =
            SandboxedGit { providers: &self.providers, provider: self.configuration().word("provider") };
        let names = CodeReviewer::new(&analyzer, &git).rule_names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let settings = read_settings(&root, &root, &names)?;
        let scope = Scope {
            root: root.clone(),
            paths,
            exclude: settings.excluded(),
            max_file_bytes: settings.max_file_bytes,
        };
        let found = discover(&scope, watch)?;
        if found.sources.is_empty() {
            let why = found.notes.first().map(|note| format!(": {}", said(note))).unwrap_or_default();
            let message = format!("there is no code in {}{why}", root.display());
            return Err(Failure::new(FailureKind::InvalidInput, message)
                .hint("name a folder with sources in a language that `formicary languages` lists"));
        }
        let options = options(request);
        let sources = of_texts(&found.sources);
        let mut report = detect(&sources, &options, watch.cancelled);
        report.notes = unread(found.notes);
        if let Some(new) = &request.new {
            let asked =
                ReviewOptions { working_folder: request.working_folder.clone(), ..Default::default() };
            let change_request = project::change(new, &asked)?;
            let finder = Finder { scope: &scope, now: &found.sources, baseline: None, rules: &[] };
            let states = finder.find(&change_request, &git, watch)?;
            let before = of_texts(&states.before.sources);
            let after = states.after.as_ref().map(|state| of_texts(&state.sources));
            let after = after.as_deref().unwrap_or(&sources);
            report.inconsistent = change::inconsistent(&before, after, &options, watch.cancelled);
        }
        if (watch.cancelled)() {
            return Err(Failure::new(FailureKind::Cancelled, "the search for copies was cancelled"));
        }
        if let Some(known) = read_known(&known_path(request, &root))? {
            known.mark(&mut report);
        }
        Ok(report)
    }

    /// Writes all groups of a report as known. Gives the file's path.
    pub fn write_known_clones(
        &self,
        request: &CloneRequest,
        report: &CloneReport,
    ) -> Result<PathBuf, Failure> {
        let (root, _) = place(request)?;
        let path = known_path(request, &root);
        let write = || -> std::io::Result<()> {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let text =
                serde_json::to_string_pretty(&KnownClones::of(report)).map_err(std::io::Error::other)?;
            std::fs::write(&path, text + "\n")
        };
        write().map_err(|error| {
            Failure::new(FailureKind::InvalidInput, format!("{}: {error}", path.display()))
                .hint("name a file in a folder that you may write")
        })?;
        Ok(path)
    }
}

/// Notes of files in the words of those who read and do not review.
pub(super) fn unread(notes: Vec<Note>) -> Vec<Note> {
    let words = |note: Note| Note { message: note.message.replace("not reviewed", "not read"), ..note };
    notes.into_iter().map(words).collect()
}

/// A note in one line.
pub(super) fn said(note: &Note) -> String {
    let message = note.message.replace("not reviewed", "not read");
    note.file.as_ref().map_or_else(|| message.clone(), |file| format!("{file} {message}"))
}

fn options(request: &CloneRequest) -> CloneOptions {
    let usual = CloneOptions::default();
    CloneOptions {
        types: if request.types.is_empty() { usual.types } else { request.types.clone() },
        lines: request.lines.unwrap_or(usual.lines),
        function_tokens: request.tokens.unwrap_or(usual.function_tokens),
        block_tokens: request.tokens.unwrap_or(usual.block_tokens),
        tests: if request.without_tests { Tests::LeftOut } else { Tests::Included },
        similarity: request.similarity.unwrap_or(usual.similarity),
    }
}

fn of_texts(sources: &[SourceText]) -> Vec<CloneSource<'_>> {
    sources
        .iter()
        .map(|source| CloneSource { path: &source.path, language: source.language, text: &source.text })
        .collect()
}

/// The folder that holds everything that was asked for, and what was asked for.
fn place(request: &CloneRequest) -> Result<(PathBuf, Vec<PathBuf>), Failure> {
    let mut paths = Vec::new();
    for path in &request.paths {
        paths.push(project::real(&request.working_folder.join(path), path)?);
    }
    if paths.is_empty() {
        let here = project::real(&request.working_folder, Path::new("."))?;
        return Ok((here, Vec::new()));
    }
    let folder =
        |path: &PathBuf| if path.is_dir() { path.clone() } else { path.parent().unwrap_or(path).to_owned() };
    let mut root = folder(&paths[0]);
    for path in &paths {
        while !path.starts_with(&root) {
            let Some(above) = root.parent() else { break };
            root = above.to_owned();
        }
    }
    if paths == [root.clone()] {
        paths.clear();
    }
    Ok((root, paths))
}

fn known_path(request: &CloneRequest, root: &Path) -> PathBuf {
    match &request.baseline {
        Some(path) => request.working_folder.join(path),
        None => root.join(KNOWN_CLONES),
    }
}

fn read_known(path: &Path) -> Result<Option<KnownClones>, Failure> {
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(None) };
    serde_json::from_str(&text).map(Some).map_err(|error| {
        Failure::new(FailureKind::InvalidInput, format!("{}: {error}", path.display()))
            .hint("write it anew with `formicary clones --write-baseline`")
    })
}
