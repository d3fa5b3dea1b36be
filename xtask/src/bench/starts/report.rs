//! The table for people and the same figures as JSON.

use super::{Peer, Workload, bare, bwrap};
use crate::bench::sample::{Samples, milliseconds};
use serde::Serialize;
use std::fmt::Write;

/// All figures of one run.
#[derive(Debug, Serialize)]
pub struct Report {
    host: Host,
    runs: u32,
    workloads: Vec<Measured>,
    peers: Vec<About>,
    left_out: Vec<LeftOut>,
    limits: Vec<&'static str>,
}

/// The machine, as far as it bears on the figures.
#[derive(Debug, Serialize)]
struct Host {
    kernel: String,
    cores: usize,
    load_average: String,
}

#[derive(Debug, Serialize)]
struct Measured {
    workload: &'static str,
    rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    peer: &'static str,
    samples: usize,
    median_ms: f64,
    minimum_ms: f64,
    /// Distance between the quartiles: the noise of this row.
    spread_ms: f64,
    /// Over the bare program; absent for the bare program itself.
    overhead_median_ms: Option<f64>,
    overhead_minimum_ms: Option<f64>,
    /// This overhead divided by bwrap's; absent where bwrap did not take part.
    ratio_to_bwrap_median: Option<f64>,
    ratio_to_bwrap_minimum: Option<f64>,
}

#[derive(Debug, Serialize)]
struct About {
    peer: &'static str,
    does: &'static str,
}

/// A peer that cannot take part on this machine.
#[derive(Debug, Serialize)]
pub struct LeftOut {
    /// Its name.
    pub peer: &'static str,
    /// Why not.
    pub why: String,
}

/// What the figures cannot say.
const LIMITS: [&str; 4] = [
    "only ratios within one run carry over; absolute times depend on machine, kernel and load",
    "page cache, dentries and the dynamic linker are warm; a first start after boot costs more for every peer",
    "bwrap sets up no cgroup, seccomp filter or landlock rules, the others do as far as the host lets them",
    "the library's row has no process start of its own; the CLI's row pays for it as bwrap's does",
];

impl Report {
    /// Puts the figures together.
    pub fn new(
        runs: u32,
        peers: &[Box<dyn Peer>],
        measured: &[(Workload, Vec<Samples>)],
        left_out: Vec<LeftOut>,
    ) -> Self {
        let names: Vec<&'static str> = peers.iter().map(|peer| peer.name()).collect();
        Self {
            host: Host::look(),
            runs,
            workloads: measured
                .iter()
                .map(|(workload, samples)| Measured { workload: workload.name, rows: rows(&names, samples) })
                .collect(),
            peers: peers.iter().map(|peer| About { peer: peer.name(), does: peer.note() }).collect(),
            left_out,
            limits: LIMITS.to_vec(),
        }
    }

    /// For people.
    pub fn table(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{} interleaved runs each; kernel {}, {} cores, load {}",
            self.runs, self.host.kernel, self.host.cores, self.host.load_average
        );
        for measured in &self.workloads {
            let _ = writeln!(text, "\n{}", measured.workload);
            let _ = writeln!(
                text,
                "  {:<24} {:>9} {:>9} {:>9} {:>15} {:>15}",
                "", "median ms", "min ms", "spread ms", "over bare ms", "ratio to bwrap"
            );
            for row in &measured.rows {
                let pair = |median: Option<f64>, minimum: Option<f64>| match (median, minimum) {
                    (Some(median), Some(minimum)) => format!("{median:.2} / {minimum:.2}"),
                    _ => "–".into(),
                };
                let _ = writeln!(
                    text,
                    "  {:<24} {:>9.2} {:>9.2} {:>9.2} {:>15} {:>15}",
                    row.peer,
                    row.median_ms,
                    row.minimum_ms,
                    row.spread_ms,
                    pair(row.overhead_median_ms, row.overhead_minimum_ms),
                    pair(row.ratio_to_bwrap_median, row.ratio_to_bwrap_minimum),
                );
            }
        }
        let _ = writeln!(text, "\npairs are by median / by minimum");
        for about in &self.peers {
            let _ = writeln!(text, "{}: {}", about.peer, about.does);
        }
        for left_out in &self.left_out {
            let _ = writeln!(text, "left out: {}: {}", left_out.peer, left_out.why);
        }
        for limit in &self.limits {
            let _ = writeln!(text, "note: {limit}");
        }
        text
    }
}

impl Host {
    fn look() -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        Self {
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            load_average: read("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned(),
        }
    }
}

fn rows(names: &[&'static str], samples: &[Samples]) -> Vec<Row> {
    let of = |name: &str, value: fn(&Samples) -> f64| {
        names.iter().position(|known| *known == name).map(|index| value(&samples[index]))
    };
    let median = |samples: &Samples| milliseconds(samples.median());
    let minimum = |samples: &Samples| milliseconds(samples.minimum());
    names
        .iter()
        .zip(samples)
        .map(|(name, samples)| {
            let over = |value: fn(&Samples) -> f64| {
                of(bare::NAME, value).filter(|_| *name != bare::NAME).map(|bare| value(samples) - bare)
            };
            let ratio = |value: fn(&Samples) -> f64| {
                let theirs = of(bwrap::NAME, value)? - of(bare::NAME, value)?;
                over(value).filter(|_| theirs > 0.0).map(|ours| ours / theirs)
            };
            Row {
                peer: name,
                samples: samples.len(),
                median_ms: median(samples),
                minimum_ms: minimum(samples),
                spread_ms: milliseconds(samples.spread()),
                overhead_median_ms: over(median),
                overhead_minimum_ms: over(minimum),
                ratio_to_bwrap_median: ratio(median),
                ratio_to_bwrap_minimum: ratio(minimum),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn samples(milliseconds: &[u64]) -> Samples {
        let mut samples = Samples::default();
        for time in milliseconds {
            samples.push(Duration::from_millis(*time));
        }
        samples
    }

    #[test]
    fn overheads_and_ratios() {
        let rows = rows(
            &[bare::NAME, bwrap::NAME, "ours"],
            &[samples(&[1, 2, 3]), samples(&[5, 6, 7]), samples(&[3, 4, 5])],
        );
        assert_eq!(rows[0].overhead_median_ms, None);
        assert_eq!(rows[1].overhead_median_ms.map(f64::round), Some(4.0));
        assert_eq!(rows[2].ratio_to_bwrap_median.map(|ratio| (ratio * 10.0).round()), Some(5.0));
        assert_eq!(rows[1].ratio_to_bwrap_minimum.map(|ratio| (ratio * 10.0).round()), Some(10.0));
    }

    #[test]
    fn without_bwrap_there_is_no_ratio() {
        let rows = rows(&[bare::NAME, "ours"], &[samples(&[1]), samples(&[3])]);
        assert_eq!(rows[1].ratio_to_bwrap_median, None);
        assert!(rows[1].overhead_median_ms.is_some());
    }
}
