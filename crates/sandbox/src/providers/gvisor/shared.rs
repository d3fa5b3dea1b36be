//! What all guests of one provider share, made once: an `/etc` put together from the few harmless parts of the host's, and
//! the guest agent.
//!
//! Every folder shown to a guest has a connection of its own to the process that serves its files, which costs the guest's start
//! some milliseconds. So the parts of `/etc` are copied into one folder, and that one is shown.

use crate::SandboxError;
use crate::guest::place::Place;
use crate::guest::program;
use crate::providers::native::system;
use formicary_jail::spec::{MountKind, MountSpec};
use std::fs;
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// More than this is not copied but shown: entries, and bytes.
const MOST_ENTRIES: usize = 4096;
const MOST_BYTES: u64 = 16 << 20;
const ETC: &str = "etc";

/// The folder, which goes away with the provider.
#[derive(Debug)]
pub struct Shared {
    place: Place,
    /// Parts of `/etc` that were too large to copy, or could not be read.
    shown: Vec<MountSpec>,
}

impl Shared {
    /// Makes it in `parent`.
    pub fn new(parent: &Path) -> Result<Self, SandboxError> {
        let failed = |error: io::Error| SandboxError::step("prepare what guests share", error);
        let place = Place::new(parent).map_err(failed)?;
        put(place.path(), "agent", program::BYTES, 0o755).map_err(failed)?;
        for (path, bytes) in system::files(true) {
            put(place.path(), path, &bytes, 0o644).map_err(failed)?;
        }
        let mut shown = Vec::new();
        for mount in system::system().mounts.iter().filter(|mount| is_of_etc(mount)) {
            let target = place.path().join(&mount.target);
            let mut room = Room { entries: MOST_ENTRIES, bytes: MOST_BYTES };
            let above = Path::new(&mount.target).parent().unwrap_or(Path::new(""));
            make_folders(place.path(), above).map_err(failed)?;
            if copy(Path::new(&mount.source), &target, &mut room).is_err() {
                // What was copied of it so far is covered by what is shown.
                prepare_point(place.path(), &mount.target, &mount.source).map_err(failed)?;
                shown.push(mount.clone());
            }
        }
        Ok(Self { place, shown })
    }

    /// The guest's `/etc`.
    pub fn etc(&self) -> PathBuf {
        self.place.path().join(ETC)
    }

    /// The agent, to be linked to.
    pub fn agent(&self) -> PathBuf {
        self.place.path().join("agent")
    }

    /// What is shown below its `/etc` besides.
    pub fn shown(&self) -> &[MountSpec] {
        &self.shown
    }
}

/// Whether a mount of the system's is part of `/etc`.
pub fn is_of_etc(mount: &MountSpec) -> bool {
    mount.kind != MountKind::Device && Path::new(&mount.target).starts_with(ETC)
}

/// Makes folders that everybody may enter, whatever this process's mask: in the guest they are another user's.
pub fn make_folders(base: &Path, relative: &Path) -> io::Result<()> {
    let mut at = base.to_path_buf();
    for part in relative {
        at.push(part);
        match fs::create_dir(&at) {
            Ok(()) => fs::set_permissions(&at, fs::Permissions::from_mode(0o755))?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes a file below `base` with these rights, and the folders above it.
pub fn put(base: &Path, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
    let path = Path::new(path);
    make_folders(base, path.parent().unwrap_or(Path::new("")))?;
    write(&base.join(path), bytes, mode)
}

fn write(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(path)?;
    io::Write::write_all(&mut file, bytes)?;
    file.set_permissions(fs::Permissions::from_mode(mode))
}

/// A place below `base` for something of the host's to be laid on.
pub fn prepare_point(base: &Path, point: &str, source: &str) -> io::Result<()> {
    if Path::new(source).is_dir() {
        make_folders(base, Path::new(point))
    } else if !base.join(point).exists() {
        put(base, point, b"", 0o644)
    } else {
        Ok(())
    }
}

struct Room {
    entries: usize,
    bytes: u64,
}

impl Room {
    fn take(&mut self, bytes: u64) -> io::Result<()> {
        let left = self.entries.checked_sub(1).zip(self.bytes.checked_sub(bytes));
        (self.entries, self.bytes) = left.ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(())
    }
}

/// Copies a tree: folders, links as they are, ordinary files with who may read them. All else is left out.
fn copy(from: &Path, to: &Path, room: &mut Room) -> io::Result<()> {
    // The first is followed where it is a link: that is what would be shown.
    let facts = fs::metadata(from)?;
    copy_one(from, to, &facts, room)
}

fn copy_one(from: &Path, to: &Path, facts: &fs::Metadata, room: &mut Room) -> io::Result<()> {
    let mode = facts.permissions().mode() & 0o777;
    if facts.is_dir() {
        room.take(0)?;
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy_one(&entry.path(), &to.join(entry.file_name()), &entry.metadata()?, room)?;
        }
        // Last: a folder that may not be written could not be filled.
        fs::set_permissions(to, fs::Permissions::from_mode(mode))
    } else if facts.is_symlink() {
        room.take(0)?;
        symlink(fs::read_link(from)?, to)
    } else if facts.is_file() {
        room.take(facts.len())?;
        write(to, &fs::read(from)?, mode)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_copied_as_they_are_and_large_ones_are_not() {
        let place = Place::new(&std::env::temp_dir()).unwrap();
        let from = place.folder("from/inner").unwrap();
        put(&from, "open", b"text", 0o644).unwrap();
        put(&from, "closed", b"secret", 0o600).unwrap();
        symlink("/etc/passwd", from.join("link")).unwrap();
        let from = place.path().join("from");
        let to = place.path().join("to");
        copy(&from, &to, &mut Room { entries: 5, bytes: 10 }).unwrap();
        assert_eq!(fs::read(to.join("inner/open")).unwrap(), b"text");
        assert_eq!(fs::metadata(to.join("inner/closed")).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_link(to.join("inner/link")).unwrap(), Path::new("/etc/passwd"));
        for (entries, bytes) in [(4, 10), (5, 9)] {
            let to = place.path().join(format!("small-{entries}-{bytes}"));
            assert!(copy(&from, &to, &mut Room { entries, bytes }).is_err(), "{entries} {bytes}");
        }
    }

    #[test]
    fn the_shared_etc_has_what_programs_look_for() {
        let shared = Shared::new(&std::env::temp_dir()).unwrap();
        for name in ["passwd", "group", "hosts", "resolv.conf"] {
            assert!(shared.etc().join(name).is_file(), "{name}");
        }
        let of_etc = system::system().mounts.iter().filter(|mount| is_of_etc(mount));
        for mount in of_etc {
            let copied = shared.place.path().join(&mount.target);
            assert!(fs::symlink_metadata(&copied).is_ok(), "{}", copied.display());
        }
        let path = shared.place.path().to_path_buf();
        drop(shared);
        assert!(!path.exists());
    }
}
