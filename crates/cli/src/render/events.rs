//! Events of a run in a file, one JSON line each.

use crate::failure::invalid;
use formicary_model::{Event, Failure, Observer};
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A file that takes events.
pub struct EventFile {
    path: PathBuf,
    state: Mutex<(BufWriter<File>, Option<io::Error>)>,
}

impl EventFile {
    /// Makes the file, or empties it.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let file = crate::door::create(path)?;
        Ok(Self { path: path.to_owned(), state: Mutex::new((BufWriter::new(file), None)) })
    }

    /// Writes what is left; the first error of all writes is told here.
    pub fn finish(self) -> Result<(), Failure> {
        let (mut file, error) = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ended = error.map_or_else(|| file.flush(), Err);
        ended.map_err(|error| cannot(&self.path, &error))
    }
}

impl Observer for EventFile {
    fn event(&self, event: &Event) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, first_error) = &mut *state;
        // Flushed line by line, so that whoever follows the file sees the run as it goes.
        let written = serde_json::to_writer(&mut *file, event)
            .map_err(io::Error::from)
            .and_then(|()| file.write_all(b"\n"))
            .and_then(|()| file.flush());
        if let Err(error) = written {
            first_error.get_or_insert(error);
        }
    }
}

fn cannot(path: &Path, error: &io::Error) -> Failure {
    invalid(
        format!("events cannot be written to {}: {error}", path.display()),
        "give a file that you may write",
    )
}
