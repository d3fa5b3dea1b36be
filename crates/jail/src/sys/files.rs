//! Opening, making and filling files.

use super::{Done, Fault, c, check};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

/// Opens `path` as a handle that can only be mounted or opened again.
pub fn open_path(path: &str) -> Done<OwnedFd> {
    open(path, libc::O_PATH)
}

/// Opens a folder for reading.
pub fn open_folder(path: &str) -> Done<OwnedFd> {
    open(path, libc::O_RDONLY | libc::O_DIRECTORY)
}

/// Opens a file for reading.
pub fn open_read(path: &str) -> Done<OwnedFd> {
    open(path, libc::O_RDONLY)
}

fn open(path: &str, flags: i32) -> Done<OwnedFd> {
    let name = c(path)?;
    // SAFETY: `name` outlives the call.
    let fd = unsafe { libc::open(name.as_ptr(), flags | libc::O_CLOEXEC) };
    check(fd.into(), || format!("open {path}"))?;
    // SAFETY: just opened, owned by nobody else.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Whether the handle is a folder.
pub fn is_folder(fd: RawFd) -> Done<bool> {
    Ok(facts(fd)?.st_mode & libc::S_IFMT == libc::S_IFDIR)
}

/// The user and group that own what the handle stands for.
pub fn owner(fd: RawFd) -> Done<(u32, u32)> {
    let facts = facts(fd)?;
    Ok((facts.st_uid, facts.st_gid))
}

fn facts(fd: RawFd) -> Done<libc::stat> {
    // SAFETY: `stat` is plain integers that the call fills.
    unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        check(libc::fstat(fd, &raw mut stat).into(), || "fstat".into())?;
        Ok(stat)
    }
}

/// Makes a folder, and those above it, under the new root. Folders that exist are fine.
pub fn make_folders(root: &str, relative: &str) -> Done {
    let mut path = String::from(root);
    for part in relative.split('/').filter(|part| !part.is_empty()) {
        path.push('/');
        path.push_str(part);
        make_folder(&path)?;
    }
    Ok(())
}

fn make_folder(path: &str) -> Done {
    let name = c(path)?;
    // SAFETY: `name` outlives the call.
    if unsafe { libc::mkdir(name.as_ptr(), 0o755) } == 0 {
        return Ok(());
    }
    match Fault::last(format!("mkdir {path}")) {
        fault if fault.errno == libc::EEXIST => Ok(()),
        fault => Err(fault),
    }
}

/// Makes a symbolic link.
pub fn link(target: &str, path: &str) -> Done {
    let (to, name) = (c(target)?, c(path)?);
    // SAFETY: both outlive the call.
    check(unsafe { libc::symlink(to.as_ptr(), name.as_ptr()) }.into(), || format!("symlink {path}"))?;
    Ok(())
}

/// Makes an empty file to mount something on.
pub fn make_empty(path: &str) -> Done {
    create(path, 0o644).map(drop)
}

/// Creates a file that did not exist, never through a link.
fn create(path: &str, mode: u32) -> Done<OwnedFd> {
    let name = c(path)?;
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    // SAFETY: `name` outlives the call.
    let fd = unsafe { libc::open(name.as_ptr(), flags, mode) };
    check(fd.into(), || format!("create {path}"))?;
    // SAFETY: just opened, owned by nobody else.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Creates a file from the next `len` bytes of `from`, starting at `offset`, which moves on.
pub fn copy_into(path: &str, mode: u32, from: RawFd, offset: &mut i64, len: u64) -> Done {
    let file = create(path, mode)?;
    let mut left = len as usize;
    while left > 0 {
        // SAFETY: both descriptors are open and `offset` outlives the call.
        let sent = unsafe { libc::sendfile(file.as_raw_fd(), from, offset, left) };
        match check(sent as i64, || format!("write {path}"))? {
            0 => return Err(Fault { step: format!("write {path}: bytes missing"), errno: libc::EIO }),
            sent => left -= sent as usize,
        }
    }
    Ok(())
}

/// Sets a file's or folder's permission bits, whatever the umask was.
pub fn set_mode(path: &str, mode: u32) -> Done {
    let name = c(path)?;
    // SAFETY: `name` outlives the call.
    check(unsafe { libc::chmod(name.as_ptr(), mode) }.into(), || format!("chmod {path}"))?;
    Ok(())
}

/// Writes `text` to an existing file in one call, as `/proc` and cgroup files want it.
pub fn write_once(path: &str, text: &str) -> Done {
    let fd = open(path, libc::O_WRONLY)?;
    // SAFETY: the buffer outlives the call.
    let written = unsafe { libc::write(fd.as_raw_fd(), text.as_ptr().cast(), text.len()) };
    check(written as i64, || format!("write {path}"))?;
    Ok(())
}

/// Reads a whole small file.
pub fn read_all(fd: RawFd, len: usize, offset: i64) -> Done<Vec<u8>> {
    let mut bytes = vec![0; len];
    let mut have = 0;
    while have < len {
        // SAFETY: the range lies within `bytes`.
        let got =
            unsafe { libc::pread(fd, bytes[have..].as_mut_ptr().cast(), len - have, offset + have as i64) };
        match check(got as i64, || "read the order".into())? {
            0 => break,
            got => have += got as usize,
        }
    }
    bytes.truncate(have);
    Ok(bytes)
}

/// Whether the file system of the working folder is out of blocks or files.
pub fn is_full(path: &str) -> bool {
    let Ok(name) = c(path) else { return false };
    // SAFETY: statvfs is plain integers; both outlive the call.
    unsafe {
        let mut stat: libc::statvfs = std::mem::zeroed();
        libc::statvfs(name.as_ptr(), &raw mut stat) == 0 && (stat.f_bavail == 0 || stat.f_favail == 0)
    }
}
