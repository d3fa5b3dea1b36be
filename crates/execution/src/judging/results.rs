//! The file of results: one JSON line each, written whole, so that a run that was cut off can go on where it was.

use super::summary::{Counted, Tally};
use crate::guard::refuse;
use formicary_model::{Failure, FailureKind, JudgeResult};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// A file of results, open for one writer.
#[derive(Debug)]
pub struct ResultFile {
    path: PathBuf,
    file: File,
}

/// What an earlier run had judged.
#[derive(Debug, Clone, Default)]
pub struct Earlier {
    done: HashSet<u64>,
    /// Its results, counted.
    pub tally: Tally,
}

impl Earlier {
    /// Whether the item of this name in this line has a result already.
    pub fn has(&self, line: u64, id: &str) -> bool {
        self.done.contains(&fingerprint(line, id))
    }

    fn add(&mut self, result: &Counted) {
        self.done.insert(fingerprint(result.line, &result.id));
        self.tally.add_earlier(result);
    }
}

/// Line and name together: names alone may repeat, lines alone would not notice another input.
fn fingerprint(line: u64, id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (line, id).hash(&mut hasher);
    hasher.finish()
}

impl ResultFile {
    /// A new file. One that holds something already is not overwritten.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let result = Self::open(path)?;
        let size = result.file.metadata().map_err(|error| result.cannot("read", &error))?.len();
        if size > 0 {
            return Err(refuse(
                format!("result file {} holds results already", path.display()),
                format!("go on with it by --resume {}, or remove it", path.display()),
            ));
        }
        Ok(result)
    }

    /// A file that an earlier run wrote, and what it holds. A last line that was cut off is removed; where there is
    /// no file yet, it is made.
    pub fn resume(path: &Path) -> Result<(Self, Earlier), Failure> {
        let mut result = Self::open(path)?;
        let mut earlier = Earlier::default();
        let mut reader = BufReader::new(&result.file);
        let (mut line, mut number, mut whole) = (Vec::new(), 0_u64, 0_u64);
        loop {
            line.clear();
            let length =
                reader.read_until(b'\n', &mut line).map_err(|error| result.cannot("read", &error))?;
            if length == 0 {
                break;
            }
            number += 1;
            match (line.ends_with(b"\n"), serde_json::from_slice::<Counted>(&line)) {
                (true, Ok(counted)) => earlier.add(&counted),
                (false, _) => break,
                (true, Err(error)) => {
                    return Err(refuse(
                        format!("line {number} of {} is not a result: {error}", path.display()),
                        "give the file that an earlier `formicary judge` wrote, or remove that line",
                    ));
                }
            }
            whole += length as u64;
        }
        let cut = result.file.set_len(whole).and_then(|()| result.file.seek(SeekFrom::Start(whole)));
        cut.map_err(|error| result.cannot("write", &error))?;
        Ok((result, earlier))
    }

    /// Writes one result, whole.
    pub fn write(&mut self, result: &JudgeResult) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(result)
            .map_err(|error| Failure::new(FailureKind::Internal, format!("result {}: {error}", result.id)))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(|error| self.cannot("write", &error))
    }

    fn open(path: &Path) -> Result<Self, Failure> {
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(|error| {
            refuse(
                format!("result file {} cannot be opened: {error}", path.display()),
                "give a file in a folder that exists and that you may write",
            )
        })?;
        if file.try_lock().is_err() {
            return Err(refuse(
                format!("result file {} is being written by another run", path.display()),
                "wait for it, or give another file",
            ));
        }
        Ok(Self { path: path.to_path_buf(), file })
    }

    fn cannot(&self, what: &str, error: &std::io::Error) -> Failure {
        Failure::new(
            FailureKind::Internal,
            format!("cannot {what} result file {}: {error}", self.path.display()),
        )
        .hint("make room or give another file; --resume goes on where this run ended")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::Verdict;
    use formicary_testkit::scratch::Scratch;

    fn result(line: u64, id: &str) -> JudgeResult {
        JudgeResult {
            id: id.into(),
            line,
            group: Some("g".into()),
            language: None,
            verdict: Some(Verdict::Accepted),
            passed: 1,
            total: 1,
            cases: Vec::new(),
            compile: None,
            error: None,
        }
    }

    #[test]
    fn what_was_cut_off_anywhere_goes_on() {
        let scratch = Scratch::new("results").unwrap();
        let path = scratch.path().join("out.jsonl");
        let mut file = ResultFile::create(&path).unwrap();
        for (line, id) in [(1, "a"), (2, "a"), (3, "ü")] {
            file.write(&result(line, id)).unwrap();
        }
        drop(file);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut file, earlier) = ResultFile::resume(&path).unwrap();
            let complete = whole[..length].iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(earlier.tally.items(), complete as u64, "{length}");
            for (line, id) in [(1, "a"), (2, "a"), (3, "ü")] {
                if !earlier.has(line, id) {
                    file.write(&result(line, id)).unwrap();
                }
            }
            assert_eq!(std::fs::read(&path).unwrap(), whole, "{length}");
        }
    }

    #[test]
    fn other_files_are_left_alone() {
        let scratch = Scratch::new("results-other").unwrap();
        let path = scratch.path().join("notes.txt");
        std::fs::write(&path, "my notes\nmore").unwrap();
        assert!(ResultFile::create(&path).unwrap_err().message.contains("holds results already"));
        assert!(ResultFile::resume(&path).unwrap_err().message.contains("line 1"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes\nmore");
        assert!(ResultFile::create(&scratch.path().join("no/such/folder")).is_err());
    }

    #[test]
    fn two_writers_do_not_mix() {
        let scratch = Scratch::new("results-two").unwrap();
        let path = scratch.path().join("out.jsonl");
        let _first = ResultFile::create(&path).unwrap();
        assert!(ResultFile::resume(&path).unwrap_err().message.contains("another run"));
    }

    #[test]
    fn names_may_repeat_and_lines_may_move() {
        let mut earlier = Earlier::default();
        let counted =
            Counted { id: "a".into(), line: 1, group: None, verdict: None, cases: Vec::new(), error: None };
        earlier.add(&counted);
        assert!(earlier.has(1, "a") && !earlier.has(2, "a") && !earlier.has(1, "b"));
    }
}
