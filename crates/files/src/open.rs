//! The one place that opens: by `openat2`, or part by part where the kernel or a filter around us lacks it.

use crate::error::Reason;
use rustix::fs::{Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::Errno;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether `openat2` was refused once: then it is not tried again.
static LACKING: AtomicBool = AtomicBool::new(false);
/// A directory that is renamed at the same time makes the kernel ask for another try.
const TRIES: usize = 16;

const ALWAYS: OFlags = OFlags::CLOEXEC.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::NOCTTY);
const DIRECTORY: OFlags = OFlags::DIRECTORY.union(OFlags::RDONLY);

/// Opens what is at `path` beneath `root`. Nothing on the way is a link, and nothing that is opened blocks.
pub(crate) fn beneath(
    root: BorrowedFd<'_>,
    path: &Path,
    flags: OFlags,
    mode: Mode,
) -> Result<OwnedFd, Reason> {
    if !LACKING.load(Ordering::Relaxed) {
        match at_once(root, path, flags, mode) {
            // A filter around us may refuse the call by either number; a file's own refusal is then found below.
            Err(Errno::NOSYS | Errno::PERM) => {}
            Err(Errno::NOTDIR) => return Err(not_a_directory(root, path)),
            other => return Ok(other?),
        }
        if matches!(at_once(root, Path::new("."), DIRECTORY, Mode::empty()), Err(Errno::NOSYS | Errno::PERM))
        {
            LACKING.store(true, Ordering::Relaxed);
        }
    }
    part_by_part(root, path, flags, mode)
}

fn at_once(root: BorrowedFd<'_>, path: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let mut tries = 0;
    loop {
        match openat2(root, path, flags | ALWAYS, mode, resolve) {
            Err(Errno::AGAIN | Errno::INTR) if tries < TRIES => tries += 1,
            other => return other,
        }
    }
}

/// The same without `openat2`: every directory on the way is opened by itself.
pub(crate) fn part_by_part(
    root: BorrowedFd<'_>,
    path: &Path,
    flags: OFlags,
    mode: Mode,
) -> Result<OwnedFd, Reason> {
    let mut parts: Vec<_> = path.components().filter(|part| *part != Component::CurDir).collect();
    if parts.iter().any(|part| !matches!(part, Component::Normal(_))) {
        return Err(Reason::Outside);
    }
    let Some(last) = parts.pop() else {
        return Ok(openat(root, ".", flags | ALWAYS, mode)?);
    };
    let mut directory: Option<OwnedFd> = None;
    for part in parts {
        let here = directory.as_ref().map_or(root, AsFd::as_fd);
        let opened = openat(here, part.as_os_str(), DIRECTORY | ALWAYS, Mode::empty());
        directory = Some(opened.map_err(|error| link_or(here, part.as_os_str().as_ref(), error))?);
    }
    let here = directory.as_ref().map_or(root, AsFd::as_fd);
    openat(here, last.as_os_str(), flags | ALWAYS, mode)
        .map_err(|error| link_or(here, last.as_os_str().as_ref(), error))
}

/// `O_DIRECTORY` and `O_NOFOLLOW` together say "not a directory" of a link.
fn link_or(directory: BorrowedFd<'_>, name: &Path, error: Errno) -> Reason {
    let is_link = || {
        let stat = rustix::fs::statat(directory, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW);
        stat.is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode).is_symlink())
    };
    if error == Errno::NOTDIR && is_link() { Reason::Link } else { error.into() }
}

fn not_a_directory(root: BorrowedFd<'_>, path: &Path) -> Reason {
    match part_by_part(root, path, DIRECTORY, Mode::empty()) {
        Err(reason) => reason,
        Ok(_) => Reason::NotADirectory,
    }
}
