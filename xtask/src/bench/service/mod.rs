//! The HTTP door under load: throughput next to the library's, four times too much, many streams, slow clients.

mod client;
mod load;
mod streams;

use super::{Measured, Options, compiling};
use client::Server;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// The time for which the server is asked for too much.
const OVERLOADED: Duration = Duration::from_secs(20);

/// The figures.
#[derive(Debug, Serialize)]
struct Figures {
    throughput: load::Throughput,
    overload: load::Overload,
    streams: streams::Streams,
}

/// All of it; `--judged` says how many runs the throughput is taken from.
pub fn measured(options: &Options, scratch: &Path) -> Result<Measured, String> {
    let figures = measure(options, scratch)?;
    Measured::new(table(&figures), &figures)
}

fn measure(options: &Options, scratch: &Path) -> Result<Figures, String> {
    let binary = options.binary()?;
    let plain = Server::start(binary, scratch, &[])?;
    let throughput = {
        let platform = compiling::platform_to_stay(scratch, &[])?;
        let log = scratch.join("audit.db").display().to_string();
        let audited = Server::start(binary, scratch, &[("audit.file", &log)])?;
        load::throughput(&platform, &plain, &audited, options.judged)?
    };
    let streams = streams::streams(&plain, options.judged / 5)?;
    drop(plain);
    let (places, waiting) = (load::PLACES.to_string(), load::WAITING.to_string());
    let small = Server::start(binary, scratch, &[("server.at_once", &places), ("server.waiting", &waiting)])?;
    let overload = load::overload(&small, OVERLOADED)?;
    Ok(Figures { throughput, overload, streams })
}

/// For people.
fn table(figures: &Figures) -> String {
    let Figures { throughput: t, overload: o, streams: s } = figures;
    let mut text = format!("\nthe HTTP door, {} runs of Python print(1)\n", t.runs);
    let _ = writeln!(
        text,
        "  library {:.1}/s, over HTTP {:.1}/s: ratio {:.2}; with an audit log {:.1}/s: {:.2} of that without",
        t.library_per_second, t.http_per_second, t.ratio, t.http_with_audit_per_second, t.audit_ratio
    );
    let _ = writeln!(
        text,
        "  {} callers on room for {}, {:.0} s: answers {:?}, {} failures; accepted {:.1}/s, median {:.0} ms, 99 of 100 within \
         {:.0} ms, all within {:.0} ms; refused within {:.0} ms; resident {} to {} KiB, descriptors {} to {}",
        o.callers,
        o.room,
        o.seconds,
        o.answers,
        o.failures.len(),
        o.accepted_per_second,
        o.accepted_median_ms,
        o.accepted_p99_ms,
        o.accepted_most_ms,
        o.refused_p99_ms,
        o.resident_kib[0],
        o.resident_kib[1],
        o.descriptors[0],
        o.descriptors[1]
    );
    let _ = writeln!(
        text,
        "  {} of {} streams heard everything; resident {} KiB before, {} KiB with all; beside {} slow clients {:.2} of the \
         throughput without",
        s.whole,
        s.streams,
        s.resident_kib_before,
        s.resident_kib_with_all,
        s.slow_clients,
        s.beside_slow_clients
    );
    for failure in o.failures.iter().chain(&s.failures) {
        let _ = writeln!(text, "  failure: {failure}");
    }
    text
}
