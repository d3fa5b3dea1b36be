//! The folder of the socket: the user's own, closed to everybody else, or none at all.

use formicary_model::{Failure, FailureKind};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

/// A folder that is ours alone.
#[derive(Debug, Clone)]
pub struct Place {
    folder: PathBuf,
}

impl Place {
    /// `formicary` in the user's runtime folder, or a folder of the user's own in `/tmp`; made where it is missing,
    /// refused where it is not ours or where others may enter it.
    pub fn open(runtime_folder: Option<&Path>) -> Result<Self, Failure> {
        let user = rustix::process::geteuid().as_raw();
        let folder = match runtime_folder.filter(|folder| folder.is_dir()) {
            Some(folder) => folder.join("formicary"),
            None => PathBuf::from(format!("/tmp/formicary-{user}")),
        };
        let made = std::fs::DirBuilder::new().mode(0o700).create(&folder);
        if let Err(error) = made
            && error.kind() != std::io::ErrorKind::AlreadyExists
        {
            return Err(refused(&folder, &error.to_string()));
        }
        let facts = folder.symlink_metadata().map_err(|error| refused(&folder, &error.to_string()))?;
        if !facts.is_dir() {
            return Err(refused(&folder, "it is not a folder"));
        }
        if facts.uid() != user {
            return Err(refused(&folder, &format!("it belongs to user {}, not to you", facts.uid())));
        }
        if facts.mode() & 0o077 != 0 {
            return Err(refused(&folder, &format!("others may enter it (mode {:o})", facts.mode() & 0o777)));
        }
        Ok(Self { folder })
    }

    /// Where the server listens.
    pub fn socket(&self) -> PathBuf {
        self.folder.join("sessions.socket")
    }

    /// A name beside it, for a socket that is not ready yet.
    pub fn new_socket(&self) -> PathBuf {
        self.folder.join("sessions.socket.new")
    }

    /// What the one server holds.
    pub fn lock(&self) -> PathBuf {
        self.folder.join("sessions.lock")
    }
}

fn refused(folder: &Path, why: &str) -> Failure {
    Failure::new(
        FailureKind::InvalidConfiguration,
        format!("the folder for sessions {} cannot be used: {why}", folder.display()),
    )
    .hint("remove it, or set XDG_RUNTIME_DIR to a folder of your own with mode 0700")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn only_a_closed_folder_of_our_own_will_do() {
        let base = tempfile::tempdir().unwrap();
        let place = Place::open(Some(base.path())).unwrap();
        let folder = base.path().join("formicary");
        assert!(place.socket().starts_with(&folder));
        assert_eq!(folder.metadata().unwrap().mode() & 0o777, 0o700);
        Place::open(Some(base.path())).unwrap();
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(Place::open(Some(base.path())).unwrap_err().message.contains("others may enter"));
        std::fs::remove_dir(&folder).unwrap();
        symlink("/", &folder).unwrap();
        assert!(Place::open(Some(base.path())).unwrap_err().message.contains("not a folder"));
    }
}
