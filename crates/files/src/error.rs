//! Why a file was not opened, read or written.

use rustix::io::Errno;
use std::io;
use std::path::{Path, PathBuf};

/// A file and what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct FileError {
    /// The path as the caller named it, below the root's own.
    pub path: PathBuf,
    /// What is wrong.
    pub reason: Reason,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// There is none.
    #[error("no such file or directory")]
    Missing,
    /// The file, or a directory on the way to it, is a link.
    #[error("it is, or leads through, a symbolic link; none is followed here")]
    Link,
    /// A pipe, a device, a socket or a directory.
    #[error("it is not a regular file")]
    NotRegular,
    /// Something else stands where a directory is needed.
    #[error("it is not a directory")]
    NotADirectory,
    /// It is another file's too.
    #[error("it has a second name (a hard link); nothing is added to it")]
    SecondName,
    /// Version control's own.
    #[error("it belongs to the records of version control; nothing is changed there")]
    Records,
    /// More bytes than the caller reads.
    #[error("it is larger than {0} bytes")]
    TooLarge(u64),
    /// The path is absolute, empty, or has `..` in it.
    #[error("the path leaves the directory")]
    Outside,
    /// The bytes are not text.
    #[error("it is not UTF-8 at byte {0}")]
    NotUtf8(usize),
    /// The host refused.
    #[error("{0}")]
    Io(io::Error),
}

impl FileError {
    pub(crate) fn new(path: &Path, reason: Reason) -> Self {
        Self { path: path.to_owned(), reason }
    }

    /// Whether there is no such file: often that is no failure.
    pub fn is_missing(&self) -> bool {
        matches!(self.reason, Reason::Missing)
    }
}

impl From<Errno> for Reason {
    fn from(error: Errno) -> Self {
        match error {
            Errno::NOENT => Self::Missing,
            Errno::LOOP => Self::Link,
            Errno::NOTDIR => Self::NotADirectory,
            // A socket, or a pipe that nobody reads.
            Errno::NXIO | Errno::ISDIR => Self::NotRegular,
            Errno::XDEV => Self::Outside,
            other => Self::Io(other.into()),
        }
    }
}

impl From<io::Error> for Reason {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
