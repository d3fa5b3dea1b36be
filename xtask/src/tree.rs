//! The repository as the chores see it: relative paths and their text, read once.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold nothing of ours.
const NOT_OURS: [&str; 5] = ["target", "node_modules", ".git", "__pycache__", ".venv"];

/// Larger files are data, not text that people keep tidy.
const LARGEST_TEXT: u64 = 4 * 1024 * 1024;

/// One file of the repository.
#[derive(Debug, Clone)]
pub struct File {
    /// Path relative to the root, with `/` between its parts.
    pub path: String,
    /// Its text; empty for files that are not UTF-8.
    pub text: String,
}

impl File {
    /// Whether it is Rust source.
    pub fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether it is Markdown.
    pub fn is_markdown(&self) -> bool {
        self.path.ends_with(".md")
    }

    /// Whether it is a Cargo manifest.
    pub fn is_manifest(&self) -> bool {
        self.name() == "Cargo.toml"
    }

    /// The last part of its path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Whether it is only compiled for tests: integration tests, benches, the testkit, the suites under `tests/`.
    pub fn is_test_code(&self) -> bool {
        self.path.starts_with("tests/")
            || self.path.starts_with("crates/testkit/")
            || self.path.split('/').any(|part| part == "tests" || part == "benches")
            || self.name() == "tests.rs"
    }

    /// Whether it is a program that tests hand to Formicary, rather than code of ours.
    pub fn is_fixture(&self) -> bool {
        self.path.split('/').any(|part| matches!(part, "fixtures" | "programs" | "attacks" | "samples"))
    }
}

/// All files of the repository.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// Sorted by path.
    pub files: Vec<File>,
}

impl Tree {
    /// Where the repository is: the folder above this package.
    pub fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
    }

    /// Reads the whole repository.
    pub fn read(root: &Path) -> Result<Self, String> {
        let mut files = Vec::new();
        let mut folders = vec![root.to_path_buf()];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            for entry in entries {
                let entry = entry.map_err(|error| format!("{}: {error}", folder.display()))?;
                let kind =
                    entry.file_type().map_err(|error| format!("{}: {error}", entry.path().display()))?;
                let name = entry.file_name();
                if kind.is_dir() {
                    if !NOT_OURS.iter().any(|skipped| name == *skipped) {
                        folders.push(entry.path());
                    }
                } else if kind.is_file() {
                    // Files may vanish while editors and builds are at work; what is gone needs no tidying.
                    let Ok(file) = read_file(root, &entry.path()) else { continue };
                    files.push(file);
                }
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self { files })
    }

    /// A tree of made-up files, for the rules' own tests.
    #[cfg(test)]
    pub fn of(files: &[(&str, &str)]) -> Self {
        let mut files: Vec<File> =
            files.iter().map(|(path, text)| File { path: (*path).into(), text: (*text).into() }).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self { files }
    }

    /// The file at this path.
    pub fn get(&self, path: &str) -> Option<&File> {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(|index| &self.files[index])
    }

    /// Whether a file or a folder is at this path.
    pub fn holds(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let folder = format!("{path}/");
        path.is_empty()
            || self.get(path).is_some()
            || self.files.iter().any(|file| file.path.starts_with(&folder))
    }

    /// Our own Rust source, without the programs that tests run.
    pub fn rust(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.is_rust() && !file.is_fixture())
    }
}

fn read_file(root: &Path, path: &Path) -> std::io::Result<File> {
    let relative = path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
    let large = fs::metadata(path)?.len() > LARGEST_TEXT;
    let text = if large { String::new() } else { String::from_utf8(fs::read(path)?).unwrap_or_default() };
    Ok(File { path: relative, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_files_are_found() {
        let tree = Tree::of(&[("docs/a.md", ""), ("README.md", "")]);
        for path in ["docs", "docs/", "docs/a.md", "README.md", ""] {
            assert!(tree.holds(path), "{path}");
        }
        for path in ["doc", "docs/a", "a.md"] {
            assert!(!tree.holds(path), "{path}");
        }
    }
}
