//! What a change consists of, between two revisions, two folders or two files.

use super::clones::{said, unread};
use crate::facade::Platform;
use crate::review::git::SandboxedGit;
use crate::review::project;
use formicary_model::refactorings::RefactoringReport;
use formicary_model::review::Note;
use formicary_model::{Failure, FailureKind};
use formicary_patterns::refactorings::declarations::VersionFile;
use formicary_patterns::refactorings::detect;
use formicary_review::change::git::Repository;
use formicary_review::discover::{Scope, discover, language_of_name, text_of};
use formicary_review::engine::Watch;
use formicary_review::settings::ReviewSettings;
use std::path::{Path, PathBuf};

/// Which change, as a door was asked.
#[derive(Debug, Clone, Default)]
pub struct RefactoringRequest {
    /// Where the user stands; relative paths start there, and its repository is meant.
    pub working_folder: PathBuf,
    /// The version before: a git revision, a range, a folder or a file.
    pub before: String,
    /// The version after; none for the folder as it is.
    pub after: Option<String>,
}

type Texts = Vec<(String, String)>;

impl Platform {
    /// Says which refactorings lead from one version to the other.
    pub fn refactorings(
        &self,
        request: &RefactoringRequest,
        watch: Watch<'_>,
    ) -> Result<RefactoringReport, Failure> {
        let path = |name: &str| Some(request.working_folder.join(name)).filter(|path| path.exists());
        let mut notes = Vec::new();
        let (before, after) = match (path(&request.before), request.after.as_deref().map(path)) {
            (Some(before), Some(Some(after))) => on_disk(&before, &after, &mut notes, watch)?,
            (None, Some(Some(_))) | (Some(_), Some(None) | None) if !self.is_revision(request) => {
                let message = format!(
                    "{} and {} are not two of a kind",
                    request.before,
                    request.after.as_deref().unwrap_or("nothing")
                );
                return Err(Failure::new(FailureKind::InvalidInput, message)
                    .hint("name two git revisions, two folders or two files that exist"));
            }
            _ => self.of_repository(request)?,
        };
        if (watch.cancelled)() {
            return Err(Failure::new(FailureKind::Cancelled, "the comparison was cancelled"));
        }
        let mut report = detect(&files(&before), &files(&after));
        report.notes.extend(unread(notes));
        Ok(report)
    }

    fn is_revision(&self, request: &RefactoringRequest) -> bool {
        let git =
            SandboxedGit { providers: &self.providers, provider: self.configuration().word("provider") };
        let open = project::real(&request.working_folder, Path::new("."))
            .and_then(|root| Repository::open(&git, &root)?.ends(&range(request)));
        open.is_ok()
    }

    fn of_repository(&self, request: &RefactoringRequest) -> Result<(Texts, Texts), Failure> {
        let git =
            SandboxedGit { providers: &self.providers, provider: self.configuration().word("provider") };
        let root = project::real(&request.working_folder, Path::new("."))?;
        let repository = Repository::open(&git, &root)?;
        let ends = repository.ends(&range(request))?;
        let differing = match &ends.after {
            Some(after) => repository.differing_between(&ends.before, after)?,
            None => repository.differing(&ends.before)?,
        };
        let paths: Vec<String> =
            differing.into_iter().filter(|path| language_of_name(Path::new(path)).is_some()).collect();
        let texts = |commit: &str| -> Result<Texts, Failure> {
            let found = repository.read(commit, &paths)?;
            Ok(found.into_iter().filter_map(|(path, bytes)| Some((path, readable(bytes?)?))).collect())
        };
        let before = texts(&ends.before)?;
        let after = match &ends.after {
            Some(after) => texts(after)?,
            None => paths
                .iter()
                .filter_map(|path| {
                    let full = root.join(path);
                    let plain = full.symlink_metadata().ok()?.is_file();
                    Some((path.clone(), readable(plain.then(|| std::fs::read(&full).ok())??)?))
                })
                .collect(),
        };
        Ok((before, after))
    }
}

fn range(request: &RefactoringRequest) -> String {
    match &request.after {
        Some(after) => format!("{}..{after}", request.before),
        None => request.before.clone(),
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
        if path.is_file() && found.sources.is_empty() {
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
    let (mut old, new) = (read(before)?, read(after)?);
    // Two files are two versions of one, whatever they are called.
    if before.is_file()
        && after.is_file()
        && let ([(path, _)], [(now, _)]) = (old.as_mut_slice(), new.as_slice())
    {
        path.clone_from(now);
    }
    Ok((old, new))
}

fn readable(bytes: Vec<u8>) -> Option<String> {
    let binary = bytes.iter().take(8192).any(|byte| *byte == 0);
    (!binary).then(|| text_of(bytes).0)
}

fn files(texts: &Texts) -> Vec<VersionFile<'_>> {
    texts.iter().map(|(path, text)| VersionFile { path, text }).collect()
}
