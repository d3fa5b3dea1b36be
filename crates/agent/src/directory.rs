//! A directory read into memory, and the result written back: nothing of the user's changes before that.

use crate::tree::{MOST_BYTES, MOST_FILES};
use crate::{Tree, invalid};
use formicary_files::{FileError, Kind, Root};
use formicary_model::{Failure, SourceFile};
use std::path::{Path, PathBuf};

/// Writes files below a directory, which is made where it is not there.
pub type WriteFiles<'a> = dyn Fn(&Path, &[SourceFile]) -> Result<(), Failure> + 'a;

/// Directories that hold what others made.
const LEFT_OUT: [&str; 10] =
    [".git", ".hg", ".svn", "node_modules", "target", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache"];
const MOST_OF_ONE: u64 = 4 << 20;

/// The real path of a directory.
pub fn real(path: &Path) -> Result<PathBuf, Failure> {
    let wrong = |why: String| invalid(format!("{}: {why}", path.display()), "name a directory that exists");
    let real = path.canonicalize().map_err(|error| wrong(error.to_string()))?;
    if real.is_dir() { Ok(real) } else { Err(wrong("not a directory".into())) }
}

/// Reads a directory. Links are left out: they could lead anywhere.
pub fn read(path: &Path) -> Result<Tree, Failure> {
    let real = real(path)?;
    let failed = |error: FileError| invalid(error.to_string(), "name a directory that you may read");
    let root = Root::open(&real).map_err(failed)?;
    let mut tree = Tree::default();
    let mut directories = vec![PathBuf::new()];
    while let Some(directory) = directories.pop() {
        for entry in root.entries(&directory).map_err(failed)? {
            let path = directory.join(&entry.name);
            match entry.kind {
                Kind::Directory if !LEFT_OUT.iter().any(|left_out| entry.name == *left_out) => {
                    directories.push(path);
                }
                Kind::File => {
                    let facts = root.facts(&path).map_err(failed)?;
                    let Some(inner) = path.to_str().filter(|_| facts.size <= MOST_OF_ONE) else { continue };
                    let bytes = root.read(&path, MOST_OF_ONE).map_err(failed)?;
                    tree.put(inner, bytes, facts.mode & 0o111 != 0);
                }
                Kind::Directory | Kind::Link | Kind::Other => {}
            }
            if tree.len() > MOST_FILES || tree.size() > MOST_BYTES {
                let message =
                    format!("{}: more than {MOST_FILES} files or {} MiB", real.display(), MOST_BYTES >> 20);
                return Err(invalid(message, "name the directory of the program alone"));
            }
        }
    }
    Ok(tree)
}

/// Files that came along, their paths checked.
pub fn of_files(files: Vec<SourceFile>) -> Result<Tree, Failure> {
    let mut tree = Tree::default();
    for file in files {
        tree.put(&file.path, file.content, file.executable);
    }
    if tree.len() > MOST_FILES || tree.size() > MOST_BYTES {
        let message = format!("more than {MOST_FILES} files or {} MiB", MOST_BYTES >> 20);
        return Err(invalid(message, "send the files of the program alone"));
    }
    Ok(tree)
}

/// Writes what differs from the start. Gives the paths.
pub fn apply(
    directory: &Path,
    base: &Tree,
    files: &Tree,
    write_files: &WriteFiles<'_>,
) -> Result<Vec<String>, Failure> {
    let changed: Vec<String> = files.changed_since(base).into_iter().map(str::to_owned).collect();
    let root = Root::open(directory)
        .map_err(|error| invalid(error.to_string(), "take the change from the diff, or run it anew"))?;
    // What is already as it shall be is no obstacle: who was cut in the middle may do it once more.
    let stale = |path: &&String| {
        let now = root.read(Path::new(path.as_str()), MOST_OF_ONE).ok();
        now.as_deref() != base.bytes(path) && now.as_deref() != files.bytes(path)
    };
    if let Some(path) = changed.iter().find(stale) {
        let message = format!("{path} is not as it was when the run began: nothing was written");
        return Err(invalid(message, "take the change from the diff, or run it anew"));
    }
    let mut new = files.source_files();
    new.retain(|file| changed.contains(&file.path));
    write_files(directory, &new)?;
    for path in changed.iter().filter(|path| !files.contains(path)) {
        match root.remove(Path::new(path)) {
            Err(error) if !error.is_missing() => {
                let message = format!("{path} cannot be removed: {}", error.reason);
                return Err(invalid(message, "remove it by hand; the other files are written"));
            }
            _ => {}
        }
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
        let write = |root: &Path, files: &[SourceFile]| {
            for file in files {
                std::fs::create_dir_all(root.join(&file.path).parent().unwrap()).unwrap();
                std::fs::write(root.join(&file.path), &file.content).unwrap();
            }
            Ok(())
        };
        let apply = |base: &Tree, next: &Tree| apply(root, base, next, &write);
        let base = read(root).unwrap();
        assert_eq!(base.paths().collect::<Vec<_>>(), ["b.txt", "src/a.py"]);
        let mut next = base.clone();
        next.write("src/a.py", "3\n");
        next.write("new/c.py", "4\n");
        next.remove("b.txt");
        assert_eq!(apply(&base, &next).unwrap(), ["b.txt", "new/c.py", "src/a.py"]);
        assert_eq!(read(root).unwrap(), next);
        assert_eq!(apply(&base, &next).unwrap().len(), 3, "once more is the same");
        std::fs::write(root.join("src/a.py"), "meanwhile\n").unwrap();
        let mut third = next.clone();
        third.write("src/a.py", "5\n");
        assert!(apply(&next, &third).unwrap_err().message.contains("src/a.py is not as it was"));
        assert!(read(&root.join("missing")).is_err() && read(&root.join("src/a.py")).is_err());
    }
}
