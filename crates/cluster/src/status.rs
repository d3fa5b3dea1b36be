//! How full the queue is and who works: for people, and as the signal by which an autoscaler adds or removes workers.

use crate::client::ClusterClient;
use crate::error::ClusterError;
use crate::nats::depth::{DeadLetter, Depth};
use crate::worker::heartbeat::WorkerInfo;
use serde::Serialize;
use std::fmt::Write as _;

/// The cluster at one moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClusterStatus {
    /// The queue.
    #[serde(flatten)]
    pub depth: Depth,
    /// Jobs that all workers together can run at a time; those that drain do not count.
    pub capacity: u64,
    /// Jobs that run, as the workers say.
    pub running: u64,
    /// Unfinished jobs for each job that can run at a time: above 1 there is too little, near 0 too much. The signal to
    /// scale by. Without any worker, the number of jobs.
    pub load: f64,
    /// Who is there.
    pub workers: Vec<WorkerInfo>,
}

impl ClusterClient {
    /// Measures.
    pub async fn status(&self) -> Result<ClusterStatus, ClusterError> {
        let depth = self.queue.depth().await?;
        let workers = self.workers().await?;
        Ok(ClusterStatus::of(depth, workers))
    }

    /// Jobs that nobody could run to their end, the oldest first, at most so many.
    pub async fn dead_letters(&self, most: usize) -> Result<Vec<DeadLetter>, ClusterError> {
        self.queue.dead_letters(most).await
    }
}

impl ClusterStatus {
    /// The figures that follow from what was measured.
    pub fn of(depth: Depth, workers: Vec<WorkerInfo>) -> Self {
        let capacity: u64 =
            workers.iter().filter(|worker| !worker.draining).map(|worker| worker.capacity).sum();
        let running = workers.iter().map(|worker| worker.jobs.len() as u64).sum();
        let unfinished = depth.waiting + depth.leased;
        let load = unfinished as f64 / capacity.max(1) as f64;
        Self { depth, capacity, running, load, workers }
    }

    /// As Prometheus reads it.
    pub fn prometheus(&self) -> String {
        let Depth { waiting, leased, oldest_seconds, dead, classes } = &self.depth;
        let mut text = String::new();
        let figures = [
            ("jobs_waiting", "Jobs that nobody has taken", *waiting as f64),
            ("jobs_leased", "Jobs in some worker's hands", *leased as f64),
            ("jobs_oldest_seconds", "Age of the oldest unfinished job", *oldest_seconds),
            ("jobs_dead", "Jobs among the dead letters", *dead as f64),
            ("capacity", "Jobs that all workers can run at a time", self.capacity as f64),
            ("running", "Jobs that run, as the workers say", self.running as f64),
            ("workers", "Workers that are there", self.workers.len() as f64),
            ("load", "Unfinished jobs for each job that can run at a time", self.load),
        ];
        for (name, help, value) in figures {
            gauge(&mut text, name, help, &[("", value)]);
        }
        let classes: Vec<(String, f64)> =
            classes.iter().map(|(class, count)| (format!("{{class=\"{class}\"}}"), *count as f64)).collect();
        let classes: Vec<(&str, f64)> =
            classes.iter().map(|(label, count)| (label.as_str(), *count)).collect();
        gauge(&mut text, "jobs_unfinished", "Unfinished jobs by class", &classes);
        text
    }
}

fn gauge(text: &mut String, name: &str, help: &str, values: &[(&str, f64)]) {
    let name = format!("formicary_cluster_{name}");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge");
    for (labels, value) in values {
        let _ = writeln!(text, "{name}{labels} {value}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signal_follows_from_depth_and_capacity() {
        let worker = |capacity, draining| WorkerInfo { capacity, draining, ..WorkerInfo::default() };
        let depth = Depth { waiting: 10, leased: 2, ..Depth::default() };
        let cases =
            [(vec![], 12.0), (vec![worker(4, false)], 3.0), (vec![worker(4, false), worker(4, true)], 3.0)];
        for (workers, load) in cases {
            assert_eq!(ClusterStatus::of(depth.clone(), workers).load, load);
        }
    }

    #[test]
    fn prometheus_reads_it() {
        let mut depth = Depth { waiting: 3, ..Depth::default() };
        depth.classes.insert("python.any.m512m".into(), 3);
        let text = ClusterStatus::of(depth, Vec::new()).prometheus();
        assert!(
            text.contains("\nformicary_cluster_jobs_unfinished{class=\"python.any.m512m\"} 3\n"),
            "{text}"
        );
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (name, value) = line.rsplit_once(' ').unwrap();
            assert!(name.starts_with("formicary_cluster_") && value.parse::<f64>().is_ok(), "{line}");
        }
    }
}
