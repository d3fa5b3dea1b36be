//! The session's files as reports: whatever a name leads to, it stays in the sandbox.

use crate::files::{Beside, Work};
use formicary_guest::message::session::Report;
use rustix::fs::Mode;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;

/// The directory that belongs to the session: where the agent was started. Images name one of their own.
pub struct Files(Work);

impl Files {
    /// Those of the directory that the agent stands in.
    pub fn here() -> io::Result<Self> {
        Work::open(".", Beside::Interpreter).map(Self)
    }

    /// Writes a file, and the directories on the way to it.
    pub fn put(&self, path: &str, executable: bool, content: &[u8]) -> Report {
        let mode = Mode::from_raw_mode(if executable { 0o755 } else { 0o644 });
        report(path, self.0.write(path, mode, content, None).map(|()| Report::Written))
    }

    /// Reads a file of at most `most` bytes.
    pub fn get(&self, path: &str, most: u64) -> Report {
        report(path, self.read(path, most))
    }

    fn read(&self, path: &str, most: u64) -> io::Result<Report> {
        let (file, facts) = self.0.read(path.as_bytes())?;
        if facts.len() > most {
            return Err(io::Error::other(format!("{} bytes are more than the {most} allowed", facts.len())));
        }
        let mut content = Vec::new();
        file.take(most).read_to_end(&mut content)?;
        Ok(Report::File { content, executable: facts.permissions().mode() & 0o100 != 0 })
    }

    /// Removes a file; of a link the link itself.
    pub fn remove(&self, path: &str) -> Report {
        report(path, self.0.remove(path.as_bytes()).map(|()| Report::Removed))
    }

    /// The ordinary files, in order of their paths; no link is followed.
    pub fn list(&self, most: u64) -> Report {
        let mut found = self.0.list(usize::try_from(most).unwrap_or(usize::MAX));
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Report::Files(found)
    }
}

fn report(path: &str, done: io::Result<Report>) -> Report {
    done.unwrap_or_else(|error| Report::Refused(format!("{path}: {error}")))
}
