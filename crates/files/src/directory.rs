//! All source files of a directory, as the program of a request: regular files of its own, capped.

use crate::{FileError, Kind, Root};
use formicary_model::units::show_bytes;
use formicary_model::{Failure, FailureKind, SourceFile};
use std::path::{Path, PathBuf};

/// Directories that hold no source: made by tools, or their records.
const SKIPPED: [&str; 11] = [
    ".git",
    ".hg",
    ".svn",
    ".formicary",
    "target",
    "node_modules",
    "__pycache__",
    ".venv",
    "venv",
    ".mypy_cache",
    ".tox",
];
const MOST_FILES: usize = 10_000;
const DEEPEST: usize = 64;

/// The files of a directory.
#[derive(Debug)]
pub struct Directory {
    /// The files, by name.
    pub files: Vec<SourceFile>,
    /// What was left out, one line each.
    pub notes: Vec<String>,
}

/// All source files of a directory, `most` bytes together at most. Links are followed to files within it alone. `shown` is
/// what its reader calls it.
pub fn read_directory(directory: &Path, shown: &str, most: u64) -> Result<Directory, Failure> {
    let opened = directory
        .canonicalize()
        .map_err(|error| error.to_string())
        .and_then(|real| Root::open(&real).map_err(|error| error.reason.to_string()));
    let root = opened.map_err(|why| unreadable(shown, &why))?;
    let mut walk =
        Walk { root, shown, most, total: 0, found: Directory { files: Vec::new(), notes: Vec::new() } };
    walk.visit(Path::new(""), 0)?;
    if walk.found.files.is_empty() {
        return Err(invalid(
            format!("directory {shown} holds no files"),
            "give a directory with source files",
        ));
    }
    Ok(walk.found)
}

struct Walk<'a> {
    root: Root,
    shown: &'a str,
    most: u64,
    total: u64,
    found: Directory,
}

impl Walk<'_> {
    fn named(&self, relative: &Path) -> String {
        Path::new(self.shown).join(relative).display().to_string()
    }

    fn wrong(&self, relative: &Path, error: &FileError) -> Failure {
        unreadable(&self.named(relative), &error.reason.to_string())
    }

    fn visit(&mut self, relative: &Path, depth: usize) -> Result<(), Failure> {
        if depth > DEEPEST {
            let message = format!("directory {} is nested more than {DEEPEST} deep", self.named(relative));
            return Err(invalid(message, "give a directory nearer to the sources"));
        }
        let mut entries = self.root.entries(relative).map_err(|error| self.wrong(relative, &error))?;
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        for entry in entries {
            let path = relative.join(&entry.name);
            match entry.kind {
                Kind::Directory if SKIPPED.iter().any(|skipped| entry.name == *skipped) => {}
                Kind::Directory => self.visit(&path, depth + 1)?,
                Kind::File => self.add(&path, &path)?,
                Kind::Link => match self.target(&path) {
                    Some(target) => self.add(&path, &target)?,
                    None => self.leave_out(&path),
                },
                Kind::Other => self.leave_out(&path),
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, path: &Path) {
        let note = format!("{} is left out: not a file of the directory", self.named(path));
        self.found.notes.push(note);
    }

    /// The file within the directory to which a link leads.
    fn target(&self, link: &Path) -> Option<PathBuf> {
        let real = self.root.path().join(link).canonicalize().ok()?;
        let below = real.strip_prefix(self.root.path()).ok()?;
        self.root.is_file(below).then(|| below.to_owned())
    }

    fn add(&mut self, path: &Path, target: &Path) -> Result<(), Failure> {
        let name = path.to_str().ok_or_else(|| {
            let message = format!("file name {} is not UTF-8", self.named(path));
            invalid(message, "rename it, or leave it out")
        })?;
        if self.found.files.len() == MOST_FILES {
            let message = format!("directory {} holds more than {MOST_FILES} files", self.shown);
            return Err(invalid(message, "give a smaller directory, or mount it"));
        }
        let facts = self.root.facts(target).map_err(|error| self.wrong(path, &error))?;
        if facts.size > self.most - self.total {
            return Err(self.too_large(path));
        }
        let content = self.root.read(target, self.most - self.total);
        let content = content.map_err(|error| self.wrong(path, &error))?;
        self.total += content.len() as u64;
        let executable = facts.is_executable();
        self.found.files.push(SourceFile { path: name.to_owned(), content, executable });
        Ok(())
    }

    fn too_large(&self, path: &Path) -> Failure {
        let most = show_bytes(self.most as f64);
        let counted = format!("(counted up to {})", path.display());
        let message =
            format!("directory {} {counted} has more, at most {most} of code are accepted", self.shown);
        invalid(
            message,
            "make it smaller, mount large data, or raise the limit with --set max_project_bytes=SIZE",
        )
    }
}

fn invalid(message: impl Into<String>, hint: &str) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

fn unreadable(shown: &str, why: &str) -> Failure {
    invalid(format!("{shown} cannot be read: {why}"), "give something that you may read")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_directory_gives_its_own_files_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        for sub in ["src/deep", ".git", ".formicary", "node_modules/x", "__pycache__"] {
            std::fs::create_dir_all(root.join(sub)).unwrap();
        }
        for file in [
            "main.py",
            "src/deep/a.py",
            ".git/config",
            ".formicary/baseline.json",
            "node_modules/x/i.js",
            "__pycache__/m.pyc",
        ] {
            std::fs::write(root.join(file), "x").unwrap();
        }
        std::fs::write(folder.path().join("secret"), "s").unwrap();
        symlink("../secret", root.join("stolen")).unwrap();
        symlink("/etc/passwd", root.join("passwd")).unwrap();
        symlink("main.py", root.join("same.py")).unwrap();
        symlink("..", root.join("up")).unwrap();
        let pipe = root.join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        let found = read_directory(&root, "project", 1000).unwrap();
        let names: Vec<_> = found.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(names, ["main.py", "same.py", "src/deep/a.py"]);
        assert_eq!(found.notes.len(), 4, "{:?}", found.notes);
        assert!(found.notes[0].starts_with("project/passwd is left out"), "{:?}", found.notes);
    }

    #[test]
    fn sizes_are_capped() {
        let folder = tempfile::tempdir().unwrap();
        let failure = read_directory(folder.path(), "d", 10).unwrap_err();
        assert!(failure.message.contains("holds no files"), "{failure}");
        for name in ["a.py", "b.py"] {
            std::fs::write(folder.path().join(name), "x".repeat(60)).unwrap();
        }
        assert!(read_directory(folder.path(), "d", 120).is_ok());
        let failure = read_directory(folder.path(), "d", 119).unwrap_err();
        assert!(failure.message.contains("at most 119 bytes of code are accepted"), "{failure}");
        let failure = read_directory(&folder.path().join("none"), "none", 10).unwrap_err();
        assert!(failure.message.starts_with("none cannot be read"), "{failure}");
    }
}
