//! The working directory's files: writing those that are given, listing, reading and removing those that are there.

use formicary_guest::message::{Entry, EntryKind};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags};
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

/// Directories within directories at most.
const MAX_DEPTH: usize = 64;

/// Who else is at the files while the agent is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// Nobody: the program has not started, or all of it has ended. The agent may have rights that the program had not, so no
    /// link is followed; what the program closed is opened, for its files are wanted; mounts are the host's, and left out.
    Nobody,
    /// The interpreter, whose rights the agent has: a link leads nowhere that the code cannot go itself, and nothing is changed
    /// by looking. Only ordinary files are listed.
    Interpreter,
}

/// The working directory, held open from before anything is started.
pub struct Work {
    directory: OwnedFd,
    beside: Beside,
}

impl Work {
    /// Opens it.
    pub fn open(path: &str, beside: Beside) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self { directory: rustix::fs::openat(CWD, path, flags, Mode::empty())?, beside })
    }

    /// Writes a file, with the directories on its way. A name that leaves the working directory is refused.
    pub fn write(&self, path: &str, mode: Mode, content: &[u8], owner: Option<(u32, u32)>) -> io::Result<()> {
        let path = Path::new(path);
        let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
        let (Some(name), true) = (path.file_name(), plain) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let mut directory = self.directory.try_clone()?;
        for part in path.parent().into_iter().flat_map(Path::components) {
            let part = part.as_os_str();
            match rustix::fs::mkdirat(&directory, part, Mode::from_raw_mode(0o755)) {
                Ok(()) => own(&directory, part, owner)?,
                Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            directory = self.enter(&directory, part)?;
        }
        // A pipe without a reader is no reason to wait.
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::openat(&directory, name, flags, mode)?);
        let was = rustix::fs::fstat(&file)?;
        if FileType::from_raw_mode(was.st_mode) != FileType::RegularFile {
            return Err(not_ordinary());
        }
        if was.st_size > 0 {
            file.set_len(0)?;
        }
        file.write_all(content)?;
        if Mode::from_raw_mode(was.st_mode) != mode {
            rustix::fs::fchmod(&file, mode)?;
        }
        own(&directory, name, owner)
    }

    /// What is beneath, in the order of names: so many at most.
    pub fn list(&self, most: usize) -> Vec<Entry> {
        let mut walk = Walk { beside: self.beside, device: None, most, path: Vec::new(), found: Vec::new() };
        if self.beside == Beside::Nobody {
            let _ = rustix::fs::fchmod(&self.directory, Mode::from_raw_mode(0o755));
            walk.device = rustix::fs::fstat(&self.directory).map(|stat| stat.st_dev).ok();
        }
        walk.directory(self.directory.as_fd(), 0);
        walk.found
    }

    /// Opens an ordinary file for reading.
    pub fn read(&self, path: &[u8]) -> io::Result<(File, Metadata)> {
        let (directory, name) = self.parent(path)?;
        let file = open(self.beside, directory.as_fd(), name, OFlags::RDONLY | OFlags::NONBLOCK)?;
        let file = File::from(file);
        let facts = file.metadata()?;
        if facts.is_file() { Ok((file, facts)) } else { Err(not_ordinary()) }
    }

    /// Removes a file; of a link the link itself.
    pub fn remove(&self, path: &[u8]) -> io::Result<()> {
        let (directory, name) = self.parent(path)?;
        Ok(rustix::fs::unlinkat(directory, name, AtFlags::empty())?)
    }

    /// The directory that a file is in, and its name there.
    fn parent<'a>(&self, path: &'a [u8]) -> io::Result<(OwnedFd, &'a OsStr)> {
        let mut parts = path.split(|byte| *byte == b'/').map(OsStr::from_bytes);
        let name = parts.next_back().ok_or(io::ErrorKind::NotFound)?;
        let mut directory = self.directory.try_clone()?;
        for part in parts {
            directory = self.enter(&directory, part)?;
        }
        Ok((directory, name))
    }

    /// A directory on the way to a file.
    fn enter(&self, directory: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
        match self.beside {
            Beside::Nobody => open(self.beside, directory.as_fd(), name, OFlags::RDONLY | OFlags::DIRECTORY),
            Beside::Interpreter => {
                let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
                Ok(rustix::fs::openat(directory, name, flags, Mode::empty())?)
            }
        }
    }
}

fn not_ordinary() -> io::Error {
    io::Error::other("not an ordinary file")
}

fn own(directory: &OwnedFd, name: &OsStr, owner: Option<(u32, u32)>) -> io::Result<()> {
    let Some((user, group)) = owner else { return Ok(()) };
    let (user, group) = (rustix::fs::Uid::from_raw(user), rustix::fs::Gid::from_raw(group));
    rustix::fs::chownat(directory, name, Some(user), Some(group), AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(())
}

/// Opens without following a link. Where nobody else is, the owner is first given the right to it that was taken away.
fn open(beside: Beside, directory: BorrowedFd<'_>, name: &OsStr, flags: OFlags) -> io::Result<OwnedFd> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match rustix::fs::openat(directory, name, flags, Mode::empty()) {
        Err(rustix::io::Errno::ACCESS) if beside == Beside::Nobody => {
            rustix::fs::chmodat(directory, name, Mode::from_raw_mode(0o700), AtFlags::empty())?;
            Ok(rustix::fs::openat(directory, name, flags, Mode::empty())?)
        }
        other => Ok(other?),
    }
}

/// One walk through everything beneath.
struct Walk {
    beside: Beside,
    /// The file system that is not left.
    device: Option<u64>,
    most: usize,
    path: Vec<u8>,
    found: Vec<Entry>,
}

impl Walk {
    fn directory(&mut self, directory: BorrowedFd<'_>, depth: usize) {
        let mut names = match names(directory) {
            Ok(names) => names,
            Err(error) => return self.closed(&error.to_string()),
        };
        names.sort();
        for name in names {
            if self.found.len() >= self.most {
                return self.closed("too many names in the working folder");
            }
            let before = self.path.len();
            if before > 0 {
                self.path.push(b'/');
            }
            self.path.extend_from_slice(&name);
            self.one(directory, OsStr::from_bytes(&name), depth);
            self.path.truncate(before);
        }
    }

    fn one(&mut self, directory: BorrowedFd<'_>, name: &OsStr, depth: usize) {
        let stat = match rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            Err(error) => return self.closed(&error.to_string()),
        };
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            // A mount is the host's: nothing in it was made here, and its sockets cannot even be looked at in a guest kernel.
            FileType::Directory if self.device.is_some_and(|device| device != stat.st_dev) => return,
            FileType::Directory if depth == MAX_DEPTH => {
                return self.closed("folders are nested too deeply");
            }
            FileType::Directory => {
                return match open(self.beside, directory, name, OFlags::RDONLY | OFlags::DIRECTORY) {
                    Ok(below) => self.directory(below.as_fd(), depth + 1),
                    Err(error) => self.closed(&error.to_string()),
                };
            }
            FileType::RegularFile => EntryKind::File,
            _ if self.beside == Beside::Interpreter => return,
            _ => EntryKind::Other,
        };
        let (size, executable) = (stat.st_size as u64, stat.st_mode & 0o100 != 0);
        self.found.push(Entry { path: self.path.clone(), size, kind, executable });
    }

    fn closed(&mut self, why: &str) {
        if self.beside == Beside::Nobody {
            let kind = EntryKind::Closed(why.into());
            self.found.push(Entry { path: self.path.clone(), size: 0, kind, executable: false });
        }
    }
}

fn names(directory: BorrowedFd<'_>) -> io::Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push(name.to_vec());
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    /// A directory of this test's own.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("formicary-guest-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn work(&self, beside: Beside) -> Work {
            Work::open(self.0.to_str().unwrap(), beside).unwrap()
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn put(work: &Work, path: &str, content: &[u8]) -> io::Result<()> {
        work.write(path, Mode::from_raw_mode(0o644), content, None)
    }

    fn listed(work: &Work, most: usize) -> Vec<(String, EntryKind)> {
        let entries = work.list(most).into_iter();
        entries.map(|entry| (String::from_utf8(entry.path).unwrap(), entry.kind)).collect()
    }

    #[test]
    fn what_is_written_can_be_listed_read_and_removed() {
        for beside in [Beside::Nobody, Beside::Interpreter] {
            let place = Place::new("written");
            let work = place.work(beside);
            put(&work, "a/b/c", b"longer than what comes").unwrap();
            put(&work, "a/b/c", b"short").unwrap();
            work.write("run", Mode::from_raw_mode(0o755), b"", None).unwrap();
            let names = listed(&work, 10).into_iter().map(|(path, _)| path).collect::<Vec<_>>();
            assert_eq!(names, ["a/b/c", "run"]);
            assert!(work.list(10)[1].executable && !work.list(10)[0].executable);
            let mut content = String::new();
            work.read(b"a/b/c").unwrap().0.read_to_string(&mut content).unwrap();
            assert_eq!(content, "short");
            work.remove(b"a/b/c").unwrap();
            assert!(work.read(b"a/b/c").is_err());
        }
    }

    #[test]
    fn names_that_lead_out_are_refused() {
        let place = Place::new("out");
        for path in ["../x", "/etc/x", "a/../../x", ""] {
            assert!(put(&place.work(Beside::Nobody), path, b"").is_err(), "{path}");
            assert!(put(&place.work(Beside::Interpreter), path, b"").is_err(), "{path}");
        }
    }

    #[test]
    fn only_ordinary_files_are_read_and_written() {
        let place = Place::new("ordinary");
        let work = place.work(Beside::Interpreter);
        std::fs::create_dir(place.0.join("directory")).unwrap();
        symlink("/etc/passwd", place.0.join("link")).unwrap();
        rustix::fs::mknodat(&work.directory, "pipe", FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        for path in ["directory", "link", "pipe"] {
            assert!(work.read(path.as_bytes()).is_err(), "{path}");
            assert!(put(&work, path, b"x").is_err(), "{path}");
        }
        assert!(listed(&work, 10).is_empty());
        assert_eq!(listed(&place.work(Beside::Nobody), 10).len(), 2, "the link and the pipe");
    }

    /// A session's code has made the link and could go there itself; a run's agent may be mightier than the program.
    #[test]
    fn links_on_the_way_are_followed_beside_an_interpreter_alone() {
        let place = Place::new("links");
        put(&place.work(Beside::Nobody), "real/file", b"x").unwrap();
        symlink("real", place.0.join("link")).unwrap();
        assert!(place.work(Beside::Interpreter).read(b"link/file").is_ok());
        assert!(place.work(Beside::Nobody).read(b"link/file").is_err());
        assert!(put(&place.work(Beside::Nobody), "link/other", b"").is_err());
    }

    #[test]
    fn lists_are_bounded() {
        let place = Place::new("bounded");
        let work = place.work(Beside::Nobody);
        for name in ["a", "b", "c"] {
            put(&work, name, b"").unwrap();
        }
        let last = |beside| listed(&place.work(beside), 2).pop().unwrap();
        assert!(matches!(last(Beside::Nobody).1, EntryKind::Closed(_)));
        assert_eq!(last(Beside::Interpreter), ("b".into(), EntryKind::File));
    }
}
