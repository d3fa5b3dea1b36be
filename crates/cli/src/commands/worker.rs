//! `formicary worker`: this machine works for a cluster.

use super::cluster::settings;
use crate::arguments::{GlobalArguments, worker::WorkerArguments};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::terminal;
use formicary_cluster::blocking::{Began, work};
use formicary_cluster::worker::runner::offer_of;
use formicary_cluster::{Offer, Shutdown, WorkerSettings};
use formicary_model::{Failure, Language};
use formicary_platform::config::units::show_bytes;
use formicary_platform::{Platform, exit};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Works until it is told to end.
pub fn run(arguments: &WorkerArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let sources = door::sources(global);
    let configuration = door::configuration(&sources, Warnings::Told)?;
    let cluster = settings(&arguments.cluster, &configuration)?;
    let platform = Arc::new(Platform::to_serve(configuration, &sources)?);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let shutdown = Shutdown::default();
    end_on_signal(&shutdown);
    let worker = WorkerSettings {
        id: arguments.name.clone(),
        capacity: arguments.capacity.map_or(cores, usize::from),
        offer: narrowed(offer_of(&platform), arguments)?,
        shutdown,
    };
    let json = global.json;
    let began = |began: &Began| {
        // Who started it may have gone; it works all the same.
        let _ = if json { terminal::print_json(began) } else { terminal::print(&greeting(began)) };
    };
    let finished = work(cluster, worker, platform, arguments.metrics, began).map_err(Failure::from)?;
    if !json {
        terminal::print(&format!("ran {finished} jobs to their end\n"))?;
    }
    Ok(0)
}

/// What is offered, less what the operator does not want.
fn narrowed(mut offer: Offer, arguments: &WorkerArguments) -> Result<Offer, Failure> {
    if !arguments.languages.is_empty() {
        let mut wanted = Vec::new();
        for word in &arguments.languages {
            let id = match Language::from_word(word) {
                Some(known) => known.id(),
                None => word.as_str(),
            };
            if !offer.languages.iter().any(|language| language == id) {
                let message = format!("language {word:?} cannot run here, so no jobs of it can be taken");
                return Err(invalid(message, "`formicary languages` tells which can, and what is missing"));
            }
            wanted.push(id.to_owned());
        }
        // A job that does not name its language may be in any.
        offer.detects = false;
        offer.languages = wanted;
    }
    if let Some(memory) = arguments.memory {
        offer.memory = memory as u64;
    }
    Ok(offer)
}

fn greeting(began: &Began) -> String {
    let metrics =
        began.metrics.map(|address| format!(", metrics at http://{address}/metrics")).unwrap_or_default();
    format!(
        "worker {} works for {}: {} jobs at a time, {} each at the most, {}{metrics}\n",
        began.worker,
        began.cluster,
        began.capacity,
        show_bytes(began.offer.memory as f64),
        began.offer.languages.join(", "),
    )
}

/// The first signal drains, the second gives back what runs, the third ends us at once.
fn end_on_signal(shutdown: &Shutdown) {
    let (shutdown, heard) = (shutdown.clone(), AtomicU32::new(0));
    // A handler is already set: then the first one does the same.
    let _ = ctrlc::set_handler(move || match heard.fetch_add(1, Ordering::Relaxed) {
        0 => shutdown.drain(),
        1 => shutdown.leave(),
        _ => std::process::exit(i32::from(exit::CANCELLED)),
    });
}
