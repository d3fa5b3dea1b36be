//! What a change consists of, between two revisions, two folders or two files.

use super::clones::{said, unread};
use crate::facade::Platform;
use crate::keys;
use crate::review::project;
use crate::use_case::{Context, Effect, UseCase};
use formicary_files::Root;
use formicary_model::refactorings::{RefactoringReport, RefactoringsInput, Version};
use formicary_model::review::{Note, NoteKind};
use formicary_model::{Failure, FailureKind};
use formicary_refactor::detection::declarations::VersionFile;
use formicary_refactor::detection::detect;
use formicary_review::change::git::Repository;
use formicary_review::discover::{Scope, discover, language_of_name, text_of};
use formicary_review::engine::Watch;
use formicary_review::settings::ReviewSettings;
use std::collections::HashSet;
use std::path::Path;

/// Larger files are not compared.
const MOST_BYTES: u64 = 16 << 20;

type Texts = Vec<(String, String)>;

/// Says which refactorings lead from one version to the other.
pub struct Refactorings;

impl UseCase for Refactorings {
    const NAME: &'static str = "refactorings";
    const PATH: &'static str = "/v1/refactorings";
    const ABOUT: &'static str = "List which refactorings lead from one version to another";
    const SCOPE: Option<keys::Scope> = Some(keys::Scope::Review);
    const EFFECT: Effect = Effect::Reads;
    type Input = RefactoringsInput;
    type Output = RefactoringReport;

    fn run(
        platform: &Platform,
        context: &Context<'_>,
        input: RefactoringsInput,
    ) -> Result<RefactoringReport, Failure> {
        let named = |name: &str| invalid_pair(name, "files that come along");
        let (workspace, change) = match (input.before, input.after) {
            (Version::Files(before), Some(Version::Files(after))) => {
                let workspace = context.versions(&before, &after)?;
                (workspace, Change { before: "before".into(), after: Some("after".into()) })
            }
            (Version::Named(before), None) => {
                (context.workspace(&input.code)?, Change { before, after: None })
            }
            (Version::Named(before), Some(Version::Named(after))) => {
                (context.workspace(&input.code)?, Change { before, after: Some(after) })
            }
            (Version::Named(name), Some(Version::Files(_)))
            | (Version::Files(_), Some(Version::Named(name))) => return Err(named(&name)),
            (Version::Files(_), None) => {
                return Err(Failure::new(FailureKind::InvalidInput, "the version after is not given")
                    .hint("send files as `after`, too"));
            }
        };
        let found = context.watched(|watch| platform.compare(workspace.directory(), &change, watch));
        found.map_err(|failure| workspace.explain(failure))
    }
}

/// Two versions by their names.
struct Change {
    before: String,
    after: Option<String>,
}

fn invalid_pair(before: &str, after: &str) -> Failure {
    let message = format!("{before} and {after} are not two of a kind");
    Failure::new(FailureKind::InvalidInput, message)
        .hint("name two git revisions, two directories or two files that exist, or send files for both")
}

impl Platform {
    fn compare(
        &self,
        directory: &Path,
        change: &Change,
        watch: Watch<'_>,
    ) -> Result<RefactoringReport, Failure> {
        let path = |name: &str| Some(directory.join(name)).filter(|path| path.exists());
        let mut notes = Vec::new();
        let (before, after) = match (path(&change.before), change.after.as_deref().map(path)) {
            (Some(before), Some(Some(after))) => on_disk(&before, &after, &mut notes, watch)?,
            (None, Some(Some(_))) | (Some(_), Some(None) | None) if !self.is_revision(directory, change) => {
                return Err(invalid_pair(&change.before, change.after.as_deref().unwrap_or("nothing")));
            }
            _ => self.of_repository(directory, change, &mut notes)?,
        };
        if (watch.cancelled)() {
            return Err(Failure::new(FailureKind::Cancelled, "the comparison was cancelled"));
        }
        let mut report = detect(&files(&before), &files(&after));
        report.notes.extend(unread(notes));
        Ok(report)
    }

    fn is_revision(&self, directory: &Path, change: &Change) -> bool {
        let git = self.git();
        let open = project::real(directory, Path::new("."))
            .and_then(|root| Repository::open(&git, &root)?.ends(&range(change)));
        open.is_ok()
    }

    fn of_repository(
        &self,
        directory: &Path,
        change: &Change,
        notes: &mut Vec<Note>,
    ) -> Result<(Texts, Texts), Failure> {
        let git = self.git();
        let root = project::real(directory, Path::new("."))?;
        let repository = Repository::open(&git, &root)?;
        let ends = repository.ends(&range(change))?;
        let differing = match &ends.after {
            Some(after) => repository.differing_between(&ends.before, after)?,
            None => repository.differing(&ends.before)?,
        };
        let paths: Vec<String> =
            differing.into_iter().filter(|path| language_of_name(Path::new(path)).is_some()).collect();
        let mut unread = Vec::new();
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
        let mut before = texts(&ends.before)?;
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
        forget_unread(&mut before, notes);
        forget_unread(&mut after, notes);
        Ok((before, after))
    }
}

fn range(change: &Change) -> String {
    match &change.after {
        Some(after) => format!("{}..{after}", change.before),
        None => change.before.clone(),
    }
}

fn on_disk(
    before: &Path,
    after: &Path,
    notes: &mut Vec<Note>,
    watch: Watch<'_>,
) -> Result<(Texts, Texts), Failure> {
    let mut read = |path: &Path| -> Result<Texts, Failure> {
        let real = project::real(path, path)?;
        let (root, paths) = if real.is_dir() {
            (real, Vec::new())
        } else {
            (real.parent().unwrap_or(&real).to_owned(), vec![real.clone()])
        };
        let settings = ReviewSettings::default();
        let scope =
            Scope { root, paths, exclude: settings.excluded(), max_file_bytes: settings.max_file_bytes };
        let found = discover(&scope, watch)?;
        // Of a file that was named and cannot be read nothing can be said; in a folder the others can be.
        if !path.is_dir() && found.sources.is_empty() {
            let why = found
                .notes
                .first()
                .map_or_else(|| format!("{} is in no language that is known here", path.display()), said);
            return Err(Failure::new(FailureKind::InvalidInput, why)
                .hint("name two files of code; `formicary languages` lists the languages"));
        }
        notes.extend(found.notes);
        Ok(found.sources.into_iter().map(|source| (source.path, source.text.to_string())).collect())
    };
    let (mut old, mut new) = (read(before)?, read(after)?);
    forget_unread(&mut old, notes);
    forget_unread(&mut new, notes);
    // Two files are two versions of one, whatever they are called.
    if before.is_file()
        && after.is_file()
        && let ([(path, _)], [(now, _)]) = (old.as_mut_slice(), new.as_slice())
    {
        path.clone_from(now);
    }
    Ok((old, new))
}

/// Of a file that is known in one version only, everything would seem to have come or gone.
fn forget_unread(texts: &mut Texts, notes: &[Note]) {
    let unread =
        |note: &&Note| matches!(note.kind, NoteKind::Binary | NoteKind::TooLarge | NoteKind::Unreadable);
    let files: HashSet<&str> = notes.iter().filter(unread).filter_map(|note| note.file.as_deref()).collect();
    texts.retain(|(path, _)| !files.contains(path.as_str()));
}

fn readable(bytes: Vec<u8>) -> Option<String> {
    let binary = bytes.iter().take(8192).any(|byte| *byte == 0);
    (!binary).then(|| text_of(bytes).0)
}

fn files(texts: &Texts) -> Vec<VersionFile<'_>> {
    texts.iter().map(|(path, text)| VersionFile { path, text }).collect()
}
