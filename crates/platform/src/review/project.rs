//! Which project a path belongs to, and which change is meant.

use super::ReviewOptions;
use formicary_model::{Failure, FailureKind};
use formicary_review::ChangeRequest;
use std::path::{Path, PathBuf};

/// Files that mark a project's folder.
const MARKS: [&str; 3] = ["formicary.toml", "pyproject.toml", ".git"];
/// A diff larger than this is none.
const MOST_DIFF_BYTES: u64 = 256 * 1024 * 1024;

/// A project and what of it is reviewed.
pub(crate) struct Place {
    pub root: PathBuf,
    pub shown: String,
    pub paths: Vec<PathBuf>,
}

/// The project of the paths that were asked for.
pub(super) fn find(options: &ReviewOptions) -> Result<Place, Failure> {
    find_paths(&options.working_folder, &options.paths)
}

/// The project of these paths, or of the folder where the user stands.
pub(crate) fn find_paths(working_folder: &Path, asked: &[PathBuf]) -> Result<Place, Failure> {
    let mut paths = Vec::new();
    for path in asked {
        paths.push(real(&working_folder.join(path), path)?);
    }
    let start = match paths.first() {
        Some(path) => path.clone(),
        None => real(working_folder, Path::new("."))?,
    };
    let folder = if start.is_dir() { start.as_path() } else { start.parent().unwrap_or(Path::new("/")) };
    let marked = |folder: &&Path| MARKS.iter().any(|mark| folder.join(mark).exists());
    let root = match folder.ancestors().find(marked) {
        Some(root) => root.to_owned(),
        None => folder
            .ancestors()
            .find(|above| paths.iter().all(|path| path.starts_with(above)))
            .unwrap_or(folder)
            .into(),
    };
    // Paths outside the first one's project would have no name in the report.
    if let Some(stray) = paths.iter().find(|path| !path.starts_with(&root)) {
        let message = format!("{} is not in the project {}", stray.display(), root.display());
        return Err(
            Failure::new(FailureKind::InvalidInput, message).hint("name paths of one project at a time")
        );
    }
    let shown = asked.first().map_or_else(|| ".".into(), |path| path.display().to_string());
    let whole = paths.is_empty() && start == root || paths == [root.clone()];
    let paths = match (whole, paths.is_empty()) {
        (true, _) => Vec::new(),
        (false, true) => vec![start],
        (false, false) => paths,
    };
    Ok(Place { root, shown, paths })
}

/// The real path of what a user named.
pub(crate) fn real(path: &Path, shown: &Path) -> Result<PathBuf, Failure> {
    path.canonicalize().map_err(|error| {
        Failure::new(FailureKind::InvalidInput, format!("{}: {error}", shown.display()))
            .hint("name files or folders that exist")
    })
}

/// What `--new` names: a folder, a diff file, or else a git range.
pub(crate) fn change(new: &str, options: &ReviewOptions) -> Result<ChangeRequest, Failure> {
    let path = options.working_folder.join(new);
    let Ok(metadata) = path.metadata() else { return Ok(ChangeRequest::Git(new.to_owned())) };
    if metadata.is_dir() {
        return Ok(ChangeRequest::Folder(path));
    }
    let wrong = |why: String| {
        Failure::new(FailureKind::InvalidInput, format!("{new}: {why}"))
            .hint("--new takes a git range, a folder, or a diff file")
    };
    if metadata.len() > MOST_DIFF_BYTES {
        return Err(wrong("too large for a diff".into()));
    }
    let text = std::fs::read(&path).map_err(|error| wrong(error.to_string()))?;
    Ok(ChangeRequest::Diff { name: new.to_owned(), text: String::from_utf8_lossy(&text).into_owned() })
}
