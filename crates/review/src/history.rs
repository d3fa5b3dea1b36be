//! Earlier reviews: one line of JSON each, appended, so that a trend can be drawn and a merge conflict is easy.

use formicary_files::{FileError, Place};
use formicary_model::review::{ReviewReport, Trend};
use formicary_model::{Failure, FailureKind};
use std::path::Path;

/// The history's place if the project names none.
pub const PLACE: &str = ".formicary/history.jsonl";
/// No more than this many are read back.
const MOST: usize = 500;
/// A larger file is no history.
const MOST_BYTES: u64 = 64 << 20;

/// The reviews in a project's file, oldest first. Lines that cannot be read are left out: a broken merge must not stop a
/// review.
pub fn read(root: &Path, path: &Path) -> Result<Vec<Trend>, Failure> {
    let read = Place::of(root, path).and_then(|place| place.root.read(&place.path, MOST_BYTES));
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(error) if error.is_missing() => return Ok(Vec::new()),
        Err(error) => return Err(failed(&error)),
    };
    let lines = bytes.split(|byte| *byte == b'\n');
    let mut trends: Vec<Trend> = lines.filter_map(|line| serde_json::from_slice(line).ok()).collect();
    trends.sort_by_key(|trend| trend.time);
    let extra = trends.len().saturating_sub(MOST);
    Ok(trends.split_off(extra))
}

/// Adds a review.
pub fn append(root: &Path, path: &Path, trend: &Trend) -> Result<(), Failure> {
    let mut line = serde_json::to_string(trend)
        .map_err(|error| Failure::new(FailureKind::Internal, format!("history: {error}")))?;
    line.push('\n');
    let write = || -> Result<(), FileError> {
        let place = Place::of(root, path)?;
        if let Some(directory) = place.path.parent() {
            place.root.create_directories(directory)?;
        }
        place.root.append(&place.path, line.as_bytes())
    };
    write().map_err(|error| failed(&error))
}

/// What is kept of a review.
pub fn trend(report: &ReviewReport, time: u64, revision: Option<String>) -> Trend {
    Trend {
        time,
        score: report.score.total,
        findings: report.open_findings().count() as u32,
        lines: report.project.lines.source,
        revision,
    }
}

fn failed(error: &FileError) -> Failure {
    Failure::new(FailureKind::InvalidInput, format!("history {error}"))
        .hint("name a regular file in a directory that you may write")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_rubbish_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let (root, path) = (folder.path(), Path::new("deep/history.jsonl"));
        assert_eq!(read(root, path).unwrap(), []);
        let trend = |time| Trend { time, score: 80.5, findings: 3, lines: 100, revision: None };
        for time in [2, 1] {
            append(root, path, &trend(time)).unwrap();
        }
        let file = std::fs::OpenOptions::new().append(true).open(root.join(path));
        std::io::Write::write_all(&mut file.unwrap(), b"<<<<<<<\n\xff\n").unwrap();
        assert_eq!(read(root, path).unwrap(), [trend(1), trend(2)]);
    }
}
