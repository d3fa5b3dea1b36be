//! Writing collected files into a folder of the host. Their names come from the sandboxed program: nothing here
//! follows a link, leaves the folder, or opens what is already there.

use formicary_model::{Artifact, Failure, FailureKind};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, mkdirat, openat, renameat, unlinkat};
use rustix::io::Errno;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Component, Path, PathBuf};

/// A folder that takes collected files.
pub struct OutputFolder {
    path: PathBuf,
    root: OwnedFd,
}

impl OutputFolder {
    /// Opens the folder, which is made if need be: before a run, so that its work is not lost on a wrong name.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        std::fs::create_dir_all(path).map_err(|error| cannot(path, &error.to_string()))?;
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        let root =
            openat(CWD, path, flags, Mode::empty()).map_err(|error| cannot(path, &error.to_string()))?;
        Ok(Self { path: path.to_owned(), root })
    }

    /// Writes every artefact below the folder. A file of the same name is replaced, a link of the same name too (never
    /// what it points to); a link in the place of a folder is an error.
    pub fn write(&self, artifacts: &[Artifact]) -> Result<(), Failure> {
        for artifact in artifacts {
            let why = |why: String| cannot(&self.path.join(&artifact.path), &why);
            write_one(&self.root, artifact).map_err(why)?;
        }
        Ok(())
    }
}

fn write_one(root: &OwnedFd, artifact: &Artifact) -> Result<(), String> {
    let mut names = Vec::new();
    for component in Path::new(&artifact.path).components() {
        match component {
            Component::Normal(name) => names.push(name),
            Component::CurDir => {}
            _ => return Err("its name leaves the folder".into()),
        }
    }
    let Some(file_name) = names.pop() else { return Err("it has no name".into()) };
    let mut folder = root.try_clone().map_err(|error| error.to_string())?;
    for name in names {
        match mkdirat(folder.as_fd(), name, Mode::from_raw_mode(0o755)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.to_string()),
        }
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::RDONLY | OFlags::CLOEXEC;
        folder = openat(folder.as_fd(), name, flags, Mode::empty()).map_err(|error| match error {
            Errno::NOTDIR | Errno::LOOP => format!("{} is there and is not a folder", name.display()),
            error => error.to_string(),
        })?;
    }
    // Written aside and moved into place: what stood there is neither opened nor left half written.
    let aside = format!(".formicary-{}", std::process::id());
    let mode = Mode::from_raw_mode(if artifact.executable { 0o755 } else { 0o644 });
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = openat(folder.as_fd(), &aside, flags, mode).map_err(|error| error.to_string())?;
    let written =
        File::from(file).write_all(&artifact.content).map_err(|error| error.to_string()).and_then(|()| {
            renameat(folder.as_fd(), &aside, folder.as_fd(), file_name).map_err(|error| error.to_string())
        });
    if written.is_err() {
        // Best effort: the failure that is reported is the first one.
        let _ = unlinkat(folder.as_fd(), &aside, AtFlags::empty());
    }
    written
}

fn cannot(path: &Path, why: &str) -> Failure {
    Failure::new(FailureKind::InvalidInput, format!("cannot write {}: {why}", path.display()))
        .hint("give --out a folder that you may write and that holds no links")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn write(folder: &Path, artifacts: &[Artifact]) -> Result<(), Failure> {
        OutputFolder::open(folder)?.write(artifacts)
    }

    fn artifact(path: &str) -> Artifact {
        Artifact { path: path.into(), size: 3, executable: path.ends_with("sh"), content: b"new".to_vec() }
    }

    #[test]
    fn files_and_folders_are_made() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("deep/out");
        write(&out, &[artifact("a.txt"), artifact("x/y/run.sh"), artifact("./b")]).unwrap();
        assert_eq!(std::fs::read(out.join("x/y/run.sh")).unwrap(), b"new");
        let mode = |path: &str| std::fs::metadata(out.join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("a.txt") & 0o111, mode("x/y/run.sh") & 0o100), (0, 0o100));
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 3);
    }

    #[test]
    fn names_that_leave_the_folder_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        for path in ["../x", "/x", "a/../../x", "", ".", "..", "a\0b"] {
            assert!(write(&out, &[artifact(path)]).is_err(), "{path:?}");
        }
        assert!(!folder.path().join("x").exists());
    }

    #[test]
    fn links_are_never_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (out, outside) = (folder.path().join("out"), folder.path().join("outside"));
        std::fs::create_dir_all(&out).unwrap();
        std::fs::create_dir_all(&outside).unwrap();
        std::fs::write(outside.join("precious"), "old").unwrap();
        symlink(&outside, out.join("sub")).unwrap();
        symlink(outside.join("precious"), out.join("file")).unwrap();
        let failure = write(&out, &[artifact("sub/precious")]).unwrap_err();
        assert!(failure.message.contains("is not a folder"), "{failure}");
        write(&out, &[artifact("file")]).unwrap();
        assert_eq!(std::fs::read(outside.join("precious")).unwrap(), b"old");
        assert_eq!(std::fs::read(out.join("file")).unwrap(), b"new");
        assert!(!out.join("file").symlink_metadata().unwrap().is_symlink());
    }

    #[test]
    fn what_is_there_is_replaced_unless_it_is_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "old and longer").unwrap();
        std::fs::create_dir(folder.path().join("d")).unwrap();
        write(folder.path(), &[artifact("a")]).unwrap();
        assert_eq!(std::fs::read(folder.path().join("a")).unwrap(), b"new");
        assert!(write(folder.path(), &[artifact("d")]).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left aside");
    }
}
