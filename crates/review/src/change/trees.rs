//! The states before and after a change, as texts: from a git range, from two folders, or from a diff.

use super::git::{GitRunner, Repository};
use super::patch;
use crate::discover::{self, Scope, discover};
use crate::engine::{SourceText, Watch};
use crate::settings::{ReviewSettings, parse_settings};
use formicary_files::Root;
use formicary_model::{Failure, FailureKind};
use globset::GlobSet;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Which change is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeRequest {
    /// What a git range brought; a single revision means everything since.
    Git(String),
    /// What is different from this folder.
    Folder(PathBuf),
    /// What a diff did; the project is in the state after it.
    Diff {
        /// Its name, for messages.
        name: String,
        /// Its text.
        text: String,
    },
}

/// One state of a project.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// Its sources, by path.
    pub sources: Vec<SourceText>,
    /// Every file that was there, reviewed or not.
    pub present: BTreeSet<String>,
    /// Its settings.
    pub settings: ReviewSettings,
    /// The text of its baseline.
    pub baseline: Option<String>,
}

/// The two states, in words, and as texts. Without a state after, it is what is in the folder now.
pub struct States {
    /// What is compared with what.
    pub compared: String,
    /// The state before.
    pub before: State,
    /// The state after.
    pub after: Option<State>,
}

/// What is needed to find the states.
pub struct Finder<'a> {
    /// What is reviewed now; its exclusions are those of the state after.
    pub scope: &'a Scope,
    /// The sources as they are in the folder now.
    pub now: &'a [SourceText],
    /// The baseline's path, relative to the project.
    pub baseline: Option<&'a Path>,
    /// The names of all rules, for reading settings.
    pub rules: &'a [&'a str],
}

/// Settings files and baselines that are larger are none.
const MOST_SMALL: u64 = 256 << 20;
const SETTINGS: [&str; 2] = ["formicary.toml", "pyproject.toml"];

impl Finder<'_> {
    /// Finds the states.
    pub fn find(
        &self,
        request: &ChangeRequest,
        git: &dyn GitRunner,
        watch: Watch<'_>,
    ) -> Result<States, Failure> {
        match request {
            ChangeRequest::Git(range) => self.git(range, git),
            ChangeRequest::Folder(folder) => self.folder(folder, watch),
            ChangeRequest::Diff { name, text } => self.diff(name, text),
        }
    }

    fn git(&self, range: &str, git: &dyn GitRunner) -> Result<States, Failure> {
        let repository = Repository::open(git, &self.scope.root)?;
        let ends = repository.ends(range)?;
        let before = self.of_commit(&repository, &ends.before)?;
        let after = ends.after.as_deref().map(|commit| self.of_commit(&repository, commit)).transpose()?;
        Ok(States { compared: format!("git {range}"), before, after })
    }

    fn of_commit(&self, repository: &Repository<'_>, commit: &str) -> Result<State, Failure> {
        let present = repository.list(commit)?;
        let differing = repository.differing(commit)?;
        let mut small: Vec<String> = SETTINGS.iter().map(|name| (*name).to_owned()).collect();
        small.extend(self.baseline.map(|path| path.to_string_lossy().into_owned()));
        let small = repository.read(commit, &small)?;
        let text = |name: &str| {
            let bytes = small.iter().find(|(path, _)| path == name)?.1.as_ref()?;
            Some(String::from_utf8_lossy(bytes).into_owned())
        };
        let settings = self.settings(|name| text(name))?;
        let wanted = |path: &String| self.is_wanted(path, &settings.excluded());
        let (changed, same): (Vec<String>, Vec<String>) =
            present.iter().filter(|path| wanted(path)).cloned().partition(|path| differing.contains(path));
        let mut sources = Vec::new();
        for (path, bytes) in repository.read(commit, &changed)? {
            sources.extend(bytes.and_then(|bytes| source_of(path, bytes)));
        }
        let now: BTreeMap<&str, &SourceText> = self.now.iter().map(|s| (s.path.as_str(), s)).collect();
        for path in same {
            match now.get(path.as_str()) {
                Some(source) => sources.push((*source).clone()),
                // In the folder and unchanged, but no longer reviewed.
                None => sources.extend(read_plain(&self.scope.root, path, self.scope.max_file_bytes)),
            }
        }
        sources.sort_by(|a, b| a.path.cmp(&b.path));
        let baseline = self.baseline.and_then(|path| text(&path.to_string_lossy()));
        Ok(State { sources, present, settings, baseline })
    }

    fn folder(&self, folder: &Path, watch: Watch<'_>) -> Result<States, Failure> {
        let real = folder.canonicalize().map_err(|error| {
            Failure::new(FailureKind::InvalidInput, format!("{}: {error}", folder.display()))
                .hint("name the folder that holds the state before")
        })?;
        let tree = open(&real)?;
        let settings = self.settings(|name| small(&tree, Path::new(name)))?;
        let scope = Scope {
            root: real.clone(),
            paths: Vec::new(),
            exclude: settings.excluded(),
            max_file_bytes: self.scope.max_file_bytes,
        };
        let mut found = discover(&scope, watch)?;
        found.sources.retain(|source| self.is_wanted(&source.path, &GlobSet::empty()));
        let mut present: BTreeSet<String> = found.sources.iter().map(|source| source.path.clone()).collect();
        present.extend(found.excluded);
        let baseline = self.baseline.and_then(|path| small(&tree, path));
        let before = State { sources: found.sources, present, settings, baseline };
        Ok(States { compared: format!("{} and the project", folder.display()), before, after: None })
    }

    fn diff(&self, name: &str, text: &str) -> Result<States, Failure> {
        let tree = open(&self.scope.root)?;
        let mut sources: BTreeMap<String, SourceText> =
            self.now.iter().map(|source| (source.path.clone(), source.clone())).collect();
        let mut others: BTreeMap<String, Option<String>> = BTreeMap::new();
        for patch in patch::parse(name, text)? {
            let after = match &patch.after {
                None => Some(String::new()),
                Some(path) => sources.remove(path).map(|source| source.text.to_string()).or_else(|| {
                    tree.read_to_string(Path::new(path), self.scope.max_file_bytes.max(MOST_SMALL)).ok()
                }),
            };
            let undone = after.and_then(|after| patch.undo(&after));
            let (Some(before), path) = (undone, patch.before.clone().or_else(|| patch.after.clone())) else {
                let path = patch.after.unwrap_or_default();
                let message = format!("{name}: what it says of {path} does not fit the file");
                return Err(Failure::new(FailureKind::InvalidInput, message)
                    .hint("review the state after the diff: apply it first"));
            };
            let Some(path) = path else { continue };
            if patch.before.is_some()
                && let Some(language) = discover::language_of_name(Path::new(&path))
            {
                let language = discover::refine(language, &path, &before);
                let source =
                    SourceText { path: path.clone(), language, text: before.clone().into(), exact: true };
                sources.insert(path.clone(), source);
            }
            others.insert(path, patch.before.is_some().then_some(before));
        }
        let read = |name: &str| match others.get(name) {
            Some(text) => text.clone(),
            None => small(&tree, Path::new(name)),
        };
        let settings = self.settings(read)?;
        let excluded = settings.excluded();
        let sources: Vec<SourceText> =
            sources.into_values().filter(|source| self.is_wanted(&source.path, &excluded)).collect();
        let present = sources.iter().map(|source| source.path.clone()).collect();
        let baseline = self.baseline.and_then(|path| read(&path.to_string_lossy()));
        let before = State { sources, present, settings, baseline };
        Ok(States { compared: format!("the diff {name}"), before, after: None })
    }

    fn settings(&self, read: impl Fn(&str) -> Option<String>) -> Result<ReviewSettings, Failure> {
        for name in SETTINGS {
            let Some(text) = read(name) else { continue };
            // Broken or written for other rules: then nothing held before.
            if let Ok(Some(settings)) = parse_settings(Path::new(name), &text, self.rules) {
                return Ok(settings);
            }
        }
        Ok(ReviewSettings::default())
    }

    fn is_wanted(&self, path: &str, excluded: &GlobSet) -> bool {
        let full = self.scope.root.join(path);
        let inside =
            self.scope.paths.is_empty() || self.scope.paths.iter().any(|start| full.starts_with(start));
        inside && !excluded.is_match(path) && discover::language_of_name(Path::new(path)).is_some()
    }
}

fn source_of(path: String, bytes: Vec<u8>) -> Option<SourceText> {
    let language = discover::language_of_name(Path::new(&path))?;
    if bytes.iter().take(8192).any(|byte| *byte == 0) {
        return None;
    }
    let (text, exact) = discover::text_of(bytes);
    let language = discover::refine(language, &path, &text);
    Some(SourceText { path, language, text: text.into(), exact })
}

fn read_plain(root: &Path, path: String, most: u64) -> Option<SourceText> {
    let bytes = Root::open(root).ok()?.read(Path::new(&path), most).ok()?;
    source_of(path, bytes)
}

fn open(root: &Path) -> Result<Root, Failure> {
    Root::open(root).map_err(|error| Failure::new(FailureKind::InvalidInput, error.to_string()))
}

/// The text of a settings file or a baseline in a state of the project.
fn small(root: &Root, path: &Path) -> Option<String> {
    root.read_to_string(path, MOST_SMALL).ok()
}
