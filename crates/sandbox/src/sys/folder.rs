//! Looking into a folder that a hostile program has filled, never leaving it.

use super::check;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An ordinary file.
    File,
    /// A folder.
    Folder,
    /// A link, device, pipe or socket.
    Other,
}

/// A name's facts, never those of a link's target.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    /// What it is.
    pub kind: Kind,
    /// Size in bytes as it claims.
    pub size: u64,
    /// Whether its owner may execute it.
    pub executable: bool,
}

/// The names in a folder.
pub fn names(folder: &OwnedFd) -> io::Result<Vec<OsString>> {
    let again = open_beneath(folder, OsStr::new("."), libc::O_RDONLY | libc::O_DIRECTORY)?;
    let mut found = Vec::new();
    // SAFETY: fdopendir takes the descriptor over, closedir closes it; each entry is copied before the next is read.
    unsafe {
        let stream = libc::fdopendir(std::os::fd::IntoRawFd::into_raw_fd(again));
        if stream.is_null() {
            return Err(io::Error::last_os_error());
        }
        loop {
            let entry = libc::readdir64(stream);
            if entry.is_null() {
                break;
            }
            let name = CStr::from_ptr((*entry).d_name.as_ptr()).to_bytes();
            if name != b"." && name != b".." {
                found.push(OsString::from_vec(name.to_vec()));
            }
        }
        libc::closedir(stream);
    }
    Ok(found)
}

/// Facts of one name in a folder.
pub fn facts(folder: &OwnedFd, name: &OsStr) -> io::Result<Facts> {
    let name = CString::new(name.as_bytes())?;
    // SAFETY: `stat` is plain data; the name outlives the call.
    let stat = unsafe {
        let mut stat: libc::stat64 = std::mem::zeroed();
        check(
            libc::fstatat64(folder.as_raw_fd(), name.as_ptr(), &raw mut stat, libc::AT_SYMLINK_NOFOLLOW)
                .into(),
        )?;
        stat
    };
    let kind = match stat.st_mode & libc::S_IFMT {
        libc::S_IFREG => Kind::File,
        libc::S_IFDIR => Kind::Folder,
        _ => Kind::Other,
    };
    Ok(Facts { kind, size: stat.st_size as u64, executable: stat.st_mode & 0o100 != 0 })
}

/// Opens a folder in a folder, giving its owner the right to read it first where that was taken away.
pub fn open_folder(folder: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
    with_rights(folder, name, 0o700, || open_beneath(folder, name, libc::O_RDONLY | libc::O_DIRECTORY))
}

/// Opens a file in a folder for reading, likewise. It never waits, whatever it turns out to be.
pub fn open_file(folder: &OwnedFd, name: &OsStr) -> io::Result<File> {
    with_rights(folder, name, 0o600, || {
        open_beneath(folder, name, libc::O_RDONLY | libc::O_NONBLOCK).map(File::from)
    })
}

fn with_rights<T>(
    folder: &OwnedFd,
    name: &OsStr,
    mode: u32,
    open: impl Fn() -> io::Result<T>,
) -> io::Result<T> {
    match open() {
        Err(error) if error.raw_os_error() == Some(libc::EACCES) => {
            let name = CString::new(name.as_bytes())?;
            // SAFETY: the name outlives the call. The program is dead: the name cannot turn into a link meanwhile.
            unsafe { libc::fchmodat(folder.as_raw_fd(), name.as_ptr(), mode, 0) };
            open()
        }
        other => other,
    }
}

/// `openat2` that stays beneath the folder, on its file system, and follows no link of any kind.
fn open_beneath(folder: &OwnedFd, name: &OsStr, flags: i32) -> io::Result<OwnedFd> {
    let name = CString::new(name.as_bytes())?;
    // SAFETY: open_how is plain integers; everything outlives the call; the descriptor is new.
    unsafe {
        let mut how: libc::open_how = std::mem::zeroed();
        how.flags = (flags | libc::O_CLOEXEC | libc::O_NOFOLLOW) as u64;
        how.resolve = libc::RESOLVE_BENEATH
            | libc::RESOLVE_NO_SYMLINKS
            | libc::RESOLVE_NO_MAGICLINKS
            | libc::RESOLVE_NO_XDEV;
        let fd = libc::syscall(
            libc::SYS_openat2,
            folder.as_raw_fd(),
            name.as_ptr(),
            &raw const how,
            size_of::<libc::open_how>(),
        );
        Ok(OwnedFd::from_raw_fd(check(fd)? as RawFd))
    }
}

/// Reads a small file beneath a folder that the kernel itself fills (`/proc` of a sandbox).
pub fn read_text(folder: &OwnedFd, path: &str) -> io::Result<String> {
    open_text(folder, path).and_then(io::read_to_string)
}

fn open_text(folder: &OwnedFd, path: &str) -> io::Result<File> {
    let name = CString::new(path)?;
    // SAFETY: the name outlives the call; the descriptor is new and owned by nobody else.
    unsafe {
        let fd = libc::openat(
            folder.as_raw_fd(),
            name.as_ptr(),
            libc::O_RDONLY | libc::O_CLOEXEC | libc::O_NOFOLLOW,
        );
        Ok(File::from_raw_fd(check(fd.into())? as RawFd))
    }
}

/// Reads a file like [`read_text`], but no more than `most` bytes of it.
pub fn read_beginning(folder: &OwnedFd, path: &str, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_text(folder, path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Where a link of the kernel's own points to (`/proc` of a sandbox).
pub fn read_link(folder: &OwnedFd, path: &str) -> io::Result<Vec<u8>> {
    let name = CString::new(path)?;
    let mut buffer = vec![0u8; 256];
    // SAFETY: the name and the buffer outlive the call, and the length is the buffer's.
    let length = unsafe {
        libc::readlinkat(folder.as_raw_fd(), name.as_ptr(), buffer.as_mut_ptr().cast(), buffer.len())
    };
    buffer.truncate(check(length as i64)? as usize);
    Ok(buffer)
}

/// How full a file system is.
#[derive(Debug, Clone, Copy)]
pub struct FileSystem {
    /// Bytes in use.
    pub used: u64,
    /// Whether there is no room for another byte or another file.
    pub full: bool,
}

/// How full the file system is on which this folder lies.
pub fn file_system(folder: &OwnedFd) -> io::Result<FileSystem> {
    // SAFETY: statvfs is plain integers that the call fills.
    unsafe {
        let mut stats: libc::statvfs64 = std::mem::zeroed();
        check(libc::fstatvfs64(folder.as_raw_fd(), &raw mut stats).into())?;
        let used = (stats.f_blocks - stats.f_bfree) * stats.f_frsize;
        Ok(FileSystem { used, full: stats.f_bavail == 0 || stats.f_favail == 0 })
    }
}

/// Whether this process may write there, by its effective rights and the file system's own.
pub fn check_writable(path: &std::path::Path) -> io::Result<()> {
    let name = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: the name outlives the call.
    check(unsafe { libc::faccessat(libc::AT_FDCWD, name.as_ptr(), libc::W_OK, libc::AT_EACCESS) }.into())?;
    Ok(())
}
