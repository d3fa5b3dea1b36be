//! Which project a path belongs to, and which change is meant.

use crate::ChangeRequest;
use crate::change::git::{GitRunner, Repository};
use formicary_files::{Kind, project_of};
use formicary_model::{Failure, FailureKind};
use std::path::{Path, PathBuf};

/// What marks a project's directory; what is written there leaves its journal beside them.
pub use formicary_files::project::MARKS;
/// A diff larger than this is none.
const MOST_DIFF_BYTES: u64 = 256 * 1024 * 1024;

/// A project and what of it is reviewed.
pub struct Project {
    /// Its directory.
    pub root: PathBuf,
    /// The directory as the user named it.
    pub shown: String,
    /// Files and directories of it; empty for the whole project.
    pub paths: Vec<PathBuf>,
}

/// The project of these paths, or of the directory where the user stands.
pub fn find_paths(working_directory: &Path, asked: &[PathBuf]) -> Result<Project, Failure> {
    let mut paths = Vec::new();
    for path in asked {
        paths.push(file_or_directory(&working_directory.join(path), path)?);
    }
    let start = match paths.first() {
        Some(path) => path.clone(),
        None => real(working_directory, Path::new("."))?,
    };
    let folder = if start.is_dir() { start.as_path() } else { start.parent().unwrap_or(Path::new("/")) };
    let root = match project_of(folder, &MARKS) {
        Some(root) => root,
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
    Ok(Project { root, shown, paths })
}

/// The real path of what a user named.
pub fn real(path: &Path, shown: &Path) -> Result<PathBuf, Failure> {
    path.canonicalize().map_err(|error| {
        Failure::new(FailureKind::InvalidInput, format!("{}: {error}", shown.display()))
            .hint("name files or folders that exist")
    })
}

/// The same of a regular file or a directory. A pipe or a device that is named is a slip; what only lies in a directory is
/// noted there.
pub fn file_or_directory(path: &Path, shown: &Path) -> Result<PathBuf, Failure> {
    let found = real(path, shown)?;
    if found.is_dir() || found.is_file() {
        return Ok(found);
    }
    let message = format!("{}: it is not a regular file", shown.display());
    Err(Failure::new(FailureKind::InvalidInput, message).hint("name files or directories of code"))
}

/// What `--new` names: a folder, a diff file, or else a git range of the project in `root`. A project's author may give a
/// file the name of a branch, so that nothing but the file would be judged: what is both is neither.
pub fn change(
    new: &str,
    working_directory: &Path,
    root: &Path,
    git: &dyn GitRunner,
) -> Result<ChangeRequest, Failure> {
    let wrong = |why: String| {
        Failure::new(FailureKind::InvalidInput, format!("{new}: {why}"))
            .hint("--new takes a git range, a folder, or a diff file")
    };
    let Ok(place) = formicary_files::Place::of(working_directory, Path::new(new)) else {
        return Ok(ChangeRequest::Git(new.to_owned()));
    };
    let Ok(facts) = place.root.facts(&place.path) else { return Ok(ChangeRequest::Git(new.to_owned())) };
    let is_path =
        Path::new(new).is_absolute() || [".", ".."].iter().any(|first| Path::new(new).starts_with(first));
    if !is_path && Repository::open(git, root).and_then(|repository| repository.ends(new)).is_ok() {
        return Err(wrong("git knows it as a revision, and there is a file of that name".into())
            .hint(format!("write ./{new} for the file, or refs/heads/{new} for a branch")));
    }
    if facts.kind == Kind::Directory {
        return Ok(ChangeRequest::Folder(working_directory.join(new)));
    }
    let text =
        place.root.read(&place.path, MOST_DIFF_BYTES).map_err(|error| wrong(error.reason.to_string()))?;
    Ok(ChangeRequest::Diff { name: new.to_owned(), text: String::from_utf8_lossy(&text).into_owned() })
}

/// The directory that holds everything that was named, and what was named.
pub fn common(working_directory: &Path, named: &[PathBuf]) -> Result<(PathBuf, Vec<PathBuf>), Failure> {
    let real_path = |path: &PathBuf| real(&working_directory.join(path), path);
    let mut paths = named.iter().map(real_path).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = paths.first() else {
        return Ok((real(working_directory, Path::new("."))?, Vec::new()));
    };
    let start = if first.is_dir() { first.as_path() } else { first.parent().unwrap_or(first) };
    let holds_all = |above: &&Path| paths.iter().all(|path| path.starts_with(above));
    let root = start.ancestors().find(holds_all).unwrap_or(start).to_owned();
    if paths == [root.clone()] {
        paths.clear();
    }
    Ok((root, paths))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::git::GitOutput;

    /// A repository with one branch, `main`.
    struct OneBranch;

    impl GitRunner for OneBranch {
        fn git(
            &self,
            _: &Path,
            _: &[PathBuf],
            arguments: &[String],
            _: Vec<u8>,
        ) -> Result<GitOutput, Failure> {
            let success = arguments.iter().any(|argument| argument == "main^{commit}");
            let stdout =
                if success { b"0123456789012345678901234567890123456789\n".to_vec() } else { Vec::new() };
            Ok(GitOutput { success, stdout, ..GitOutput::default() })
        }
    }

    #[test]
    fn a_file_does_not_take_the_place_of_a_branch_and_is_not_read_without_end() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let asked = |new: &str| change(new, &root, &root, &OneBranch);
        std::fs::create_dir_all(root.join(".git")).unwrap();
        assert_eq!(asked("main").unwrap(), ChangeRequest::Git("main".into()));
        std::fs::write(root.join("main"), "diff").unwrap();
        std::fs::write(root.join("own.diff"), "diff").unwrap();
        std::fs::create_dir(root.join("before")).unwrap();
        assert!(asked("main").unwrap_err().hint.unwrap().contains("./main"));
        for name in ["./main", "own.diff"] {
            let expected = ChangeRequest::Diff { name: name.into(), text: "diff".into() };
            assert_eq!(asked(name).unwrap(), expected);
        }
        assert_eq!(asked("before").unwrap(), ChangeRequest::Folder(root.join("before")));
        let pipe = root.join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        std::os::unix::fs::symlink("/dev/zero", root.join("zero")).unwrap();
        assert!(asked("pipe").unwrap_err().message.contains("not a regular file"));
        assert!(asked("zero").unwrap_err().message.contains("symbolic link"));
    }
}
