//! Opening, making and filling files.

use super::raw::{Fd, sys};
use super::{Done, Fault, c, check};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Opens `path` as a handle that can only be mounted or opened again.
pub fn open_path(path: &str) -> Done<Fd> {
    open(path, libc::O_PATH)
}

/// Opens a folder for reading.
pub fn open_folder(path: &str) -> Done<Fd> {
    open(path, libc::O_RDONLY | libc::O_DIRECTORY)
}

/// Opens a file for reading.
pub fn open_read(path: &str) -> Done<Fd> {
    open(path, libc::O_RDONLY)
}

fn open(path: &str, flags: i32) -> Done<Fd> {
    let name = c(path)?;
    // SAFETY: `name` outlives the call.
    let fd = unsafe { sys!(libc::SYS_openat, libc::AT_FDCWD, name.as_ptr(), flags | libc::O_CLOEXEC, 0) };
    check(fd, || format!("open {path}")).map(Fd::new)
}

/// Whether the handle is a folder.
pub fn is_folder(fd: &Fd) -> Done<bool> {
    Ok(facts(fd)?.st_mode & libc::S_IFMT == libc::S_IFDIR)
}

/// The user and group that own what the handle stands for.
pub fn owner(fd: &Fd) -> Done<(u32, u32)> {
    let facts = facts(fd)?;
    Ok((facts.st_uid, facts.st_gid))
}

fn facts(fd: &Fd) -> Done<libc::stat> {
    // SAFETY: `stat` is plain integers that the call fills.
    unsafe {
        let mut stat: libc::stat = core::mem::zeroed();
        check(sys!(libc::SYS_fstat, fd.raw(), &raw mut stat), || "fstat".into())?;
        Ok(stat)
    }
}

/// Makes a folder, and those above it, under the new root. Folders that exist are fine.
pub fn make_folders(root: &str, relative: &str) -> Done {
    // Mostly those above it do.
    if make_folder(&format!("{root}/{relative}")).is_ok() {
        return Ok(());
    }
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
    match unsafe { sys!(libc::SYS_mkdirat, libc::AT_FDCWD, name.as_ptr(), 0o755) } {
        Err(libc::EEXIST) => Ok(()),
        answer => check(answer, || format!("mkdir {path}")).map(drop),
    }
}

/// Removes an empty folder.
pub fn remove_folder(path: &str) -> Done {
    let name = c(path)?;
    // SAFETY: `name` outlives the call.
    let answer = unsafe { sys!(libc::SYS_unlinkat, libc::AT_FDCWD, name.as_ptr(), libc::AT_REMOVEDIR) };
    check(answer, || format!("rmdir {path}")).map(drop)
}

/// The names in a folder.
pub fn names(path: &str) -> Done<Vec<String>> {
    /// Of an entry as the kernel gives it: where its length and its name are.
    const LENGTH_AT: usize = 16;
    const NAME_AT: usize = 19;
    let folder = open_folder(path)?;
    let mut names = Vec::new();
    let mut buffer = vec![0u8; 32 * 1024];
    loop {
        // SAFETY: the buffer outlives the call and its length is given.
        let got = unsafe { sys!(libc::SYS_getdents64, folder.raw(), buffer.as_mut_ptr(), buffer.len()) };
        let mut rest = &buffer[..check(got, || format!("list {path}"))?];
        if rest.is_empty() {
            return Ok(names);
        }
        while let Some(length) = rest.get(LENGTH_AT..LENGTH_AT + 2) {
            let length = usize::from(u16::from_le_bytes([length[0], length[1]])).max(NAME_AT);
            let name = rest.get(NAME_AT..length).unwrap_or_default().split(|byte| *byte == 0).next();
            names.push(String::from_utf8_lossy(name.unwrap_or_default()).into_owned());
            rest = rest.get(length..).unwrap_or_default();
        }
    }
}

/// Makes a symbolic link.
pub fn link(target: &str, path: &str) -> Done {
    let (to, name) = (c(target)?, c(path)?);
    // SAFETY: both outlive the call.
    let answer = unsafe { sys!(libc::SYS_symlinkat, to.as_ptr(), libc::AT_FDCWD, name.as_ptr()) };
    check(answer, || format!("symlink {path}")).map(drop)
}

/// Makes an empty file to mount something on.
pub fn make_empty(path: &str) -> Done {
    create(path, 0o644).map(drop)
}

/// Creates a file that did not exist, never through a link.
fn create(path: &str, mode: u32) -> Done<Fd> {
    let name = c(path)?;
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    // SAFETY: `name` outlives the call.
    let fd = unsafe { sys!(libc::SYS_openat, libc::AT_FDCWD, name.as_ptr(), flags, mode) };
    check(fd, || format!("create {path}")).map(Fd::new)
}

/// Creates a file that holds these bytes.
pub fn write_new(path: &str, mode: u32, bytes: &[u8]) -> Done {
    let file = create(path, mode)?;
    let mut rest = bytes;
    while !rest.is_empty() {
        // SAFETY: the bytes outlive the call and their length is given.
        let written = unsafe { sys!(libc::SYS_write, file.raw(), rest.as_ptr(), rest.len()) };
        rest = &rest[check(written, || format!("write {path}"))?..];
    }
    Ok(())
}

/// The content of a file in memory that can never change again; it stays where it is.
pub fn map(fd: i32) -> Done<&'static [u8]> {
    // SAFETY: `stat` is plain integers that the call fills.
    let size = unsafe {
        let mut stat: libc::stat = core::mem::zeroed();
        check(sys!(libc::SYS_fstat, fd, &raw mut stat), || "fstat of the order".into())?;
        stat.st_size as usize
    };
    if size == 0 {
        return Ok(&[]);
    }
    // SAFETY: a new mapping touches nothing that exists; the file is sealed, so that its pages neither change nor go,
    // and it is never unmapped.
    unsafe {
        let at = sys!(libc::SYS_mmap, 0, size, libc::PROT_READ, libc::MAP_PRIVATE, fd, 0);
        let at = check(at, || "map the order".into())?;
        Ok(core::slice::from_raw_parts(at as *const u8, size))
    }
}

/// Sets a file's or folder's permission bits, whatever the umask was.
pub fn set_mode(path: &str, mode: u32) -> Done {
    let name = c(path)?;
    // SAFETY: `name` outlives the call.
    let answer = unsafe { sys!(libc::SYS_fchmodat, libc::AT_FDCWD, name.as_ptr(), mode) };
    check(answer, || format!("chmod {path}")).map(drop)
}

/// Writes `text` to an existing file in one call, as `/proc` and cgroup files want it.
pub fn write_once(path: &str, text: &str) -> Done {
    let fd = open(path, libc::O_WRONLY)?;
    write_descriptor(fd.raw(), text).map_err(|fault| Fault { step: format!("write {path}"), ..fault })
}

/// Writes `text` in one call to a file that is open already.
pub fn write_descriptor(fd: i32, text: &str) -> Done {
    // SAFETY: the buffer outlives the call.
    let written = unsafe { sys!(libc::SYS_write, fd, text.as_ptr(), text.len()) };
    check(written, || "write to a descriptor".into()).map(drop)
}

/// Reads a file of the kernel's, which gives all of it in one call.
pub fn read_at_once(fd: &Fd, most: usize) -> Done<Vec<u8>> {
    let mut bytes = vec![0; most];
    // SAFETY: the buffer outlives the call and its length is given.
    let got = unsafe { sys!(libc::SYS_read, fd.raw(), bytes.as_mut_ptr(), bytes.len()) };
    bytes.truncate(check(got, || "read".into())?);
    Ok(bytes)
}

/// Reads a whole small file.
pub fn read_all(fd: i32, len: usize, offset: i64) -> Done<Vec<u8>> {
    let mut bytes = vec![0; len];
    let mut have = 0;
    while have < len {
        let rest = &mut bytes[have..];
        // SAFETY: the range lies within `bytes`.
        let got = unsafe { sys!(libc::SYS_pread64, fd, rest.as_mut_ptr(), rest.len(), offset + have as i64) };
        match check(got, || "read the order".into())? {
            0 => break,
            got => have += got,
        }
    }
    bytes.truncate(have);
    Ok(bytes)
}

/// Whether the file system of the working folder is out of blocks or files.
pub fn is_full(path: &str) -> bool {
    let Ok(name) = c(path) else { return false };
    // SAFETY: statfs is plain integers; both outlive the call.
    unsafe {
        let mut stat: libc::statfs = core::mem::zeroed();
        sys!(libc::SYS_statfs, name.as_ptr(), &raw mut stat).is_ok()
            && (stat.f_bavail == 0 || stat.f_ffree == 0)
    }
}
