//! A directory, and every operation below it.

use crate::error::{FileError, Reason};
use crate::open;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Where version control keeps its records, hooks and settings.
const RECORDS: [&str; 4] = [".git", ".hg", ".svn", ".jj"];

/// What a name stands for. Links are never followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A pipe, a device or a socket.
    Other,
}

/// What is known of a file without opening it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// What it is.
    pub kind: Kind,
    /// Its size in bytes.
    pub size: u64,
    /// Its permissions.
    pub mode: u32,
}

impl Facts {
    /// Whether its owner may run it.
    pub fn is_executable(&self) -> bool {
        self.mode & 0o100 != 0
    }
}

/// A name in a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name.
    pub name: OsString,
    /// What it stands for.
    pub kind: Kind,
}

/// A directory whose content a stranger wrote.
#[derive(Debug)]
pub struct Root {
    path: PathBuf,
    directory: OwnedFd,
}

type Opened<T> = Result<T, FileError>;

/// The directory that holds a file, and the file's name in it.
struct Parent {
    directory: OwnedFd,
    name: OsString,
}

impl Root {
    /// Opens the directory that a user named. A link there is the user's own.
    pub fn open(path: &Path) -> Opened<Self> {
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        let directory = rustix::fs::open(path, flags, Mode::empty())
            .map_err(|error| FileError::new(path, error.into()))?;
        Ok(Self { path: path.to_owned(), directory })
    }

    /// The directory's path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What a name below stands for; a link is a link.
    pub fn facts(&self, path: &Path) -> Opened<Facts> {
        if is_root(path) {
            let stat = rustix::fs::fstat(&self.directory).map_err(|error| self.wrong(path, error))?;
            return Ok(facts(&stat));
        }
        let parent = self.parent(path)?;
        let stat = rustix::fs::statat(&parent.directory, &parent.name, AtFlags::SYMLINK_NOFOLLOW);
        stat.map(|stat| facts(&stat)).map_err(|error| self.wrong(path, error))
    }

    /// Whether a directory of this name is there, itself and not a link to one.
    pub fn is_directory(&self, path: &Path) -> bool {
        self.facts(path).is_ok_and(|facts| facts.kind == Kind::Directory)
    }

    /// Whether a regular file of this name is there.
    pub fn is_file(&self, path: &Path) -> bool {
        self.facts(path).is_ok_and(|facts| facts.kind == Kind::File)
    }

    /// The entries of a directory below, by name.
    pub fn entries(&self, path: &Path) -> Opened<Vec<Entry>> {
        let wrong = |error: Errno| self.wrong(path, error);
        let directory = self.directory(path)?;
        let mut found = Vec::new();
        for entry in rustix::fs::Dir::read_from(&directory).map_err(wrong)? {
            let entry = entry.map_err(wrong)?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not say.
                FileType::Unknown => rustix::fs::statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW)
                    .map_or(Kind::Other, |stat| facts(&stat).kind),
                known => kind(known),
            };
            found.push(Entry { name: name.to_owned(), kind });
        }
        found.sort();
        Ok(found)
    }

    /// Opens a regular file for reading.
    pub fn open_file(&self, path: &Path) -> Opened<File> {
        self.regular(path, OFlags::RDONLY, Mode::empty())
    }

    /// The bytes of a regular file that has no more than `most`.
    pub fn read(&self, path: &Path, most: u64) -> Opened<Vec<u8>> {
        let file = self.open_file(path)?;
        let failed = |error: std::io::Error| FileError::new(&self.path.join(path), error.into());
        let size = file.metadata().map_err(failed)?.len();
        let too_large = || FileError::new(&self.path.join(path), Reason::TooLarge(most));
        if size > most {
            return Err(too_large());
        }
        let mut bytes = Vec::with_capacity(size as usize);
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
    }

    /// The text of a regular file that has no more bytes than `most`.
    pub fn read_to_string(&self, path: &Path, most: u64) -> Opened<String> {
        String::from_utf8(self.read(path, most)?).map_err(|error| {
            FileError::new(&self.path.join(path), Reason::NotUtf8(error.utf8_error().valid_up_to()))
        })
    }

    /// Makes a directory and those above it, below the root.
    pub fn create_directories(&self, path: &Path) -> Opened<()> {
        self.may_change(path)?;
        let mut so_far = PathBuf::new();
        for part in path.components() {
            so_far.push(part);
            if is_root(&so_far) {
                continue;
            }
            let parent = self.parent(&so_far)?;
            match rustix::fs::mkdirat(&parent.directory, &parent.name, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(self.wrong(&so_far, error)),
            }
        }
        self.directory(path).map(drop)
    }

    /// Replaces a regular file, or makes it: written aside and renamed, so that it is there whole or not at all. It keeps
    /// its permissions. What is no regular file is left alone.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Opened<()> {
        self.may_change(path)?;
        let mode = match self.facts(path) {
            Ok(facts) => Some(self.must_be_file(path, facts)?.mode),
            Err(error) if error.is_missing() => None,
            Err(error) => return Err(error),
        };
        let parent = self.parent(path)?;
        let (aside, mut file) = self.aside(path, &parent)?;
        let failed = |error: std::io::Error| FileError::new(&self.path.join(path), error.into());
        let written = file
            .write_all(bytes)
            .map_err(failed)
            .and_then(|()| match mode {
                // Whose program the file was when it ran with its owner's rights need not be who owns it now.
                Some(mode) => rustix::fs::fchmod(&file, Mode::from_raw_mode(mode & 0o777))
                    .map_err(|error| self.wrong(path, error)),
                None => Ok(()),
            })
            .and_then(|()| {
                rustix::fs::renameat(&parent.directory, &aside, &parent.directory, &parent.name)
                    .map_err(|error| self.wrong(path, error))
            });
        if written.is_err() {
            // The failure that is reported is the first one.
            let _ = rustix::fs::unlinkat(&parent.directory, &aside, AtFlags::empty());
        }
        written
    }

    /// Adds bytes to the end of a regular file, which is made if it is missing. A file with a second name may be another's.
    pub fn append(&self, path: &Path, bytes: &[u8]) -> Opened<()> {
        self.may_change(path)?;
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE;
        let mut file = self.regular(path, flags, Mode::from_raw_mode(0o666))?;
        let stat = rustix::fs::fstat(&file).map_err(|error| self.wrong(path, error))?;
        if stat.st_nlink > 1 {
            return Err(FileError::new(&self.path.join(path), Reason::SecondName));
        }
        file.write_all(bytes).map_err(|error| FileError::new(&self.path.join(path), error.into()))
    }

    /// Empties a regular file, or makes it, and keeps it open for what is to be written.
    pub fn create(&self, path: &Path) -> Opened<File> {
        self.may_change(path)?;
        let file = self.regular(path, OFlags::WRONLY | OFlags::CREATE, Mode::from_raw_mode(0o666))?;
        let stat = rustix::fs::fstat(&file).map_err(|error| self.wrong(path, error))?;
        if stat.st_nlink > 1 {
            return Err(FileError::new(&self.path.join(path), Reason::SecondName));
        }
        file.set_len(0).map_err(|error| FileError::new(&self.path.join(path), error.into()))?;
        Ok(file)
    }

    /// Removes a regular file.
    pub fn remove(&self, path: &Path) -> Opened<()> {
        self.may_change(path)?;
        self.must_be_file(path, self.facts(path)?)?;
        let parent = self.parent(path)?;
        rustix::fs::unlinkat(&parent.directory, &parent.name, AtFlags::empty())
            .map_err(|error| self.wrong(path, error))
    }

    /// Gives a regular file another name; nothing that stands there is overwritten.
    pub fn rename(&self, from: &Path, to: &Path) -> Opened<()> {
        self.may_change(from)?;
        self.may_change(to)?;
        self.must_be_file(from, self.facts(from)?)?;
        let (old, new) = (self.parent(from)?, self.parent(to)?);
        rustix::fs::linkat(&old.directory, &old.name, &new.directory, &new.name, AtFlags::empty())
            .map_err(|error| self.wrong(to, error))?;
        rustix::fs::unlinkat(&old.directory, &old.name, AtFlags::empty())
            .map_err(|error| self.wrong(from, error))
    }

    /// Nothing is changed in the records of version control: a hook or a setting there is a program that the user's own
    /// tools start.
    fn may_change(&self, path: &Path) -> Opened<()> {
        let records =
            |part: Component<'_>| RECORDS.iter().any(|name| part.as_os_str().eq_ignore_ascii_case(name));
        if path.components().any(records) {
            return Err(FileError::new(&self.path.join(path), Reason::Records));
        }
        Ok(())
    }

    fn wrong(&self, path: &Path, error: Errno) -> FileError {
        FileError::new(&self.path.join(path), error.into())
    }

    fn must_be_file(&self, path: &Path, facts: Facts) -> Opened<Facts> {
        match facts.kind {
            Kind::File => Ok(facts),
            Kind::Link => Err(FileError::new(&self.path.join(path), Reason::Link)),
            Kind::Directory | Kind::Other => Err(FileError::new(&self.path.join(path), Reason::NotRegular)),
        }
    }

    fn regular(&self, path: &Path, flags: OFlags, mode: Mode) -> Opened<File> {
        let wrong = |reason: Reason| FileError::new(&self.path.join(path), reason);
        self.checked(path)?;
        let file = open::beneath(self.directory.as_fd(), path, flags, mode).map_err(wrong)?;
        let stat = rustix::fs::fstat(&file).map_err(|error| self.wrong(path, error))?;
        if facts(&stat).kind != Kind::File {
            return Err(wrong(Reason::NotRegular));
        }
        Ok(File::from(file))
    }

    fn directory(&self, path: &Path) -> Opened<OwnedFd> {
        let path = if is_root(path) { Path::new(".") } else { path };
        self.checked(path)?;
        open::beneath(self.directory.as_fd(), path, OFlags::DIRECTORY | OFlags::RDONLY, Mode::empty())
            .map_err(|reason| FileError::new(&self.path.join(path), reason))
    }

    fn parent(&self, path: &Path) -> Opened<Parent> {
        self.checked(path)?;
        let name = path.file_name().ok_or_else(|| FileError::new(&self.path.join(path), Reason::Outside))?;
        let directory = self.directory(path.parent().unwrap_or(Path::new("")))?;
        Ok(Parent { directory, name: name.to_owned() })
    }

    fn checked(&self, path: &Path) -> Opened<()> {
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !path.as_os_str().is_empty() && path.components().all(plain) {
            Ok(())
        } else {
            Err(FileError::new(&self.path.join(path), Reason::Outside))
        }
    }

    /// A new file beside one that is to be replaced. A name that is taken may be the work of the one who wrote the project.
    fn aside(&self, path: &Path, parent: &Parent) -> Opened<(String, File)> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY;
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let nanos = now.map_or(0, |since| since.subsec_nanos());
            let name = format!(".formicary-{}-{count}-{nanos}", std::process::id());
            let mode = Mode::from_raw_mode(0o666);
            match open::beneath(parent.directory.as_fd(), Path::new(&name), flags, mode) {
                Ok(file) => return Ok((name, File::from(file))),
                Err(Reason::Io(error)) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(reason) => return Err(FileError::new(&self.path.join(path), reason)),
            }
        }
    }
}

fn is_root(path: &Path) -> bool {
    path.components().all(|part| part == Component::CurDir)
}

fn kind(known: FileType) -> Kind {
    match known {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Directory,
        FileType::Symlink => Kind::Link,
        _ => Kind::Other,
    }
}

fn facts(stat: &Stat) -> Facts {
    Facts {
        kind: kind(FileType::from_raw_mode(stat.st_mode)),
        size: stat.st_size as u64,
        mode: stat.st_mode & 0o7777,
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
