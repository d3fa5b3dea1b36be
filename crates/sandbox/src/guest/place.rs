//! A temporary folder that tells its owner by its name, goes away with the run, and is swept when its owner died.

use crate::cgroups::Owner;
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// A folder of one run.
#[derive(Debug)]
pub struct Place(PathBuf);

impl Place {
    /// Makes one in `parent`, for our eyes only.
    pub fn new(parent: &Path) -> io::Result<Self> {
        let path = parent.join(Owner::this_process().name());
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A folder in it, made.
    pub fn folder(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.0.join(name);
        fs::create_dir_all(&path)?;
        Ok(path)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Removes our folders in `parent` whose owner is dead. How many.
pub fn sweep(parent: &Path) -> usize {
    let own = crate::sys::process::effective_user();
    let mut removed = 0;
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let owner = entry.file_name().to_str().and_then(Owner::from_name);
        let ours = entry.metadata().is_ok_and(|facts| facts.is_dir() && facts.uid() == own);
        if ours && owner.is_some_and(|owner| !owner.lives()) {
            remove(&entry.path());
            removed += 1;
        }
    }
    removed
}

/// Removes a tree that a program made: closed folders are opened first, and one that is nested too deeply is taken
/// apart. Links are removed, never followed. What will not go is left for the next sweep.
fn remove(root: &Path) {
    for round in 0..10_000 {
        match fs::remove_dir_all(root) {
            Ok(()) => return,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(_) if round == 0 => open_up(root, 0),
            Err(_) => {}
        }
        let Some(deep) = deepest(root) else { continue };
        if deep == root || fs::rename(&deep, root.join(format!(".taken-apart-{round}"))).is_err() {
            return;
        }
    }
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect()
}

fn open_up(path: &Path, depth: usize) {
    let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o700));
    if depth < 64 {
        folders(path).iter().for_each(|folder| open_up(folder, depth + 1));
    }
}

/// Some folder far below, while its path is one that the system still takes.
fn deepest(root: &Path) -> Option<PathBuf> {
    let mut at = root.to_path_buf();
    for _ in 0..400 {
        let _ = fs::set_permissions(&at, fs::Permissions::from_mode(0o700));
        match folders(&at).into_iter().next() {
            Some(next) if next.as_os_str().len() < 3000 => at = next,
            _ => break,
        }
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_goes_away_whatever_is_in_it() {
        let parent = std::env::temp_dir();
        let place = Place::new(&parent).unwrap();
        let path = place.path().to_path_buf();
        let mut deep = place.folder("deep").unwrap();
        // Deeper than a path can be long, built from the inside out.
        for level in 0..3000 {
            let outer = path.join(format!("outer-{level}"));
            fs::create_dir(&outer).unwrap();
            fs::rename(&deep, outer.join("d")).unwrap();
            deep = outer;
        }
        let closed = place.folder("closed/inner").unwrap();
        fs::set_permissions(closed.parent().unwrap(), fs::Permissions::from_mode(0o000)).unwrap();
        std::os::unix::fs::symlink("/etc", path.join("link")).unwrap();
        drop(place);
        assert!(!path.exists());
        assert!(Path::new("/etc/passwd").exists());
    }

    #[test]
    fn only_places_of_the_dead_are_swept() {
        let parent = Place::new(&std::env::temp_dir()).unwrap();
        let living = Place::new(parent.path()).unwrap();
        // The same name with a start that no process has.
        let own = living.path().file_name().unwrap().to_str().unwrap().to_string();
        let mut parts: Vec<&str> = own.split('-').collect();
        parts[3] = "999999999999";
        let dead = parent.folder(&parts.join("-")).unwrap();
        let stranger = parent.folder("someone").unwrap();
        assert_eq!(sweep(parent.path()), 1);
        assert!(living.path().exists() && !dead.exists() && stranger.exists());
    }
}
