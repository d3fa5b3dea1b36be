//! Files that the user names, wherever they are.

use crate::place::Place;
use crate::project::project_of;
use rustix::fs::{FileType, Mode, OFlags};
use std::fs::File;
use std::io::{Error, ErrorKind, IsTerminal as _, Result, Write as _};
use std::path::Path;

/// The file system of pipes without a name, which a shell makes for `<(command)`.
const PIPES: u64 = 0x5049_5045;

/// Opens a file that the user names, for reading. A link is the user's own. A named pipe is refused at once: opening it waits
/// until somebody writes, which may be never. One that the shell has opened already, as in `<(command)`, is read.
pub fn open_named(path: &Path) -> Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let refused = |why: &str| Err(Error::new(ErrorKind::InvalidInput, why));
    match FileType::from_raw_mode(rustix::fs::fstat(&file)?.st_mode) {
        FileType::RegularFile => {}
        FileType::CharacterDevice if is_read_to_its_end(&file)? => {}
        FileType::CharacterDevice => return refused("it is a device"),
        FileType::Fifo if rustix::fs::fstatfs(&file)?.f_type as u64 == PIPES => {}
        FileType::Fifo => return refused("it is a named pipe, and whether anybody writes to it is unknown"),
        FileType::Directory => return refused("it is a directory"),
        _ => return refused("it is not a regular file"),
    }
    rustix::fs::fcntl_setfl(&file, rustix::fs::fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

/// Writes a file that the user names. In a project that somebody else wrote, a link of that name would be theirs: none is
/// followed there. A device of the user's, such as `/dev/stdout`, is written to as it is.
pub fn write_named(here: &Path, path: &Path, bytes: &[u8]) -> Result<()> {
    match place_of(here, path)? {
        Some(place) => place.root.write(&place.path, bytes).map_err(Error::other),
        None => File::options().write(true).open(path)?.write_all(bytes),
    }
}

/// The same for what is written bit by bit.
pub fn create_named(here: &Path, path: &Path) -> Result<File> {
    match place_of(here, path)? {
        Some(place) => place.root.create(&place.path).map_err(Error::other),
        None => File::options().write(true).open(path),
    }
}

/// Where it is; nothing for a device.
fn place_of(here: &Path, path: &Path) -> Result<Option<Place>> {
    if ["/dev", "/proc"].iter().any(|directory| path.starts_with(directory)) {
        return Ok(None);
    }
    let project = project_of(here, &crate::project::MARKS).unwrap_or_else(|| here.to_owned());
    Place::of(&project, &here.join(path)).map(Some).map_err(Error::other)
}

/// Whether a device is a terminal, or gives nothing: others, as `/dev/zero`, have no end.
fn is_read_to_its_end(file: &File) -> Result<bool> {
    Ok(file.is_terminal() || rustix::fs::fstat(file)?.st_rdev == rustix::fs::makedev(1, 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;
    use std::os::fd::AsRawFd as _;

    #[test]
    fn what_could_wait_without_end_is_refused_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let pipe = path("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, FileType::Fifo, 0o600.into(), 0).unwrap();
        std::os::unix::fs::symlink("pipe", path("link")).unwrap();
        let _listener = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        for name in ["pipe", "link"] {
            let error = open_named(&path(name)).unwrap_err();
            assert!(error.to_string().contains("named pipe"), "{error}");
        }
        std::os::unix::fs::symlink("/dev/zero", path("zero")).unwrap();
        for name in ["socket", ".", "missing", "zero", "/dev/random"] {
            assert!(open_named(&path(name)).is_err(), "{name}");
        }
        // With somebody who writes it is no better: the next one may not.
        let both = std::fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
        assert!(open_named(&pipe).is_err());
        drop(both);
    }

    #[test]
    fn files_and_what_the_shell_has_opened_are_read() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("file"), "text").unwrap();
        std::os::unix::fs::symlink("file", directory.path().join("link")).unwrap();
        let read = |path: &Path| {
            let mut text = String::new();
            open_named(path).and_then(|mut file| file.read_to_string(&mut text)).unwrap();
            text
        };
        for name in ["file", "link"] {
            assert_eq!(read(&directory.path().join(name)), "text");
        }
        assert_eq!(read(Path::new("/dev/null")), "");
        let (reader, mut writer) = std::io::pipe().unwrap();
        let shell = format!("/dev/fd/{}", reader.as_raw_fd());
        let late = std::thread::spawn(move || writer.write_all(b"late"));
        assert_eq!(read(Path::new(&shell)), "late");
        late.join().unwrap().unwrap();
    }

    /// A repository may hold a link by the name that the documentation gives to a report.
    #[test]
    fn a_link_in_somebodys_project_is_not_written_through() {
        let directory = tempfile::tempdir().unwrap();
        let real = directory.path().canonicalize().unwrap();
        let (own, project) = (real.join("profile"), real.join("project"));
        std::fs::create_dir_all(project.join(".git")).unwrap();
        std::fs::create_dir_all(project.join("sub")).unwrap();
        std::fs::write(&own, "own").unwrap();
        std::os::unix::fs::symlink(&own, project.join("report.csv")).unwrap();
        std::os::unix::fs::symlink(&real, project.join("out")).unwrap();
        std::os::unix::fs::symlink(&own, real.join("mine")).unwrap();
        for (here, name) in [
            (&project, "report.csv"),
            (&project, "./sub/../report.csv"),
            (&project, "out/profile"),
            (&project.join("sub"), "../report.csv"),
            (&project, ".git/hooks/x"),
        ] {
            assert!(write_named(here, Path::new(name), b"x").is_err(), "{name}");
            assert!(create_named(here, Path::new(name)).is_err(), "{name}");
        }
        assert!(write_named(&project, &project.join("report.csv"), b"x").is_err());
        assert_eq!(std::fs::read(&own).unwrap(), b"own");
        write_named(&project, Path::new("new.csv"), b"x").unwrap();
        create_named(&project, Path::new("../events")).unwrap().write_all(b"y").unwrap();
        write_named(&project, Path::new("/dev/null"), b"x").unwrap();
        assert_eq!(std::fs::read(project.join("new.csv")).unwrap(), b"x");
        // Elsewhere a link is the user's own.
        write_named(&project, &real.join("mine"), b"mine").unwrap();
        assert_eq!(std::fs::read(&own).unwrap(), b"mine");
    }
}
