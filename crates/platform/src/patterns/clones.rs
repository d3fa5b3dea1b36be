//! Copies of code in a project, or those that a change left behind.

use crate::facade::Platform;
use crate::keys;
use crate::review::project;
use crate::use_case::{Context, Effect, UseCase};
use crate::workspace::Workspace;
use formicary_clones::baseline::KnownClones;
use formicary_clones::{CloneOptions, CloneSource, Tests, change, detect};
use formicary_files::{FileError, Place, Viewpoint};
use formicary_model::clones::{CloneReport, ClonesInput};
use formicary_model::review::Note;
use formicary_model::{Failure, FailureKind};
use formicary_review::CodeReviewer;
use formicary_review::change::trees::Finder;
use formicary_review::discover::{Scope, discover};
use formicary_review::engine::{SourceText, Watch};
use formicary_review::native::NativeAnalyzer;
use formicary_review::settings::read_settings;
use std::path::{Path, PathBuf};

/// A larger file holds no known groups.
const MOST_KNOWN_BYTES: u64 = 256 << 20;
/// Where known groups stand when nobody names a file.
pub const KNOWN_CLONES: &str = ".formicary/clones.json";

/// Finds clones of code; with a change also those that it edited here and not there.
pub struct Clones;

impl UseCase for Clones {
    const NAME: &'static str = "clones";
    const PATH: &'static str = "/v1/clones";
    const ABOUT: &'static str = "Find clones of code";
    const SCOPE: Option<keys::Scope> = Some(keys::Scope::Review);
    const EFFECT: Effect = Effect::Writes;
    type Input = ClonesInput;
    type Output = CloneReport;

    fn run(platform: &Platform, context: &Context<'_>, input: ClonesInput) -> Result<CloneReport, Failure> {
        let workspace = context.workspace(&input.code)?;
        let found = context.watched(|watch| platform.clones(&workspace, &input, watch));
        let mut report = found.map_err(|failure| workspace.explain(failure))?;
        if input.write_baseline {
            write_known(&workspace, &input, &report)?;
        }
        let viewpoint = Viewpoint::new(workspace.directory(), &place(&workspace)?.0);
        let groups = report.groups.iter_mut().flat_map(|group| &mut group.places);
        let edited = report.inconsistent.iter_mut();
        let edited = edited.flat_map(|edit| std::iter::once(&mut edit.edited).chain(&mut edit.untouched));
        let noted = report.notes.iter_mut().filter_map(|note| note.file.as_mut());
        groups
            .chain(edited)
            .map(|place| &mut place.file)
            .chain(noted)
            .for_each(|file| viewpoint.rewrite(file));
        Ok(report)
    }
}

impl Platform {
    fn clones(
        &self,
        workspace: &Workspace,
        request: &ClonesInput,
        watch: Watch<'_>,
    ) -> Result<CloneReport, Failure> {
        let (root, paths) = place(workspace)?;
        let analyzer = NativeAnalyzer::new(None);
        let git = self.git();
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
            let change_request = project::change(new, workspace.directory(), &root, &git)?;
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
        if let Some(known) = read_known(&root, &known_path(workspace, request))? {
            known.mark(&mut report);
        }
        Ok(report)
    }
}

/// Writes all groups of a report as known.
fn write_known(workspace: &Workspace, request: &ClonesInput, report: &CloneReport) -> Result<(), Failure> {
    let (root, _) = place(workspace)?;
    let path = known_path(workspace, request);
    let text = serde_json::to_string_pretty(&KnownClones::of(report))
        .map_err(|error| Failure::new(FailureKind::Internal, format!("known groups: {error}")))?;
    let write = || -> Result<(), FileError> {
        let place = Place::of(&root, &path)?;
        if let Some(directory) = place.path.parent() {
            place.root.create_directories(directory)?;
        }
        place.root.write(&place.path, (text + "\n").as_bytes())
    };
    write().map_err(|error| {
        Failure::new(FailureKind::InvalidInput, format!("the known groups were not written: {error}"))
            .hint("name a regular file in a directory that you may write")
    })
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

fn options(request: &ClonesInput) -> CloneOptions {
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

/// The directory that holds everything that was named, and what was named.
fn place(workspace: &Workspace) -> Result<(PathBuf, Vec<PathBuf>), Failure> {
    let mut paths = Vec::new();
    for path in workspace.paths() {
        paths.push(project::real(&workspace.directory().join(path), path)?);
    }
    if paths.is_empty() {
        let here = project::real(workspace.directory(), Path::new("."))?;
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

/// The file of known groups: one that the user named, else the project's.
fn known_path(workspace: &Workspace, request: &ClonesInput) -> PathBuf {
    match &request.baseline {
        Some(path) => workspace.directory().join(path),
        None => PathBuf::from(KNOWN_CLONES),
    }
}

fn read_known(root: &Path, path: &Path) -> Result<Option<KnownClones>, Failure> {
    let wrong = |why: String| {
        Failure::new(FailureKind::InvalidInput, why)
            .hint("write it anew with `formicary clones --write-baseline`")
    };
    let read = Place::of(root, path).and_then(|place| place.root.read(&place.path, MOST_KNOWN_BYTES));
    let text = match read {
        Ok(text) => text,
        Err(error) if error.is_missing() => return Ok(None),
        Err(error) => return Err(wrong(format!("the known groups cannot be read: {error}"))),
    };
    let known = serde_json::from_slice(&text);
    known.map(Some).map_err(|error| wrong(format!("{}: {error}", path.display())))
}
