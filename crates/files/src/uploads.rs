//! Files that come with a request: checked, written into a private folder, gone when dropped.
//!
//! Whoever calls from elsewhere has no folder on this host. What an engine reads of a project is therefore what came along,
//! and nothing above it: the folder is marked as a project of its own, so that nobody looks further up.

use formicary_model::{Failure, FailureKind, SourceFile};
use std::collections::BTreeSet;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Files that say that a project begins here.
const MARKS: [&str; 2] = ["formicary.toml", "pyproject.toml"];
/// Bytes of a path, and folders in it.
const LONGEST_PATH: usize = 1_024;
const DEEPEST_PATH: usize = 32;
const LONGEST_NAME: usize = 255;

/// How much may come along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UploadLimits {
    /// Files.
    pub files: usize,
    /// Bytes of one of them.
    pub file_bytes: usize,
    /// Bytes of all together.
    pub bytes: usize,
}

impl Default for UploadLimits {
    fn default() -> Self {
        Self { files: 5_000, file_bytes: 8 << 20, bytes: 64 << 20 }
    }
}

/// The files of one request in a folder of their own. Dropping it removes them.
#[derive(Debug)]
pub struct Uploads {
    // Held for its end.
    _place: TempDir,
    folder: PathBuf,
    paths: Vec<String>,
}

impl Uploads {
    /// Checks the files and writes them.
    pub fn write(files: &[SourceFile], limits: UploadLimits) -> Result<Self, Failure> {
        let mut uploads = Self::empty()?;
        uploads.add("", files, limits)?;
        let marked = uploads.paths.iter().any(|path| MARKS.contains(&path.as_str()));
        if !marked {
            write_file(&uploads.folder.join(MARKS[0]), b"").map_err(|error| unwritable(&error))?;
        }
        Ok(uploads)
    }

    /// Two versions of a project, in the folders `before` and `after`.
    pub fn write_versions(
        before: &[SourceFile],
        after: &[SourceFile],
        limits: UploadLimits,
    ) -> Result<Self, Failure> {
        let mut uploads = Self::empty()?;
        write_file(&uploads.folder.join(MARKS[0]), b"").map_err(|error| unwritable(&error))?;
        for (name, files) in [("before", before), ("after", after)] {
            DirBuilder::new()
                .mode(0o700)
                .create(uploads.folder.join(name))
                .map_err(|error| unwritable(&error))?;
            uploads.add(name, files, limits)?;
        }
        Ok(uploads)
    }

    /// The folder that holds them.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The paths of the files, relative to the folder, as they came.
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// What a file holds now, where it is still a file: an engine may have changed it.
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        let known = self.paths.iter().any(|own| own == path);
        let full = self.folder.join(path);
        let plain = known && full.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
        if plain { std::fs::read(full).ok() } else { None }
    }

    /// A failure of an engine that worked on the files, as who sent them may see it: without the directory's name, and a
    /// settings file among them that is wrong is an error in the request, not in this host's configuration.
    #[must_use]
    pub fn explain(&self, failure: Failure) -> Failure {
        let folder = self.folder.to_string_lossy();
        let about_files = [Some(&failure.message), failure.hint.as_ref()]
            .into_iter()
            .flatten()
            .any(|text| text.contains(&*folder));
        let plain = |text: String| text.replace(&format!("{folder}/"), "").replace(&*folder, "the files");
        let kind = match failure.kind {
            FailureKind::InvalidConfiguration if about_files => FailureKind::InvalidInput,
            kind => kind,
        };
        Failure { kind, message: plain(failure.message), hint: failure.hint.map(plain), ..failure }
    }

    fn empty() -> Result<Self, Failure> {
        let place =
            tempfile::Builder::new().prefix("formicary-").tempdir().map_err(|error| unwritable(&error))?;
        let real = place.path().canonicalize().map_err(|error| unwritable(&error))?;
        let folder = real.join("project");
        DirBuilder::new().mode(0o700).create(&folder).map_err(|error| unwritable(&error))?;
        Ok(Self { _place: place, folder, paths: Vec::new() })
    }

    fn add(&mut self, below: &str, files: &[SourceFile], limits: UploadLimits) -> Result<(), Failure> {
        if files.len() > limits.files {
            let message = format!("{} files came along, at most {} may", files.len(), limits.files);
            return Err(Failure::new(FailureKind::InvalidInput, message).hint("send fewer files"));
        }
        let (mut seen, mut sum) = (BTreeSet::new(), 0_usize);
        for file in files {
            let path = checked_path(&file.path)?;
            if !seen.insert(path.clone()) {
                return Err(refuse(&file.path, "it comes twice"));
            }
            let bytes = &file.content;
            if bytes.len() > limits.file_bytes {
                let why = format!("it has {} bytes, at most {} may be", bytes.len(), limits.file_bytes);
                return Err(refuse(&file.path, &why));
            }
            sum = sum.saturating_add(bytes.len());
            if sum > limits.bytes {
                let message = format!("the files have more than {} bytes together", limits.bytes);
                return Err(
                    Failure::new(FailureKind::InvalidInput, message).hint("send fewer or smaller ones")
                );
            }
            if let Some((mark, _)) = path.split_once('/').filter(|(name, _)| MARKS.contains(name)) {
                let why = format!("{mark} holds a project's settings and cannot be a directory");
                return Err(refuse(&file.path, &why));
            }
            let relative = if below.is_empty() { path } else { format!("{below}/{path}") };
            let full = self.folder.join(&relative);
            let written = folder_of(&full).and_then(|()| write_file(&full, bytes));
            written.map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory => {
                    refuse(&file.path, "another file stands in its way")
                }
                _ => unwritable(&error),
            })?;
            self.paths.push(relative);
        }
        Ok(())
    }
}

/// The path in its plain form; one that leaves the folder, or that means something to git, is refused.
pub fn checked_path(path: &str) -> Result<String, Failure> {
    if path.len() > LONGEST_PATH {
        return Err(refuse(&path.chars().take(80).collect::<String>(), "the path is too long"));
    }
    if path.chars().any(char::is_control) {
        return Err(refuse(&path.escape_debug().to_string(), "the path holds control characters"));
    }
    if path.starts_with('/') || path.contains('\\') {
        return Err(refuse(path, "the path is not relative"));
    }
    let mut names = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => return Err(refuse(path, "the path leaves the folder")),
            name if name.eq_ignore_ascii_case(".git") => {
                return Err(refuse(path, "a repository's own files are not taken"));
            }
            name if name.len() > LONGEST_NAME => return Err(refuse(path, "a name in it is too long")),
            name => names.push(name),
        }
    }
    if names.is_empty() || path.ends_with('/') {
        return Err(refuse(path, "the path names no file"));
    }
    if names.len() > DEEPEST_PATH {
        return Err(refuse(path, "the path is too deep"));
    }
    Ok(names.join("/"))
}

/// The files with their paths in plain form.
pub fn checked_files(files: &[SourceFile]) -> Result<Vec<SourceFile>, Failure> {
    let checked = |file: &SourceFile| Ok(SourceFile { path: checked_path(&file.path)?, ..file.clone() });
    files.iter().map(checked).collect()
}

fn folder_of(path: &Path) -> io::Result<()> {
    let Some(folder) = path.parent() else { return Ok(()) };
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file: File = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)
}

fn refuse(path: &str, why: &str) -> Failure {
    Failure::new(FailureKind::InvalidInput, format!("file {path:?}: {why}"))
        .hint("send each file once, with a relative path and either content or base64")
}

fn unwritable(error: &io::Error) -> Failure {
    Failure::new(FailureKind::Internal, format!("the files of the request cannot be written: {error}"))
        .hint("the folder for temporary files must have room")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_and_gone_at_the_end() {
        let binary = SourceFile::new("./data//x.bin", [0xff, 0x00]);
        let files = [SourceFile::new("src/main.py", "print(1)\n"), binary];
        let uploads = Uploads::write(&files, UploadLimits::default()).unwrap();
        let folder = uploads.folder().to_owned();
        assert_eq!(std::fs::read_to_string(folder.join("src/main.py")).unwrap(), "print(1)\n");
        assert_eq!(std::fs::read(folder.join("data/x.bin")).unwrap(), [0xff, 0]);
        assert_eq!(uploads.paths(), ["src/main.py", "data/x.bin"]);
        assert!(folder.join("formicary.toml").exists(), "a project of its own");
        assert_eq!(uploads.read("src/main.py").unwrap(), b"print(1)\n");
        assert!(uploads.read("formicary.toml").is_none() && uploads.read("../x").is_none());
        drop(uploads);
        assert!(!folder.exists() && !folder.parent().unwrap().exists());
    }

    #[test]
    fn settings_that_came_along_are_kept() {
        let files = [SourceFile::new("pyproject.toml", "[project]\n")];
        let uploads = Uploads::write(&files, UploadLimits::default()).unwrap();
        assert!(!uploads.folder().join("formicary.toml").exists());
    }

    #[test]
    fn bad_paths_and_contents_are_refused_by_name() {
        let text = |path: &str| vec![SourceFile::new(path, "x")];
        let cases = [
            (text("/etc/passwd"), "not relative"),
            (text("../x"), "leaves the folder"),
            (text("a/../../x"), "leaves the folder"),
            (text("a\\b"), "not relative"),
            (text("a\0b"), "control characters"),
            (text(""), "names no file"),
            (text("a/"), "names no file"),
            (text("./."), "names no file"),
            (text(".git/config"), "repository's own"),
            (text(&"a/".repeat(40)), "names no file"),
            (text(&format!("{}x", "a/".repeat(40))), "too deep"),
            (text(&"x".repeat(2_000)), "too long"),
            (text(&"x".repeat(300)), "too long"),
            ([text("a"), text("./a")].concat(), "twice"),
            ([text("a"), text("a/b")].concat(), "in its way"),
            ([text("a/b"), text("a")].concat(), "in its way"),
            (text("formicary.toml/x"), "cannot be a directory"),
            (text("./pyproject.toml//a/b"), "cannot be a directory"),
        ];
        for (files, expected) in cases {
            let failure = Uploads::write(&files, UploadLimits::default()).unwrap_err();
            assert_eq!(failure.kind, FailureKind::InvalidInput);
            assert!(failure.message.contains(expected), "{expected}: {}", failure.message);
        }
    }

    #[test]
    fn failures_name_files_and_not_where_they_lie() {
        let uploads =
            Uploads::write(&[SourceFile::new("formicary.toml", "x = [")], UploadLimits::default()).unwrap();
        let folder = uploads.folder().display().to_string();
        let wrong =
            Failure::new(FailureKind::InvalidConfiguration, format!("{folder}/formicary.toml:1:6: bad"));
        let explained = uploads.explain(wrong);
        let expected = Failure::new(FailureKind::InvalidInput, "formicary.toml:1:6: bad");
        assert_eq!(explained, expected);
        let of_host = Failure::new(FailureKind::InvalidConfiguration, "/etc/formicary.toml:1:6: bad");
        assert_eq!(uploads.explain(of_host.clone()), of_host);
        let hinted = Failure::new(FailureKind::Internal, "bad").hint(format!("look at {folder}"));
        assert_eq!(uploads.explain(hinted).hint.as_deref(), Some("look at the files"));
    }

    #[test]
    fn sizes_are_capped() {
        let limits = UploadLimits { files: 2, file_bytes: 4, bytes: 6 };
        let file = |path: &str, size: usize| SourceFile::new(path, "x".repeat(size));
        for (files, expected) in [
            (vec![file("a", 1), file("b", 1), file("c", 1)], "3 files"),
            (vec![file("a", 5)], "5 bytes"),
            (vec![file("a", 4), file("b", 4)], "together"),
        ] {
            let failure = Uploads::write(&files, limits).unwrap_err();
            assert!(failure.message.contains(expected), "{}", failure.message);
        }
        assert!(Uploads::write(&[file("a", 3), file("b", 3)], limits).is_ok());
    }

    #[test]
    fn two_versions_stand_apart() {
        let (old, new) = ([SourceFile::new("a.py", "1")], [SourceFile::new("a.py", "2")]);
        let uploads = Uploads::write_versions(&old, &new, UploadLimits::default()).unwrap();
        assert_eq!(uploads.read("before/a.py").unwrap(), b"1");
        assert_eq!(uploads.read("after/a.py").unwrap(), b"2");
    }
}
