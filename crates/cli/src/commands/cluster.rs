//! `formicary cluster`: how many machines are doing, and `--cluster` of the verbs that can run there.

use crate::arguments::GlobalArguments;
use crate::arguments::cluster::{ClusterArguments, ClusterVerb, ClusterVerbArguments};
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::render::table::Table;
use crate::terminal;
use formicary_cluster::queue::Stored;
use formicary_cluster::{Cluster, ClusterSettings, ClusterStatus};
use formicary_model::{ExecutionRequest, Failure, Source};
use formicary_platform::config::Configuration;
use formicary_platform::{Elsewhere, exit};
use std::sync::Arc;

/// Asks the cluster.
pub fn run(arguments: &ClusterVerbArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let configuration = door::configuration(&door::sources(global), Warnings::Told)?;
    let connect = |cluster: &ClusterArguments| -> Result<Cluster, Failure> {
        Ok(Cluster::connect(settings(cluster, &configuration)?)?)
    };
    match &arguments.verb {
        ClusterVerb::Status { prometheus, cluster } => {
            let status = connect(cluster)?.status().map_err(Failure::from)?;
            match (global.json, prometheus) {
                (true, _) => terminal::print_json(&status)?,
                (false, true) => terminal::print(&status.prometheus())?,
                (false, false) => terminal::print(&shown(&status))?,
            }
        }
        ClusterVerb::Dead { cluster } => {
            let cluster = connect(cluster)?;
            let letters = cluster.wait_for(cluster.client().dead_letters(1000)).map_err(Failure::from)?;
            if global.json {
                terminal::print_json(&letters)?;
            } else {
                let mut table = Table::new(&["PLACE", "JOB", "REASON"]);
                for letter in letters {
                    let job = letter.job.unwrap_or_else(|| "?".into());
                    table.row([letter.place.to_string().into(), job.into(), letter.reason.into()]);
                }
                terminal::print(&table.render())?;
            }
        }
        ClusterVerb::Cancel { job, cluster } => {
            let first = connect(cluster)?.cancel(job).map_err(Failure::from)? == Stored::First;
            if global.json {
                terminal::print_json(&serde_json::json!({ "job": job, "cancelled": first }))?;
            } else {
                terminal::print(if first { "cancelled\n" } else { "it had ended already\n" })?;
            }
            return Ok(if first { 0 } else { exit::NOT_DONE });
        }
        ClusterVerb::Bench { jobs, at_once, cpu_ms, cluster } => {
            let cluster = connect(cluster)?;
            let request = ExecutionRequest {
                language: Some("python".into()),
                source: Source::code(busy(*cpu_ms)),
                ..formicary_platform::facade::new_request(&configuration.settings)
            };
            let bench =
                formicary_cluster::bench::bench(cluster.client(), request, *jobs as usize, *at_once as usize);
            let report = cluster.wait_for(bench)?;
            if global.json {
                terminal::print_json(&report)?;
            } else {
                terminal::print(&format!(
                    "{} jobs on {} workers in {:.2} s: {:.1} a second; each {:.0} ms in the median, {:.0} ms for 99 of 100; {} failed\n",
                    report.jobs,
                    report.workers,
                    report.seconds,
                    report.rate,
                    report.median * 1000.0,
                    report.p99 * 1000.0,
                    report.failed
                ))?;
            }
        }
    }
    Ok(0)
}

/// A program that takes so much CPU time.
fn busy(milliseconds: u32) -> String {
    let seconds = f64::from(milliseconds) / 1000.0;
    format!(
        "import time\nend = time.process_time() + {seconds}\nwhile time.process_time() < end: pass\nprint(1)\n"
    )
}

/// The cluster's settings: the configuration's, less what the options say otherwise.
pub fn settings(
    arguments: &ClusterArguments,
    configuration: &Configuration,
) -> Result<ClusterSettings, Failure> {
    let cluster = configuration.settings.cluster.clone();
    let url = arguments.url.clone().or(cluster.url).unwrap_or_default();
    let settings = ClusterSettings {
        credentials: arguments.credentials.clone().or(cluster.credentials),
        ca: arguments.ca.clone().or(cluster.ca),
        identity: cluster.certificate.zip(cluster.key),
        name: cluster.name,
        replicas: cluster.replicas,
        lease: cluster.lease_seconds,
        heartbeat: cluster.heartbeat_seconds,
        keep_results: cluster.keep_results_seconds,
        attempts: cluster.attempts,
        ..ClusterSettings::at(url)
    };
    settings.check()?;
    Ok(settings)
}

/// A cluster with its address, without secrets.
pub type NamedCluster = (Arc<dyn Elsewhere>, String);

/// The cluster that `--cluster` names; nothing if it names none.
pub fn front(
    arguments: &ClusterArguments,
    configuration: &Configuration,
) -> Result<Option<NamedCluster>, Failure> {
    if arguments.url.is_none() {
        return Ok(None);
    }
    let settings = settings(arguments, configuration)?;
    let shown = settings.shown();
    Ok(Some((Arc::new(Cluster::connect(settings)?), shown)))
}

fn shown(status: &ClusterStatus) -> String {
    let depth = &status.depth;
    let mut text = format!(
        "{} jobs wait, {} are in work, {} are dead; the oldest is {:.0} s old; load {:.2}\n",
        depth.waiting, depth.leased, depth.dead, depth.oldest_seconds, status.load
    );
    let mut table = Table::new(&["WORKER", "RUNS", "OF", "DONE", "SESSIONS", "STATE", "LANGUAGES"]);
    for worker in &status.workers {
        table.row([
            worker.id.clone().into(),
            worker.jobs.len().to_string().into(),
            worker.capacity.to_string().into(),
            worker.finished.to_string().into(),
            worker.sessions.to_string().into(),
            if worker.draining { "drains" } else { "works" }.into(),
            worker.offer.languages.join(",").into(),
        ]);
    }
    text.push_str(&table.render());
    text
}
