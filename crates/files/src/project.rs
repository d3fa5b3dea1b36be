//! Which directory is a project: the nearest one at or above that holds a mark, as far as nobody else could have put it there.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Each marks the directory that holds it as a project.
pub const MARKS: [&str; 3] = ["formicary.toml", "pyproject.toml", ".git"];

/// Everybody may write.
const SHARED: u32 = 0o002;
/// Everybody may write and remove what is theirs, as in `/tmp`.
const TEMPORARY: u32 = 0o1002;

/// The directories at or above one in which a mark of a project means something, nearest first. Whoever may write to a
/// directory above could make it a project around everything below: none is looked at that is for everybody's files, such as
/// `/tmp`, none of another user's, nor what lies above it, nor the root of the file system.
pub fn directories_above(start: &Path) -> impl Iterator<Item = &Path> {
    let owner = start.metadata().map_or(u32::MAX, |metadata| metadata.uid());
    let own = [owner, rustix::process::geteuid().as_raw(), 0];
    let above = start.ancestors().skip(1).take_while(move |directory| {
        directory.parent().is_some()
            && directory.metadata().is_ok_and(|metadata| {
                metadata.mode() & TEMPORARY != TEMPORARY && own.contains(&metadata.uid())
            })
    });
    std::iter::once(start).chain(above)
}

/// The nearest directory at or above one that holds one of these marks. In a directory that everybody may write to, only the
/// user's own mark counts.
pub fn project_of(start: &Path, marks: &[&str]) -> Option<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let counts = |directory: &Path, mark: &&str| {
        directory.join(mark).symlink_metadata().is_ok_and(|found| {
            found.uid() == user || directory.metadata().is_ok_and(|metadata| metadata.mode() & SHARED == 0)
        })
    };
    directories_above(start)
        .find(|directory| marks.iter().any(|mark| counts(directory, mark)))
        .map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_directory_that_everybody_may_write_to_is_no_project_of_those_below() {
        let place = tempfile::tempdir().unwrap();
        let shared = place.path().join("shared");
        let start = shared.join("work/src");
        std::fs::create_dir_all(&start).unwrap();
        std::fs::create_dir(shared.join(".git")).unwrap();
        std::fs::create_dir(place.path().join(".git")).unwrap();
        let mode = |mode: u32| {
            std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        let found = || project_of(&start, &["formicary.toml", ".git"]);
        mode(0o755);
        assert_eq!(found(), Some(shared.clone()));
        mode(0o1777);
        assert_eq!(found(), None, "nor what lies above it");
        // Some file systems know no other mode: there the mark's owner decides.
        mode(0o777);
        assert_eq!(found(), Some(shared.clone()));
        if rustix::process::geteuid().is_root() {
            let mark = shared.join(".git");
            rustix::fs::chown(&mark, Some(rustix::fs::Uid::from_raw(65_534)), None).unwrap();
            assert_eq!(found(), Some(place.path().to_owned()));
            rustix::fs::chown(&mark, Some(rustix::fs::Uid::ROOT), None).unwrap();
        }
        mode(0o1777);
        // Who stands there has chosen it, and the mark is the user's own.
        assert_eq!(project_of(&shared, &[".git"]), Some(shared.clone()));
        std::fs::write(shared.join("work/formicary.toml"), "").unwrap();
        assert_eq!(found(), Some(shared.join("work")));
    }

    #[test]
    fn another_users_directory_is_no_project_of_ones_own() {
        let place = tempfile::tempdir().unwrap();
        let start = place.path().join("theirs/mine/src");
        std::fs::create_dir_all(&start).unwrap();
        std::fs::create_dir(place.path().join("theirs/.git")).unwrap();
        assert_eq!(project_of(&start, &[".git"]), Some(place.path().join("theirs")));
        // Only root can give a directory to somebody else.
        if rustix::process::geteuid().is_root() {
            let nobody = Some(rustix::fs::Uid::from_raw(65_534));
            rustix::fs::chown(place.path().join("theirs"), nobody, None).unwrap();
            rustix::fs::chown(place.path().join("theirs/.git"), nobody, None).unwrap();
            assert_eq!(project_of(&start, &[".git"]), None);
            // All of it may be one other user's.
            for part in ["theirs/mine", "theirs/mine/src"] {
                rustix::fs::chown(place.path().join(part), nobody, None).unwrap();
            }
            assert_eq!(project_of(&start, &[".git"]), Some(place.path().join("theirs")));
        }
        assert!(directories_above(Path::new("/usr/bin")).all(|directory| directory != Path::new("/")));
    }
}
