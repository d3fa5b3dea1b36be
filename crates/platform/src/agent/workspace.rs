//! A folder read into memory, and the result written back: nothing of the user's changes before that.

use super::invalid;
use crate::artifacts::OutputFolder;
use formicary_agent::Tree;
use formicary_agent::tree::{MOST_BYTES, MOST_FILES};
use formicary_model::{Artifact, Failure, SourceFile};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// Folders that hold what others made.
const LEFT_OUT: [&str; 10] =
    [".git", ".hg", ".svn", "node_modules", "target", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache"];
const MOST_OF_ONE: u64 = 4 << 20;

/// The real path of a folder.
pub(super) fn real(path: &Path) -> Result<PathBuf, Failure> {
    let wrong = |why: String| invalid(format!("{}: {why}", path.display()), "name a folder that exists");
    let real = path.canonicalize().map_err(|error| wrong(error.to_string()))?;
    if real.is_dir() { Ok(real) } else { Err(wrong("not a folder".into())) }
}

/// Reads a folder. Links are left out: they could lead anywhere.
pub(super) fn read(path: &Path) -> Result<Tree, Failure> {
    let root = real(path)?;
    let failed = |path: &Path, error: std::io::Error| {
        invalid(format!("{}: {error}", path.display()), "name a folder that you may read")
    };
    let mut tree = Tree::default();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|error| failed(&folder, error))? {
            let entry = entry.map_err(|error| failed(&folder, error))?;
            let (path, name) = (entry.path(), entry.file_name());
            let kind = entry.file_type().map_err(|error| failed(&path, error))?;
            if kind.is_dir() && !LEFT_OUT.iter().any(|left_out| name == *left_out) {
                folders.push(path);
            } else if kind.is_file() {
                let metadata = entry.metadata().map_err(|error| failed(&path, error))?;
                let inner = path.strip_prefix(&root).ok().and_then(Path::to_str);
                let Some(inner) = inner.filter(|_| metadata.len() <= MOST_OF_ONE) else { continue };
                let bytes = std::fs::read(&path).map_err(|error| failed(&path, error))?;
                tree.put(inner, bytes, metadata.permissions().mode() & 0o111 != 0);
            }
            if tree.len() > MOST_FILES || tree.size() > MOST_BYTES {
                let message =
                    format!("{}: more than {MOST_FILES} files or {} MiB", root.display(), MOST_BYTES >> 20);
                return Err(invalid(message, "name the folder of the program alone"));
            }
        }
    }
    Ok(tree)
}

fn artifact(file: SourceFile) -> Artifact {
    let SourceFile { path, content, executable } = file;
    Artifact { path, size: content.len() as u64, executable, content }
}

/// Writes every file below a folder, which is made where it is not there.
pub(super) fn write_all(folder: &Path, files: &Tree) -> Result<(), Failure> {
    let artifacts: Vec<Artifact> = files.source_files().into_iter().map(artifact).collect();
    OutputFolder::open(folder)?.write(&artifacts)
}

/// Writes what differs from the start. Gives the paths.
pub(super) fn apply(folder: &Path, base: &Tree, files: &Tree) -> Result<Vec<String>, Failure> {
    let changed: Vec<String> = files.changed_since(base).into_iter().map(str::to_owned).collect();
    // What is already as it shall be is no obstacle: who was cut in the middle may do it once more.
    let stale = |path: &&String| {
        let now = std::fs::read(folder.join(path.as_str())).ok();
        now.as_deref() != base.bytes(path) && now.as_deref() != files.bytes(path)
    };
    if let Some(path) = changed.iter().find(stale) {
        let message = format!("{path} is not as it was when the run began: nothing was written");
        return Err(invalid(message, "take the change from the diff, or run it anew"));
    }
    let mut new = files.source_files();
    new.retain(|file| changed.contains(&file.path));
    let artifacts: Vec<Artifact> = new.into_iter().map(artifact).collect();
    OutputFolder::open(folder)?.write(&artifacts)?;
    for path in changed.iter().filter(|path| !files.contains(path) && folder.join(path).exists()) {
        std::fs::remove_file(folder.join(path)).map_err(|error| {
            invalid(
                format!("{path} cannot be removed: {error}"),
                "remove it by hand; the other files are written",
            )
        })?;
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_read_and_changed_with_care() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("src")).unwrap();
        std::fs::create_dir_all(root.join(".git")).unwrap();
        for (path, text) in [("src/a.py", "1\n"), ("b.txt", "2\n"), (".git/config", "secret")] {
            std::fs::write(root.join(path), text).unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", root.join("link")).unwrap();
        let base = read(root).unwrap();
        assert_eq!(base.paths().collect::<Vec<_>>(), ["b.txt", "src/a.py"]);
        let mut next = base.clone();
        next.write("src/a.py", "3\n");
        next.write("new/c.py", "4\n");
        next.remove("b.txt");
        assert_eq!(apply(root, &base, &next).unwrap(), ["b.txt", "new/c.py", "src/a.py"]);
        assert_eq!(read(root).unwrap(), next);
        assert_eq!(apply(root, &base, &next).unwrap().len(), 3, "once more is the same");
        std::fs::write(root.join("src/a.py"), "meanwhile\n").unwrap();
        let mut third = next.clone();
        third.write("src/a.py", "5\n");
        assert!(apply(root, &next, &third).unwrap_err().message.contains("src/a.py is not as it was"));
        assert!(read(&root.join("missing")).is_err() && read(&root.join("src/a.py")).is_err());
    }
}
