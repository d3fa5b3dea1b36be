//! Copies in Django 5.1 next to jscpd and pyscn, and refactorings over this repository's own last commits.
//!
//! jscpd knows types 1 and 2 (and 3 on request), pyscn all four; so each is next to what we do with the same types.

use super::peers::{Peers, Timed};
use super::sample::Samples;
use super::{Measured, Options};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const PROJECT: &str = "django==5.1";
const FOLDER: &str = "django";
const ROUNDS: u32 = 3;
const COMMITS: usize = 100;

#[derive(Debug, Serialize)]
struct Row {
    what: String,
    ours_s: f64,
    ours_mb: f64,
    theirs_s: Option<f64>,
    theirs_mb: Option<f64>,
    ratio: Option<f64>,
}

#[derive(Debug, Serialize)]
struct History {
    commits: usize,
    median_s: f64,
    slowest_s: f64,
    above_a_second: usize,
}

#[derive(Debug, Serialize)]
struct Figures {
    copies: Vec<Row>,
    history: History,
}

/// Copies, ours and theirs in turns; then the commits one by one.
pub fn measured(options: &Options, scratch: &Path) -> Result<Measured, String> {
    let peers = Peers::fetch(&["pyscn"])?;
    let project = peers.source(PROJECT, &scratch.join("copies"))?;
    let binary = options.binary()?;
    let jscpd = Path::new("jscpd");
    let mut rows = Vec::new();
    for (what, types, program, arguments) in [
        (
            "types 1 and 2, next to jscpd",
            ["--types", "1,2"].as_slice(),
            jscpd,
            ["--silent", "--format", "python", FOLDER].as_slice(),
        ),
        (
            "all types, next to pyscn",
            [].as_slice(),
            peers.program("pyscn").as_path(),
            ["analyze", "--select", "clones", "--json", "--no-open", FOLDER].as_slice(),
        ),
    ] {
        let (mut mine, mut others) = (Side::default(), Side::default());
        for _ in 0..ROUNDS {
            let mut ours = Command::new(binary);
            ours.arg("clones").args(types).args([FOLDER, "--json"]).current_dir(&project);
            mine.push(peers.time(&mut ours)?);
            // A peer that is not installed is left out.
            if let Ok(timed) = peers.time(Command::new(program).args(arguments).current_dir(&project)) {
                others.push(timed);
            }
        }
        rows.push(row(what, &mine, &others));
    }
    let history = history(&peers, binary)?;
    let figures = Figures { copies: rows, history };
    Measured::new(table(&figures), &figures)
}

#[derive(Debug, Default)]
struct Side {
    samples: Samples,
    peak_kb: u64,
    any: bool,
}

impl Side {
    fn push(&mut self, timed: Timed) {
        self.samples.push(timed.time);
        self.peak_kb = self.peak_kb.max(timed.peak_kb);
        self.any = true;
    }
}

fn row(what: &str, ours: &Side, theirs: &Side) -> Row {
    let ours_s = ours.samples.median().as_secs_f64();
    let theirs_s = theirs.any.then(|| theirs.samples.median().as_secs_f64());
    Row {
        what: what.to_owned(),
        ours_s,
        ours_mb: ours.peak_kb as f64 / 1024.0,
        theirs_s,
        theirs_mb: theirs.any.then_some(theirs.peak_kb as f64 / 1024.0),
        ratio: theirs_s.map(|theirs| ours_s / theirs),
    }
}

// Each of the last commits next to the one before it, through the command line: git's part is counted.
fn history(peers: &Peers, binary: &Path) -> Result<History, String> {
    let listed = Command::new("git")
        .args(["rev-list", "--first-parent", &format!("--max-count={}", COMMITS + 1), "HEAD"])
        .output()
        .map_err(|error| format!("git: {error}"))?;
    let commits: Vec<String> = String::from_utf8_lossy(&listed.stdout).lines().map(str::to_owned).collect();
    let mut times: Vec<Duration> = Vec::new();
    for two in commits.windows(2) {
        let mut command = Command::new(binary);
        command.args(["refactorings", &two[1], &two[0], "--json"]);
        times.push(peers.time(&mut command)?.time);
    }
    Ok(summary(&times))
}

fn summary(times: &[Duration]) -> History {
    let mut samples = Samples::default();
    times.iter().for_each(|time| samples.push(*time));
    let median_s = if times.is_empty() { 0.0 } else { samples.median().as_secs_f64() };
    History {
        commits: times.len(),
        median_s,
        slowest_s: times.iter().max().copied().unwrap_or_default().as_secs_f64(),
        above_a_second: times.iter().filter(|time| **time > Duration::from_secs(1)).count(),
    }
}

fn table(figures: &Figures) -> String {
    let mut text = format!("\ncopies in {PROJECT}, medians of {ROUNDS}; ratios are ours to theirs\n");
    let _ = writeln!(
        text,
        "  {:<36} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "", "ours s", "ours MB", "theirs s", "theirs MB", "ratio"
    );
    let figure = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.2}"));
    for row in &figures.copies {
        let _ = writeln!(
            text,
            "  {:<36} {:>9.2} {:>9.0} {:>9} {:>9} {:>9}",
            row.what,
            row.ours_s,
            row.ours_mb,
            figure(row.theirs_s),
            figure(row.theirs_mb),
            figure(row.ratio)
        );
    }
    let History { commits, median_s, slowest_s, above_a_second } = &figures.history;
    let _ = writeln!(
        text,
        "\nrefactorings of the last {commits} commits: median {median_s:.3} s, slowest {slowest_s:.3} s, {above_a_second} above a second"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_peer_is_left_out_and_slow_commits_are_counted() {
        let mut ours = Side::default();
        ours.push(Timed { time: Duration::from_secs(1), peak_kb: 2048 });
        let mut theirs = Side::default();
        assert_eq!(row("a", &ours, &theirs).ratio, None);
        theirs.push(Timed { time: Duration::from_secs(4), peak_kb: 1024 });
        let copies = vec![row("a", &ours, &theirs)];
        assert_eq!(copies[0].ratio, Some(0.25));
        let history = summary(&[Duration::from_millis(10), Duration::from_secs(2)]);
        assert_eq!((history.commits, history.above_a_second), (2, 1));
        let text = table(&Figures { copies, history });
        assert!(text.contains("0.25") && text.contains("slowest 2.000"));
    }
}
