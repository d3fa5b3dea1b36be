//! Reviewing Django 5.1 next to what others use for parts of it: time and peak memory.
//!
//! The peers do less: pyscn has no lint and no security, bandit security only, lizard complexity only, ruff lint only.

use super::peers::{Peers, Timed};
use super::sample::Samples;
use super::{Measured, Options};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The project that is reviewed.
const PROJECT: &str = "django==5.1";

/// The folder of it that every peer looks at.
const FOLDER: &str = "django";

/// What others are asked to do, by the name of their package.
const OTHERS: [(&str, &[&str]); 4] = [
    ("pyscn", &["analyze", "--json", "--no-open", FOLDER]),
    ("bandit", &["--recursive", "--quiet", "--format", "json", FOLDER]),
    ("lizard", &["--languages", "python", FOLDER]),
    ("ruff", &["check", "--no-cache", "--select", "ALL", FOLDER]),
];

/// Rounds; the peers take turns in each.
const ROUNDS: u32 = 3;

const COLD: &str = "formicary review, nothing known";
const WARM: &str = "formicary review, one file changed";

#[derive(Debug, Serialize)]
struct Row {
    peer: String,
    median_s: f64,
    peak_mb: f64,
    /// Our first review divided by this.
    cold_ratio: f64,
    /// Our review after a change of one file divided by this.
    warm_ratio: f64,
}

/// Every peer, as often as there are rounds.
pub fn measured(options: &Options, scratch: &Path) -> Result<Measured, String> {
    let peers = Peers::fetch(&OTHERS.map(|(name, _)| name))?;
    let project = peers.source(PROJECT, scratch)?;
    let ours = Ours { binary: options.binary()?.to_owned(), home: scratch.join("home") };
    let names: Vec<&str> = [COLD, WARM].into_iter().chain(OTHERS.map(|(name, _)| name)).collect();
    let mut rows: Vec<(Samples, u64)> = vec![(Samples::default(), 0); names.len()];
    for round in 0..ROUNDS {
        let mut timed = vec![ours.review(&peers, &project, true)?];
        change(&project, round)?;
        timed.push(ours.review(&peers, &project, false)?);
        for (name, arguments) in OTHERS {
            let mut command = Command::new(peers.program(name));
            timed.push(peers.time(command.args(arguments).current_dir(&project))?);
        }
        for ((samples, peak), Timed { time, peak_kb }) in rows.iter_mut().zip(timed) {
            samples.push(time);
            *peak = (*peak).max(peak_kb);
        }
    }
    let rows = put_together(&names, &rows);
    Measured::new(table(&rows), &rows)
}

/// The program that is measured, with a home of its own for its cache.
struct Ours {
    binary: PathBuf,
    home: PathBuf,
}

impl Ours {
    fn review(&self, peers: &Peers, project: &Path, cold: bool) -> Result<Timed, String> {
        if cold {
            let _ = std::fs::remove_dir_all(&self.home);
            std::fs::create_dir_all(&self.home)
                .map_err(|error| format!("{}: {error}", self.home.display()))?;
        }
        let mut command = Command::new(&self.binary);
        command.args(["review", FOLDER, "--json"]).current_dir(project);
        command.env("HOME", &self.home).env_remove("XDG_CACHE_HOME");
        peers.time(&mut command)
    }
}

/// Changes one file, as a developer would between two reviews.
fn change(project: &Path, round: u32) -> Result<(), String> {
    let path = project.join(FOLDER).join("shortcuts.py");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    std::fs::write(&path, format!("{text}\n\ndef added_{round}(value):\n    return value\n"))
        .map_err(|error| format!("{}: {error}", path.display()))
}

fn put_together(names: &[&str], rows: &[(Samples, u64)]) -> Vec<Row> {
    let seconds: Vec<f64> = rows.iter().map(|(samples, _)| samples.median().as_secs_f64()).collect();
    let row = |(index, name): (usize, &&str)| Row {
        peer: (*name).to_owned(),
        median_s: seconds[index],
        peak_mb: rows[index].1 as f64 / 1024.0,
        cold_ratio: seconds[0] / seconds[index],
        warm_ratio: seconds[1] / seconds[index],
    };
    names.iter().enumerate().map(row).collect()
}

fn table(rows: &[Row]) -> String {
    let mut text = format!("\nreview of {PROJECT}, medians of {ROUNDS}; ratios are ours to the peer's\n");
    let _ =
        writeln!(text, "  {:<36} {:>9} {:>9} {:>9} {:>12}", "", "seconds", "peak MB", "ours", "ours, cached");
    for row in rows {
        let _ = writeln!(
            text,
            "  {:<36} {:>9.2} {:>9.0} {:>9.3} {:>12.4}",
            row.peer, row.median_s, row.peak_mb, row.cold_ratio, row.warm_ratio
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn ratios_are_ours_to_theirs() {
        let mut rows = vec![(Samples::default(), 2048); 3];
        for ((samples, _), seconds) in rows.iter_mut().zip([2, 1, 16]) {
            samples.push(Duration::from_secs(seconds));
        }
        let rows = put_together(&[COLD, WARM, "other"], &rows);
        assert_eq!(rows[2].cold_ratio.to_string(), "0.125");
        assert_eq!(rows[2].warm_ratio.to_string(), "0.0625");
        assert!(table(&rows).contains("0.125"));
    }
}
