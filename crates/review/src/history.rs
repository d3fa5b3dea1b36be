//! Earlier reviews: one line of JSON each, appended, so that a trend can be drawn and a merge conflict is easy.

use formicary_model::review::{ReviewReport, Trend};
use formicary_model::{Failure, FailureKind};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

/// No more than this many are read back.
const MOST: usize = 500;

/// The reviews of a file, oldest first. Lines that cannot be read are left out: a broken merge must not stop a review.
pub fn read(path: &Path) -> Result<Vec<Trend>, Failure> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(path, &error)),
    };
    let mut trends: Vec<Trend> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    trends.sort_by_key(|trend| trend.time);
    let extra = trends.len().saturating_sub(MOST);
    Ok(trends.split_off(extra))
}

/// Adds a review.
pub fn append(path: &Path, trend: &Trend) -> Result<(), Failure> {
    let write = || -> std::io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut line = serde_json::to_string(trend)?;
        line.push('\n');
        std::fs::OpenOptions::new().create(true).append(true).open(path)?.write_all(line.as_bytes())
    };
    write().map_err(|error| failed(path, &error))
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

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(FailureKind::InvalidInput, format!("history {}: {error}", path.display()))
        .hint("name a file in a folder that you may write")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_rubbish_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/history.jsonl");
        assert_eq!(read(&path).unwrap(), []);
        let trend = |time| Trend { time, score: 80.5, findings: 3, lines: 100, revision: None };
        for time in [2, 1] {
            append(&path, &trend(time)).unwrap();
        }
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"<<<<<<<\n").unwrap();
        assert_eq!(read(&path).unwrap(), [trend(1), trend(2)]);
    }
}
