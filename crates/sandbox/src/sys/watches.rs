//! Watches on files, made for a program by its controller: of its own files and no others. A filter cannot see a path, and what
//! a program passes by address it may change; so the place is looked up once, here, and that very place is watched.

use super::check;
use super::notify::{self, Call};
use std::ffi::{CString, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

/// The longest path that the kernel takes, with its end.
const LONGEST: usize = 4096;
/// What is read at a time: memory behind the end of a path may not be there.
const PAGE: u64 = 4096;

/// Makes the watch that a call asks for, if the program may watch what has this path inside. Returns its number.
pub fn add(listener: &OwnedFd, call: Call, may_watch: impl Fn(&Path) -> bool) -> io::Result<i64> {
    let process = PathBuf::from(format!("/proc/{}", call.thread));
    let (memory, root) = (File::open(process.join("mem"))?, open_path(&process.join("root"))?);
    let directory = std::fs::read_link(process.join("cwd"))?;
    let theirs = handle_of(call.thread, &process)?;
    // Whoever called still waits: so the number was not another's while these were opened.
    notify::still_waits(listener, call)?;
    let written = text_at(&memory, call.second_argument)?;
    if written.as_os_str().is_empty() {
        return Err(io::Error::from_raw_os_error(libc::ENOENT));
    }
    let mask = call.third_argument as u32;
    let place = looked_up(&root, &directory.join(written), mask)?;
    let seen = PathBuf::from(format!("/proc/self/fd/{}", place.as_raw_fd()));
    if !may_watch(&std::fs::read_link(&seen)?) {
        return Err(io::Error::from_raw_os_error(libc::EACCES));
    }
    let watcher = taken_from(&theirs, call.first_argument as RawFd)?;
    let seen = CString::new(seen.as_os_str().as_bytes())?;
    // The way to the place is a link itself; whether the last part of what was written is followed has been decided.
    let mask = mask & !libc::IN_DONT_FOLLOW;
    // SAFETY: the path outlives the call; a descriptor of any other kind is refused by the kernel.
    let number = unsafe { libc::inotify_add_watch(watcher.as_raw_fd(), seen.as_ptr(), mask) };
    check(number.into())
}

fn open_path(path: &Path) -> io::Result<OwnedFd> {
    let name = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: the name outlives the call; the descriptor is new and owned by nobody else.
    unsafe {
        let fd = libc::open(name.as_ptr(), libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC);
        Ok(OwnedFd::from_raw_fd(check(fd.into())? as RawFd))
    }
}

/// A handle of the thread itself, or of its process where the kernel has none of threads.
fn handle_of(thread: i32, process: &Path) -> io::Result<OwnedFd> {
    let open = |number: i32, flags: i32| {
        // SAFETY: plain integers; the descriptor is new and owned by nobody else.
        unsafe {
            let fd = libc::syscall(libc::SYS_pidfd_open, number, flags);
            Ok(OwnedFd::from_raw_fd(check(fd)? as RawFd))
        }
    };
    // PIDFD_THREAD has the number of O_EXCL.
    open(thread, libc::O_EXCL).or_else(|_: io::Error| {
        let status = std::fs::read_to_string(process.join("status"))?;
        let leader = status.lines().find_map(|line| line.strip_prefix("Tgid:"));
        let leader = leader.and_then(|number| number.trim().parse().ok());
        open(leader.ok_or(io::ErrorKind::NotFound)?, 0)
    })
}

/// One of a process's own descriptors.
fn taken_from(process: &OwnedFd, descriptor: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: plain integers; the descriptor is new and owned by nobody else.
    unsafe {
        let fd = libc::syscall(libc::SYS_pidfd_getfd, process.as_raw_fd(), descriptor, 0);
        Ok(OwnedFd::from_raw_fd(check(fd)? as RawFd))
    }
}

/// The path that stands in a program's memory.
fn text_at(memory: &File, address: u64) -> io::Result<OsString> {
    let fault = || io::Error::from_raw_os_error(libc::EFAULT);
    let mut text = Vec::new();
    while text.len() < LONGEST {
        let at = address.checked_add(text.len() as u64).ok_or_else(fault)?;
        let mut part = vec![0; (PAGE - at % PAGE) as usize];
        let read = memory.read_at(&mut part, at).ok().filter(|read| *read > 0).ok_or_else(fault)?;
        part.truncate(read);
        if let Some(end) = part.iter().position(|byte| *byte == 0) {
            text.extend_from_slice(&part[..end]);
            return Ok(OsString::from_vec(text));
        }
        text.extend(part);
    }
    Err(io::Error::from_raw_os_error(libc::ENAMETOOLONG))
}

/// What a path means for a program with this root, looked up as the program would.
fn looked_up(root: &OwnedFd, path: &Path, mask: u32) -> io::Result<OwnedFd> {
    let name = CString::new(path.as_os_str().as_bytes())?;
    let flag = |asked: u32, flag: i32| if mask & asked != 0 { flag } else { 0 };
    let flags = flag(libc::IN_DONT_FOLLOW, libc::O_NOFOLLOW) | flag(libc::IN_ONLYDIR, libc::O_DIRECTORY);
    // SAFETY: open_how is plain integers; everything outlives the call; the descriptor is new.
    unsafe {
        let mut how: libc::open_how = std::mem::zeroed();
        how.flags = (libc::O_PATH | libc::O_CLOEXEC | flags) as u64;
        how.resolve = libc::RESOLVE_IN_ROOT | libc::RESOLVE_NO_MAGICLINKS;
        let fd = libc::syscall(
            libc::SYS_openat2,
            root.as_raw_fd(),
            name.as_ptr(),
            &raw const how,
            size_of::<libc::open_how>(),
        );
        Ok(OwnedFd::from_raw_fd(check(fd)? as RawFd))
    }
}
