//! Files of the working folder, opened from inside the sandbox: whatever a name leads to, it stays in here.

use formicary_keeper::message::{Listed, Report};
use rustix::fs::OFlags;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Folders within folders at the most.
const MAX_DEPTH: usize = 64;

/// The folder that belongs to the session: where the keeper was started. Images name one of their own.
#[expect(clippy::disallowed_methods, reason = "a program inside a sandbox, which was started in that folder")]
pub fn work() -> &'static Path {
    static WORK: OnceLock<PathBuf> = OnceLock::new();
    WORK.get_or_init(|| std::env::current_dir().unwrap_or_else(|_| "/work".into()))
}

/// Writes a file, and the folders on the way to it.
pub fn put(path: &str, executable: bool, content: &[u8]) -> Report {
    told(path, || {
        let path = work().join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = ordinary(OpenOptions::new().write(true).create(true), &path)?;
        file.set_len(0)?;
        file.write_all(content)?;
        file.set_permissions(Permissions::from_mode(if executable { 0o755 } else { 0o644 }))?;
        Ok(Report::Written)
    })
}

/// Reads a file of at most `most` bytes.
pub fn get(path: &str, most: u64) -> Report {
    told(path, || {
        let file = ordinary(OpenOptions::new().read(true), &work().join(path))?;
        let facts = file.metadata()?;
        if facts.len() > most {
            return Err(io::Error::other(format!("{} bytes are more than the {most} allowed", facts.len())));
        }
        let mut content = Vec::new();
        file.take(most).read_to_end(&mut content)?;
        Ok(Report::File { content, executable: facts.permissions().mode() & 0o100 != 0 })
    })
}

/// Removes a file; of a link the link itself.
pub fn remove(path: &str) -> Report {
    told(path, || std::fs::remove_file(work().join(path)).map(|()| Report::Removed))
}

/// Ordinary files only, and no waiting for the other end of a pipe.
fn ordinary(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.custom_flags((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits() as i32).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("not an ordinary file")) }
}

fn told(path: &str, act: impl FnOnce() -> io::Result<Report>) -> Report {
    act().unwrap_or_else(|error| Report::Refused(format!("{path}: {error}")))
}

/// The ordinary files of the working folder, in order of their paths; no link is followed.
pub fn list(most: u64) -> Report {
    let mut found = Vec::new();
    walk(work(), 0, usize::try_from(most).unwrap_or(usize::MAX), &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Report::Files(found)
}

fn walk(folder: &Path, depth: usize, most: usize, found: &mut Vec<Listed>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if found.len() >= most {
            return;
        }
        let path = entry.path();
        let Ok(facts) = entry.metadata() else { continue };
        if facts.is_dir() && depth < MAX_DEPTH {
            walk(&path, depth + 1, most, found);
        } else if facts.is_file() {
            let path = path.strip_prefix(work()).unwrap_or(&path).to_string_lossy().into_owned();
            let executable = facts.permissions().mode() & 0o100 != 0;
            found.push(Listed { path, size: facts.len(), executable });
        }
    }
}
