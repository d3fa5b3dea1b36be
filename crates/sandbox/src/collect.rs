//! Bringing produced files back, when every process that could interfere is dead.
//!
//! Only ordinary files beneath the working folder are read; no link of any kind is followed; depth, number and bytes
//! are bounded. A name or size that the program chose can make us leave a file out, never read another.

use crate::job::Collected;
use crate::sys::folder::{self, Kind};
use formicary_model::{CollectRequest, SkippedArtifact};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// Folders within folders at the most.
const MAX_DEPTH: usize = 64;
/// Names looked at, at the most.
const MAX_NAMES: usize = 200_000;
/// Left-out files that are listed; more are counted in one line.
const MAX_SKIPPED: usize = 100;

/// A glob that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("collect pattern {pattern:?} is not a glob: {why}")]
pub struct BadPattern {
    pattern: String,
    why: String,
}

/// Compiles the patterns of a request.
pub fn patterns(request: &CollectRequest) -> Result<GlobSet, BadPattern> {
    let bad = |pattern: &str, why: String| BadPattern { pattern: pattern.to_string(), why };
    let mut set = GlobSetBuilder::new();
    for pattern in &request.globs {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        set.add(glob.map_err(|error| bad(pattern, error.kind().to_string()))?);
    }
    set.build().map_err(|error| bad(&request.globs.join(", "), error.to_string()))
}

/// What was brought back and what was left.
#[derive(Debug, Default)]
pub struct Collection {
    /// Brought back.
    pub files: Vec<Collected>,
    /// Matched, and left.
    pub skipped: Vec<SkippedArtifact>,
}

/// Reads the files beneath `root` that match.
pub fn collect(root: &OwnedFd, request: &CollectRequest, patterns: &GlobSet) -> Collection {
    let mut walk = Walk {
        request,
        patterns,
        names_left: MAX_NAMES,
        bytes_left: request.max_bytes,
        found: Collection::default(),
        unlisted: 0,
    };
    if !request.globs.is_empty() {
        walk.folder(root, Path::new(""), 0);
    }
    if walk.unlisted > 0 {
        let why = format!("{} more were left out", walk.unlisted);
        walk.found.skipped.push(SkippedArtifact { path: "…".into(), why });
    }
    walk.found
}

/// Whether a name was not opened because the caller has mounted something there. A program can mount nothing: it is not
/// what the program made, and was not asked for.
fn is_a_mount(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::CrossesDevices
}

struct Walk<'a> {
    request: &'a CollectRequest,
    patterns: &'a GlobSet,
    names_left: usize,
    bytes_left: u64,
    found: Collection,
    unlisted: usize,
}

impl Walk<'_> {
    fn folder(&mut self, handle: &OwnedFd, path: &Path, depth: usize) {
        let mut names = match folder::names(handle) {
            Ok(names) => names,
            Err(error) => return self.skip(path, &error.to_string()),
        };
        names.sort();
        for name in names {
            if self.names_left == 0 {
                return self.skip(path, "too many names in the working folder");
            }
            self.names_left -= 1;
            let inner = path.join(&name);
            match folder::facts(handle, &name) {
                Ok(facts) if facts.kind == Kind::Folder => {
                    if depth == MAX_DEPTH {
                        self.skip(&inner, "folders are nested too deeply");
                        continue;
                    }
                    match folder::open_folder(handle, &name) {
                        Ok(below) => self.folder(&below, &inner, depth + 1),
                        Err(error) if is_a_mount(&error) => {}
                        Err(error) => self.skip(&inner, &error.to_string()),
                    }
                }
                Ok(facts) if self.patterns.is_match(&inner) => self.file(handle, &name, inner, facts),
                Ok(_) => {}
                Err(error) => self.skip(&inner, &error.to_string()),
            }
        }
    }

    fn file(&mut self, handle: &OwnedFd, name: &std::ffi::OsStr, path: PathBuf, facts: folder::Facts) {
        if facts.kind != Kind::File {
            return self.skip(&path, "not an ordinary file");
        }
        if self.found.files.len() as u64 >= self.request.max_files {
            return self.skip(&path, &format!("more than {} files", self.request.max_files));
        }
        if facts.size > self.bytes_left {
            return self.skip(&path, &format!("{} bytes exceed what may be brought back", facts.size));
        }
        match self.read(handle, name) {
            Ok(content) => {
                self.bytes_left -= content.len() as u64;
                let path = path.to_string_lossy().into_owned();
                self.found.files.push(Collected { path, content, executable: facts.executable });
            }
            Err(error) if is_a_mount(&error) => {}
            Err(error) => self.skip(&path, &error.to_string()),
        }
    }

    fn read(&self, handle: &OwnedFd, name: &std::ffi::OsStr) -> std::io::Result<Vec<u8>> {
        let file = folder::open_file(handle, name)?;
        if !file.metadata()?.is_file() {
            return Err(std::io::Error::other("not an ordinary file"));
        }
        let mut content = Vec::new();
        file.take(self.bytes_left).read_to_end(&mut content)?;
        Ok(content)
    }

    fn skip(&mut self, path: &Path, why: &str) {
        if self.found.skipped.len() >= MAX_SKIPPED {
            self.unlisted += 1;
            return;
        }
        self.found
            .skipped
            .push(SkippedArtifact { path: path.to_string_lossy().into_owned(), why: why.into() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn collected(folder: &Path, globs: &[&str], max_files: u64, max_bytes: u64) -> Collection {
        let request =
            CollectRequest { globs: globs.iter().map(ToString::to_string).collect(), max_files, max_bytes };
        let root = OwnedFd::from(fs::File::open(folder).unwrap());
        collect(&root, &request, &patterns(&request).unwrap())
    }

    fn paths(collection: &Collection) -> Vec<&str> {
        collection.files.iter().map(|file| file.path.as_str()).collect()
    }

    #[test]
    fn only_ordinary_files_within_bounds_come_back() {
        let folder = std::env::temp_dir().join(format!("formicary-collect-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("deep/er")).unwrap();
        fs::write(folder.join("a.txt"), "a").unwrap();
        fs::write(folder.join("deep/er/b.txt"), "bb").unwrap();
        fs::write(folder.join("big.txt"), vec![0; 4096]).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.join("link.txt")).unwrap();
        std::os::unix::fs::symlink("/etc", folder.join("etc")).unwrap();
        let sparse = fs::File::create(folder.join("sparse.txt")).unwrap();
        sparse.set_len(1 << 40).unwrap();

        let all = collected(&folder, &["**/*.txt"], 10, 1024);
        assert_eq!(paths(&all), ["a.txt", "deep/er/b.txt"]);
        let mut skipped: Vec<_> = all.skipped.iter().map(|s| s.path.as_str()).collect();
        skipped.sort_unstable();
        assert_eq!(skipped, ["big.txt", "link.txt", "sparse.txt"]);
        assert_eq!(paths(&collected(&folder, &["*.txt"], 10, 1024)), ["a.txt"]);
        assert_eq!(paths(&collected(&folder, &["**"], 1, 1024)), ["a.txt"]);
        assert!(collected(&folder, &[], 10, 1024).files.is_empty());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let request = CollectRequest { globs: vec!["a[".into()], ..Default::default() };
        assert!(patterns(&request).unwrap_err().to_string().contains("a["));
    }
}
