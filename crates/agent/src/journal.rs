//! The transcript: JSON Lines, each bound to the one before by its hash. Everything that is not computed goes through it:
//! what the model answered, what a run gave, what a human said. A run that is resumed or replayed computes everything anew
//! and takes those from here, so that nothing happens twice; where it would go another way than before, it stops.

use formicary_model::{Failure, FailureKind};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::VecDeque;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    /// Its number, from 0.
    pub seq: u64,
    /// What it is: `started`, `ask`, `run`, `inspect`, `tool`, `decision`, `fix`, `human`, `ended`.
    pub kind: String,
    /// Seconds of work since the start.
    pub elapsed: f64,
    /// What went in.
    pub input: Value,
    /// What came out; nothing for what is computed.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub output: Value,
    /// The hash of the line before.
    pub previous: String,
    /// The hash of this line.
    pub hash: String,
}

/// The hash of a line: over all of its text before the hash itself, which stands last. Over the text and not over what it
/// means, because numbers need not be written again as they were read.
fn hash_of(line: &str) -> String {
    let before = line.rfind("\"hash\":").unwrap_or(line.len());
    blake3::hash(&line.as_bytes()[..before]).to_hex()[..32].to_owned()
}

/// Whether new things may happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// What is not in the transcript happens and is added to it.
    Live,
    /// Only what is in the transcript.
    Replay,
}

/// A transcript being read and written.
#[derive(Debug)]
pub struct Journal {
    past: VecDeque<Record>,
    file: Option<File>,
    path: PathBuf,
    mode: Mode,
    next: u64,
    previous: String,
    elapsed: f64,
    since: Instant,
}

fn broken(path: &Path, why: impl std::fmt::Display) -> Failure {
    Failure::new(FailureKind::InvalidInput, format!("transcript {}: {why}", path.display()))
        .hint("start a new run with the same task")
}

/// Reads a transcript. A last line that was cut by a crash is left out; anything else that is wrong is an error. Gives the
/// records and the bytes that they take.
pub fn read(path: &Path) -> Result<(Vec<Record>, u64), Failure> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(broken(path, error)),
    };
    let (mut records, mut good, mut previous) = (Vec::<Record>::new(), 0, String::new());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let last = good + line.len() == bytes.len();
        let parsed: Result<Record, _> = serde_json::from_slice(line);
        let record = match parsed {
            Ok(record) if line.ends_with(b"\n") => record,
            _ if last => break,
            _ => return Err(broken(path, format!("line {} cannot be read", records.len() + 1))),
        };
        let whole = record.previous == previous
            && record.seq == records.len() as u64
            && hash_of(&String::from_utf8_lossy(line)) == record.hash;
        if !whole {
            return Err(broken(
                path,
                format!("line {} was changed: its hash does not fit", records.len() + 1),
            ));
        }
        previous.clone_from(&record.hash);
        good += line.len();
        records.push(record);
    }
    Ok((records, good as u64))
}

impl Journal {
    /// Opens a transcript, or begins one. Only one process may write it.
    pub fn open(path: &Path, mode: Mode) -> Result<Self, Failure> {
        let file = match mode {
            Mode::Replay => None,
            Mode::Live => {
                let file = File::options()
                    .create(true)
                    .append(true)
                    .open(path)
                    .map_err(|error| broken(path, error))?;
                file.try_lock().map_err(|_| {
                    Failure::new(FailureKind::InvalidInput, "this run is under way in another process")
                        .hint("wait for it, or stop that process")
                })?;
                Some(file)
            }
        };
        let (records, good) = read(path)?;
        if let Some(file) = &file {
            file.set_len(good).map_err(|error| broken(path, error))?;
        }
        Ok(Self {
            past: records.into(),
            file,
            path: path.to_owned(),
            mode,
            next: 0,
            previous: String::new(),
            elapsed: 0.0,
            since: Instant::now(),
        })
    }

    /// Seconds of work up to the last record: what budgets are measured by, so that a replay decides alike.
    pub fn elapsed(&self) -> f64 {
        self.elapsed
    }

    /// Whether what comes next is already known.
    pub fn is_replaying(&self) -> bool {
        !self.past.is_empty()
    }

    /// Something that happens: taken from the transcript where it is there, else made to happen and added.
    pub fn effect<T: Serialize + DeserializeOwned>(
        &mut self,
        kind: &str,
        input: Value,
        happen: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if let Some(record) = self.recall(kind, &input)? {
            return serde_json::from_value(record.output).map_err(|error| broken(&self.path, error));
        }
        let value = happen()?;
        let output = serde_json::to_value(&value).map_err(|error| broken(&self.path, error))?;
        self.append(kind, input, output)?;
        Ok(value)
    }

    /// Something that was computed, for the reader; checked against the transcript where it is there.
    pub fn note(&mut self, kind: &str, input: Value) -> Result<(), Failure> {
        match self.recall(kind, &input)? {
            Some(_) => Ok(()),
            None => self.append(kind, input, Value::Null),
        }
    }

    fn recall(&mut self, kind: &str, input: &Value) -> Result<Option<Record>, Failure> {
        let Some(record) = self.past.pop_front() else {
            if self.mode == Mode::Replay {
                return Err(broken(&self.path, "it ends before the run does")
                    .hint("`formicary agent resume` goes on with it"));
            }
            return Ok(None);
        };
        if record.kind != kind || record.input != *input {
            let why =
                format!("line {} tells of another {}: this is not the same run", record.seq + 1, record.kind);
            return Err(broken(&self.path, why)
                .hint("it was made by another version or with other settings; start a new run"));
        }
        self.next = record.seq + 1;
        self.previous.clone_from(&record.hash);
        self.elapsed = record.elapsed;
        self.since = Instant::now();
        Ok(Some(record))
    }

    fn append(&mut self, kind: &str, input: Value, output: Value) -> Result<(), Failure> {
        self.elapsed += self.since.elapsed().as_secs_f64();
        self.since = Instant::now();
        // Numbers must be the same when they are read again.
        self.elapsed = (self.elapsed * 1e3).round() / 1e3;
        let mut record = Record {
            seq: self.next,
            kind: kind.to_owned(),
            elapsed: self.elapsed,
            input,
            output,
            previous: self.previous.clone(),
            hash: String::new(),
        };
        let text = |record: &Record| serde_json::to_string(record).map_err(|error| broken(&self.path, error));
        record.hash = hash_of(&text(&record)?);
        let line = format!("{}\n", text(&record)?);
        if let Some(file) = &mut self.file {
            let written = file.write_all(line.as_bytes()).and_then(|()| file.sync_data());
            written.map_err(|error| {
                Failure::new(
                    FailureKind::Internal,
                    format!("{} cannot be written: {error}", self.path.display()),
                )
            })?;
        }
        self.next += 1;
        self.previous = record.hash;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn play(path: &Path, mode: Mode, happened: &mut u32) -> Result<u64, Failure> {
        let mut journal = Journal::open(path, mode)?;
        journal.note("started", json!({"task": "t"}))?;
        let mut sum = 0;
        for number in 0..4_u64 {
            sum += journal.effect("run", json!({"number": number}), || {
                *happened += 1;
                Ok(number * 10)
            })?;
        }
        Ok(sum)
    }

    #[test]
    fn nothing_happens_twice_wherever_it_was_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        let mut happened = 0;
        assert_eq!(play(&path, Mode::Live, &mut happened).unwrap(), 60);
        assert_eq!(happened, 4);
        let whole = std::fs::read(&path).unwrap();
        // Every line's end, and places within lines.
        let ends = (0..whole.len()).filter(|at| whole[*at] == b'\n').flat_map(|at| [at, at + 1]);
        for cut in ends.chain((0..whole.len()).step_by(41)).collect::<Vec<_>>() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let kept = whole[..cut].iter().filter(|byte| **byte == b'\n').count().saturating_sub(1);
            let mut again = 0;
            assert_eq!(play(&path, Mode::Live, &mut again).unwrap(), 60);
            assert_eq!(again as usize, 4 - kept, "cut at {cut}");
            assert_eq!(read(&path).unwrap().0.len(), 5);
        }
        let mut none = 0;
        assert_eq!(play(&path, Mode::Replay, &mut none).unwrap(), 60);
        assert_eq!(none, 0);
    }

    #[test]
    fn changed_lines_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        play(&path, Mode::Live, &mut 0).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("\"output\":10", "\"output\":99")).unwrap();
        assert!(read(&path).unwrap_err().message.contains("was changed"));
        std::fs::write(&path, text.replacen("{", "", 1)).unwrap();
        assert!(read(&path).unwrap_err().message.contains("cannot be read"));
    }

    #[test]
    fn another_way_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        play(&path, Mode::Live, &mut 0).unwrap();
        let mut journal = Journal::open(&path, Mode::Replay).unwrap();
        assert!(journal.note("started", json!({"task": "another"})).is_err());
        let second = Journal::open(&path, Mode::Live).unwrap();
        assert!(Journal::open(&path, Mode::Live).unwrap_err().message.contains("under way"));
        drop(second);
    }
}
