//! Which directory a path belongs to.

use crate::error::{FileError, Reason};
use crate::root::Root;
use std::path::{Component, Path, PathBuf};

/// A file by its directory, which is trusted as a name, and its path below, which is not.
#[derive(Debug)]
pub struct Place {
    /// The directory.
    pub root: Root,
    /// The path below it.
    pub path: PathBuf,
}

impl Place {
    /// The place of a file that belongs to the project in `project`. What is named relative to the project, or lies below
    /// it by its words, is opened as part of it. Any other absolute path was named by the user: links to its directory, and
    /// one at its end, are the user's own.
    pub fn of(project: &Path, named: &Path) -> Result<Self, FileError> {
        let whole = plain(&project.join(named));
        if let Ok(path) = whole.strip_prefix(project) {
            return Ok(Self { root: Root::open(project)?, path: path.to_owned() });
        }
        if !named.is_absolute() {
            return Err(FileError::new(named, Reason::Outside));
        }
        let whole = whole.canonicalize().unwrap_or(whole);
        let (Some(directory), Some(name)) = (whole.parent(), whole.file_name()) else {
            return Err(FileError::new(&whole, Reason::NotRegular));
        };
        let name = PathBuf::from(name);
        // Its last directories may still have to be made.
        let there = directory.ancestors().find(|above| above.is_dir()).unwrap_or(directory);
        let path = directory.strip_prefix(there).map_or(name.clone(), |below| below.join(&name));
        Ok(Self { root: Root::open(there)?, path })
    }
}

/// The path without `.` and `..`, by its words alone.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            // There is nothing above the top.
            Component::ParentDir if plain.has_root() => {}
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}
