//! A project on the host: which files it has, what tells its framework, what is carried and what is shown.

use crate::project::{LEFT_OUT, Project};
use formicary_files::{FileError, Kind, Root, directories_above};
use formicary_model::{Failure, FailureKind, SourceFile};
use std::path::{Path, PathBuf};

const MOST_FILES: usize = 20_000;
/// Files whose texts are read to tell what a project is.
const MOST_READ: u64 = 256 << 10;
/// A file that is larger is not carried, and so neither is its project.
const MOST_CARRIED_BYTES: u64 = 1 << 30;
/// Files that requests may carry; more are shown.
const MOST_CARRIED: usize = 2_000;

fn invalid(message: String, hint: &str) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

/// The project that a file or a directory stands for, its directory, and the file of tests that is named, if one is. `target`
/// is a real path; `most` bytes are carried at most, of a larger project the directory is shown.
pub fn read(working: &Path, target: &Path, most: u64) -> Result<(Project, PathBuf, Option<String>), Failure> {
    if target.is_dir() {
        return Ok((directory(target, most)?, target.to_owned(), None));
    }
    let root = root_of(target, working);
    let name = target.strip_prefix(&root).unwrap_or(target).to_string_lossy().into_owned();
    Ok((directory(&root, most)?, root, Some(name)))
}

/// The nearest directory above a file that has a manifest, not above the working directory; else the file's own.
fn root_of(file: &Path, working: &Path) -> PathBuf {
    const MANIFESTS: [&str; 8] = [
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "package.json",
        "go.mod",
        "Cargo.toml",
        "CMakeLists.txt",
        "pom.xml",
    ];
    let own = file.parent().unwrap_or(Path::new("/")).to_owned();
    let working = working.canonicalize().unwrap_or_else(|_| working.to_owned());
    if own.starts_with(&working) {
        return working;
    }
    let holds = |above: &&Path| MANIFESTS.iter().any(|name| above.join(name).is_file());
    directories_above(&own).take(4).find(holds).map_or(own.clone(), Path::to_owned)
}

fn directory(root: &Path, most: u64) -> Result<Project, Failure> {
    let mut project = Project::default();
    let unreadable = |error: FileError| invalid(error.to_string(), "name a directory that you may read");
    let files = Root::open(root).map_err(unreadable)?;
    let (mut directories, mut bytes, mut links) = (vec![PathBuf::new()], 0_u64, false);
    while let Some(directory) = directories.pop() {
        for entry in files.entries(&directory).map_err(unreadable)? {
            let name = entry.name.to_string_lossy().into_owned();
            if LEFT_OUT.contains(&name.as_str()) {
                continue;
            }
            links |= entry.kind == Kind::Link;
            let path = directory.join(&entry.name);
            if entry.kind == Kind::Directory {
                directories.push(path);
            } else if entry.kind == Kind::File {
                let relative = path.to_string_lossy().into_owned();
                let size = files.facts(&path).map_or(0, |facts| facts.size);
                bytes += size;
                project.paths.push(relative.clone());
                if size <= MOST_READ
                    && let Ok(text) = files.read_to_string(&path, MOST_READ)
                {
                    project.texts.insert(relative, text);
                }
            }
        }
        if project.paths.len() > MOST_FILES {
            return Err(invalid(
                format!("{} holds more than {MOST_FILES} files", root.display()),
                "name the directory of the project alone",
            ));
        }
    }
    project.paths.sort();
    if project.paths.is_empty() {
        return Err(invalid(
            format!("{} is empty", root.display()),
            "name a directory with a program and its tests",
        ));
    }
    let carried = (!links && bytes <= most / 10 * 9 && project.paths.len() <= MOST_CARRIED)
        .then(|| carry(&files, &project.paths))
        .flatten();
    match carried {
        Some(files) => project.files = files,
        None => project.shown = Some(root.display().to_string()),
    }
    Ok(project)
}

fn carry(files: &Root, paths: &[String]) -> Option<Vec<SourceFile>> {
    let file = |path: &String| {
        let (name, most) = (Path::new(path), MOST_CARRIED_BYTES);
        let executable = files.facts(name).ok()?.is_executable();
        Some(SourceFile { path: path.clone(), content: files.read(name, most).ok()?, executable })
    };
    // A name that differs from another only in case, or that requests refuse, is no trouble where the directory is shown.
    let plain = paths.iter().all(|path| !path.chars().any(char::is_control) && path.len() < 1000);
    let mut lower: Vec<String> = paths.iter().map(|path| path.to_lowercase()).collect();
    lower.sort();
    lower.dedup();
    (plain && lower.len() == paths.len()).then(|| paths.iter().map(file).collect()).flatten()
}
