//! How paths of a project are written for somebody who stands elsewhere, so that they can be opened from there.

use std::path::{Path, PathBuf};

/// A directory that paths are relative to, and the one where they are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Viewpoint {
    root: PathBuf,
    here: PathBuf,
}

impl Viewpoint {
    /// Paths below `root`, as they are opened from `here`.
    pub fn new(here: &Path, root: &Path) -> Self {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Self { root: real(root), here: real(here) }
    }

    /// One of the paths. From a directory that neither holds the root nor lies in it, it is absolute.
    pub fn path(&self, path: &str) -> String {
        if self.root == self.here || path.is_empty() || Path::new(path).is_absolute() {
            return path.to_owned();
        }
        let seen = match (self.here.strip_prefix(&self.root), self.root.strip_prefix(&self.here)) {
            (Ok(below), _) => {
                let parts = Path::new(path).components();
                let shared = below.components().zip(parts).take_while(|(a, b)| a == b).count();
                let mut seen: PathBuf = below.components().skip(shared).map(|_| "..").collect();
                seen.extend(Path::new(path).components().skip(shared));
                seen
            }
            (_, Ok(below)) => below.join(path),
            _ => self.root.join(path),
        };
        seen.to_string_lossy().into_owned()
    }

    /// The same in place.
    pub fn rewrite(&self, path: &mut String) {
        *path = self.path(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_as_they_are_opened_from_here() {
        for (here, root, path, expected) in [
            ("/p", "/p", "a/x.py", "a/x.py"),
            ("/p/a/b", "/p", "a/b/x.py", "x.py"),
            ("/p/a/b", "/p", "a/b/c/x.py", "c/x.py"),
            ("/p/a/b", "/p", "a/x.py", "../x.py"),
            ("/p/a/b", "/p", "x.py", "../../x.py"),
            ("/p", "/p/a", "b/x.py", "a/b/x.py"),
            ("/q", "/p", "a/x.py", "/p/a/x.py"),
            ("/p/a", "/p", "/elsewhere/x.py", "/elsewhere/x.py"),
        ] {
            let viewpoint = Viewpoint { root: root.into(), here: here.into() };
            assert_eq!(viewpoint.path(path), expected, "{here} {root} {path}");
        }
        assert_eq!(Viewpoint::default().path("a/x.py"), "a/x.py");
    }
}
