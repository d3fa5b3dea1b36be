//! Which files of the host a tool may name: those beneath one folder, links resolved.

use crate::Writes;
use formicary_model::{Failure, FailureKind};
use std::path::{Path, PathBuf};

/// Files that mark a project's folder: what is written there leaves its journal beside them.
const MARKS: [&str; 3] = ["formicary.toml", "pyproject.toml", ".git"];

/// The folder beneath which everything lies that a tool may name.
#[derive(Debug, Clone)]
pub(crate) struct Root {
    folder: PathBuf,
}

fn invalid(message: String, hint: &str) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

impl Root {
    /// The folder as the user named it.
    pub(crate) fn open(folder: &Path, writes: Writes) -> Result<Self, Failure> {
        let shown = folder.display();
        let real = folder
            .canonicalize()
            .map_err(|error| invalid(format!("{shown}: {error}"), "give --root a folder that exists"))?;
        if !real.is_dir() {
            return Err(invalid(format!("{shown} is not a folder"), "give --root a folder"));
        }
        let marked = |folder: &&Path| MARKS.iter().any(|mark| folder.join(mark).exists());
        // A change is recorded in the project's folder: one above the root would be written to.
        if writes == Writes::Allowed
            && let Some(project) = real.ancestors().find(marked)
            && project != real
        {
            let message = format!("{shown} is part of the project {}", project.display());
            return Err(invalid(message, "with --allow-write the root must be the project's own folder"));
        }
        Ok(Self { folder: real })
    }

    /// The folder, without links.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What a caller named, relative to the folder and without links.
    pub(crate) fn beneath(&self, named: &str) -> Result<PathBuf, Failure> {
        let outside =
            || invalid(format!("{named} is not beneath the root"), "name paths relative to the root");
        if named.contains('\0') {
            return Err(outside());
        }
        // What lies outside is not looked at before it is refused: whether it exists is nobody's business.
        let joined = plain(&self.folder.join(named));
        if !joined.starts_with(&self.folder) {
            return Err(outside());
        }
        let real = joined
            .canonicalize()
            .map_err(|error| invalid(format!("{named}: {error}"), "name files or folders that exist"))?;
        match real.strip_prefix(&self.folder) {
            Ok(relative) if relative.as_os_str().is_empty() => Ok(PathBuf::from(".")),
            Ok(relative) => Ok(relative.to_owned()),
            Err(_) => Err(outside()),
        }
    }

    /// What is a git revision or range, a folder or a file: where it looks like a path it must lie beneath the root.
    pub(crate) fn revision(&self, named: &str) -> Result<String, Failure> {
        let path = self.folder.join(named);
        if path.symlink_metadata().is_err() && !Path::new(named).is_absolute() {
            return Ok(named.to_owned());
        }
        self.beneath(named).map(|path| path.display().to_string())
    }
}

/// The path without `.` and `..`, by its words alone.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            std::path::Component::ParentDir => {
                plain.pop();
            }
            std::path::Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn nothing_leads_out() {
        let place = tempfile::tempdir().unwrap();
        let (folder, outside) = (place.path().join("root"), place.path().join("outside"));
        std::fs::create_dir_all(folder.join("src")).unwrap();
        std::fs::create_dir_all(&outside).unwrap();
        std::fs::write(outside.join("secret.py"), "x").unwrap();
        std::fs::write(folder.join("src/a.py"), "x").unwrap();
        symlink(&outside, folder.join("link")).unwrap();
        symlink(outside.join("secret.py"), folder.join("secret.py")).unwrap();
        symlink("src/a.py", folder.join("inner.py")).unwrap();
        let root = Root::open(&folder, Writes::Refused).unwrap();
        let absolute = folder.join("src/a.py").display().to_string();
        for (named, expected) in [
            ("src/a.py", Some("src/a.py")),
            ("./src/../src/a.py", Some("src/a.py")),
            ("inner.py", Some("src/a.py")),
            (".", Some(".")),
            ("", Some(".")),
            (absolute.as_str(), Some("src/a.py")),
            ("../outside/secret.py", None),
            ("src/../../outside/secret.py", None),
            ("link/secret.py", None),
            ("link", None),
            ("secret.py", None),
            ("/etc/passwd", None),
            ("missing.py", None),
            ("a\0b", None),
        ] {
            let found = root.beneath(named);
            assert_eq!(
                found.as_ref().ok().map(|path| path.to_str().unwrap()),
                expected,
                "{named:?} {found:?}"
            );
        }
        assert!(root.beneath("../nowhere").unwrap_err().message.contains("not beneath"), "nothing is told");
        assert_eq!(root.revision("main...HEAD").unwrap(), "main...HEAD");
        assert_eq!(root.revision("src").unwrap(), "src");
        assert!(root.revision("link").is_err());
        assert!(root.revision("/etc").is_err());
        assert!(root.revision("../outside").is_err());
    }

    #[test]
    fn writing_needs_the_projects_own_folder() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(place.path().join("project/part")).unwrap();
        std::fs::write(place.path().join("project/pyproject.toml"), "").unwrap();
        let part = place.path().join("project/part");
        assert!(Root::open(&part, Writes::Refused).is_ok());
        assert!(Root::open(&part, Writes::Allowed).unwrap_err().message.contains("part of the project"));
        assert!(Root::open(&place.path().join("project"), Writes::Allowed).is_ok());
    }
}
