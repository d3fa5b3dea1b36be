//! Writing the files that the program is given, and listing and reading those that it made. No link is ever followed.

use formicary_warden::message::{Entry, EntryKind, File as Given};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

/// Folders within folders at the most.
const MAX_DEPTH: usize = 64;
/// Names looked at, at the most.
const MAX_NAMES: usize = 200_000;

/// The working folder, held open from before the program starts.
pub struct Work(OwnedFd);

impl Work {
    /// Opens it.
    pub fn open(path: &str) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self(rustix::fs::openat(CWD, path, flags, Mode::empty())?))
    }

    /// Writes a file, with the folders on its way. A name that leaves the folder is refused.
    pub fn write(&self, file: &Given, owner: Option<(u32, u32)>) -> io::Result<()> {
        let path = Path::new(&file.path);
        let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
        let (Some(name), true) = (path.file_name(), plain) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let mut folder = self.0.as_fd().try_clone_to_owned()?;
        for part in path.parent().into_iter().flat_map(Path::components) {
            let part = part.as_os_str();
            match rustix::fs::mkdirat(&folder, part, Mode::from_raw_mode(0o755)) {
                Ok(()) => own(&folder, part.as_bytes(), owner)?,
                Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            folder = open(folder.as_fd(), part.as_bytes(), OFlags::RDONLY | OFlags::DIRECTORY)?;
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let made = rustix::fs::openat(&folder, name, flags, Mode::from_raw_mode(file.mode))?;
        let mut made = File::from(made);
        made.write_all(&file.content)?;
        rustix::fs::fchmod(&made, Mode::from_raw_mode(file.mode))?;
        own(&folder, name.as_bytes(), owner)
    }

    /// Everything beneath, in the order of names, within bounds.
    pub fn list(&self) -> Vec<Entry> {
        let _ = rustix::fs::fchmod(&self.0, Mode::from_raw_mode(0o755));
        let mut found = Vec::new();
        let device = rustix::fs::fstat(&self.0).map(|stat| stat.st_dev).ok();
        walk(self.0.as_fd(), device, &mut Vec::new(), 0, &mut found);
        found
    }

    /// Reads an ordinary file by its path from the list; at most as many bytes as it claimed.
    pub fn read(&self, entry: &Entry) -> io::Result<Vec<u8>> {
        let mut folder = self.0.as_fd().try_clone_to_owned()?;
        let parts: Vec<&[u8]> = entry.path.split(|byte| *byte == b'/').collect();
        let (name, folders) = parts.split_last().ok_or(io::ErrorKind::NotFound)?;
        for part in folders {
            folder = open(folder.as_fd(), part, OFlags::RDONLY | OFlags::DIRECTORY)?;
        }
        let file = File::from(open(folder.as_fd(), name, OFlags::RDONLY | OFlags::NONBLOCK)?);
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("not an ordinary file"));
        }
        let mut content = Vec::new();
        file.take(entry.size).read_to_end(&mut content)?;
        Ok(content)
    }
}

fn own(folder: &OwnedFd, name: &[u8], owner: Option<(u32, u32)>) -> io::Result<()> {
    let Some((user, group)) = owner else { return Ok(()) };
    let (user, group) = (rustix::fs::Uid::from_raw(user), rustix::fs::Gid::from_raw(group));
    rustix::fs::chownat(folder, name, Some(user), Some(group), AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(())
}

/// Opens without following a link, giving the owner the right to it first where that was taken away.
fn open(folder: BorrowedFd<'_>, name: &[u8], flags: OFlags) -> io::Result<OwnedFd> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match rustix::fs::openat(folder, name, flags, Mode::empty()) {
        Err(rustix::io::Errno::ACCESS) => {
            rustix::fs::chmodat(folder, name, Mode::from_raw_mode(0o700), AtFlags::empty())?;
            Ok(rustix::fs::openat(folder, name, flags, Mode::empty())?)
        }
        other => Ok(other?),
    }
}

fn walk(
    folder: BorrowedFd<'_>,
    device: Option<u64>,
    path: &mut Vec<u8>,
    depth: usize,
    found: &mut Vec<Entry>,
) {
    let mut names = match names(folder) {
        Ok(names) => names,
        Err(error) => return found.push(closed(path, &error.to_string())),
    };
    names.sort();
    for name in names {
        if found.len() >= MAX_NAMES {
            return found.push(closed(path, "too many names in the working folder"));
        }
        let before = path.len();
        if before > 0 {
            path.push(b'/');
        }
        path.extend_from_slice(&name);
        one(folder, device, &name, path, depth, found);
        path.truncate(before);
    }
}

fn one(
    folder: BorrowedFd<'_>,
    device: Option<u64>,
    name: &[u8],
    path: &mut Vec<u8>,
    depth: usize,
    found: &mut Vec<Entry>,
) {
    let stat = match rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(error) => return found.push(closed(path, &error.to_string())),
    };
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        // A mount is the host's: nothing in it was made here, and its sockets cannot even be looked at in a guest kernel.
        FileType::Directory if device.is_some_and(|device| device != stat.st_dev) => return,
        FileType::Directory if depth == MAX_DEPTH => {
            return found.push(closed(path, "folders are nested too deeply"));
        }
        FileType::Directory => {
            return match open(folder, name, OFlags::RDONLY | OFlags::DIRECTORY) {
                Ok(below) => walk(below.as_fd(), device, path, depth + 1, found),
                Err(error) => found.push(closed(path, &error.to_string())),
            };
        }
        FileType::RegularFile => EntryKind::File,
        _ => EntryKind::Other,
    };
    found.push(Entry {
        path: path.clone(),
        size: stat.st_size as u64,
        kind,
        executable: stat.st_mode & 0o100 != 0,
    });
}

fn names(folder: BorrowedFd<'_>) -> io::Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push(name.to_vec());
        }
    }
    Ok(names)
}

fn closed(path: &[u8], why: &str) -> Entry {
    Entry { path: path.to_vec(), size: 0, kind: EntryKind::Closed(why.into()), executable: false }
}
