//! Which files of the host a caller may name: any, those beneath one directory with links resolved, or none.

use crate::place::plain;
use crate::project::{MARKS, project_of};
use formicary_model::{Failure, FailureKind};
use std::path::{Path, PathBuf};

/// Whether a caller may change files beneath its root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    /// It is given the change as a diff.
    Refused,
    /// It may write where it asks for it.
    Allowed,
}

/// Directories of the system. Where a client starts us is chance, and a model must not read there by chance.
const OF_THE_SYSTEM: [&str; 19] = [
    "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/media", "/mnt", "/opt", "/proc", "/root",
    "/run", "/sbin", "/srv", "/sys", "/tmp", "/usr", "/var",
];

/// Those in which nobody keeps a project either.
const ALL_OF_THE_SYSTEM: [&str; 24] = [
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib64",
    "/proc",
    "/run",
    "/sbin",
    "/sys",
    "/usr/bin",
    "/usr/include",
    "/usr/lib",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/sbin",
    "/usr/share",
    "/var/backups",
    "/var/cache",
    "/var/lib",
    "/var/log",
    "/var/mail",
    "/var/run",
    "/var/spool",
];

/// The directory where the process stands, as the root that nobody named: not `/`, not a directory of the system, and
/// neither the user's home nor one above it, which are all of somebody's files and no project.
pub fn unnamed_root(folder: &Path, home: Option<&Path>) -> Result<PathBuf, Failure> {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let home = home.map(|home| home.canonicalize().unwrap_or_else(|_| home.to_owned()));
    let is_system = OF_THE_SYSTEM.iter().any(|name| real == Path::new(name));
    let is_beneath = ALL_OF_THE_SYSTEM.iter().any(|name| real.starts_with(name));
    // `~/.ssh`, `~/.cargo`, `~/.config`: keys, and what programs keep.
    let own = home.as_ref().and_then(|home| real.strip_prefix(home).ok());
    let is_hidden =
        own.and_then(|own| own.iter().next()).is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    let holds_home = home.is_some_and(|home| home.starts_with(&real));
    if holds_home || is_system || is_beneath || is_hidden || real == Path::new("/") {
        let message = format!("{} is no project, and tools would read everything in it", real.display());
        return Err(invalid(message, "name the project's directory with --root, or this one if you mean it"));
    }
    Ok(real)
}

/// The directory beneath which everything lies that a caller may name.
#[derive(Debug, Clone)]
pub struct Root {
    folder: PathBuf,
    writes: Writes,
}

fn invalid(message: String, hint: &str) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

impl Root {
    /// The folder as the user named it.
    pub fn open(folder: &Path, writes: Writes) -> Result<Self, Failure> {
        let shown = folder.display();
        let real = folder
            .canonicalize()
            .map_err(|error| invalid(format!("{shown}: {error}"), "give --root a folder that exists"))?;
        if !real.is_dir() {
            return Err(invalid(format!("{shown} is not a folder"), "give --root a folder"));
        }
        // A change is recorded in the project's folder: one above the root would be written to.
        if writes == Writes::Allowed
            && let Some(project) = project_of(&real, &MARKS)
            && project != real
        {
            let message = format!("{shown} is part of the project {}", project.display());
            return Err(invalid(message, "with --allow-write the root must be the project's own folder"));
        }
        Ok(Self { folder: real, writes })
    }

    /// Whether the caller may write beneath it.
    pub fn writes(&self) -> Writes {
        self.writes
    }

    /// The directory, without links.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What a caller named, relative to the folder and without links.
    pub fn beneath(&self, named: &str) -> Result<PathBuf, Failure> {
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
        let real = joined.canonicalize().map_err(|error| {
            // Nor is it, if a link within leads there.
            let there = joined.ancestors().find_map(|above| above.canonicalize().ok());
            match there.is_some_and(|real| real.starts_with(&self.folder)) {
                true => invalid(format!("{named}: {error}"), "name files or folders that exist"),
                false => outside(),
            }
        })?;
        match real.strip_prefix(&self.folder) {
            Ok(relative) if relative.as_os_str().is_empty() => Ok(PathBuf::from(".")),
            Ok(relative) => Ok(relative.to_owned()),
            Err(_) => Err(outside()),
        }
    }

    /// What is a git revision or range, a folder or a file: where it looks like a path it must lie beneath the root.
    pub fn revision(&self, named: &str) -> Result<String, Failure> {
        let path = self.folder.join(named);
        if path.symlink_metadata().is_err() && plain(&path).starts_with(&self.folder) {
            return Ok(named.to_owned());
        }
        self.beneath(named).map(|path| path.display().to_string())
    }
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
        for nowhere in ["../nowhere", "link/nowhere", "link/nowhere/deeper"] {
            let failure = root.beneath(nowhere).unwrap_err();
            assert!(failure.message.contains("not beneath"), "{nowhere}: {failure}");
        }
        assert_eq!(root.revision("main...HEAD").unwrap(), "main...HEAD");
        assert_eq!(root.revision("src").unwrap(), "src");
        assert!(root.revision("link").is_err());
        assert!(root.revision("/etc").is_err());
        assert!(root.revision("../outside").is_err());
    }

    #[test]
    fn everything_that_somebody_has_is_a_root_only_by_name() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join("users/me");
        std::fs::create_dir_all(home.join("project")).unwrap();
        symlink("/", place.path().join("link")).unwrap();
        let refused = |folder: &Path| unnamed_root(folder, Some(&home)).is_err();
        for folder in [
            "/",
            "/etc",
            "/etc/ssl",
            "/proc/self",
            "/home",
            "/tmp",
            "/usr",
            "/usr/lib",
            "/var",
            "/var/log",
            "/etc/../root",
        ] {
            assert!(refused(Path::new(folder)), "{folder}");
        }
        for folder in
            [&home, &place.path().join("users"), &place.path().join("link"), &home.join("project/..")]
        {
            assert!(refused(folder), "{folder:?}");
        }
        std::fs::create_dir_all(home.join(".ssh/keys")).unwrap();
        assert!(refused(&home.join(".ssh")) && refused(&home.join(".ssh/keys")));
        assert_eq!(unnamed_root(&home.join("project"), Some(&home)).unwrap(), home.join("project"));
        assert!(unnamed_root(place.path().join("link").as_path(), None).is_err());
        assert!(unnamed_root(&home, None).is_ok());
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
