//! `formicary version`.

use crate::arguments::GlobalArguments;
use crate::failure::Stop;
use crate::terminal;
use serde::Serialize;
use std::fmt::Write as _;

#[derive(Serialize)]
struct Version {
    version: &'static str,
    commit: &'static str,
    date: &'static str,
    system: &'static str,
    architecture: &'static str,
    build: &'static str,
    licence: &'static str,
    source: &'static str,
}

/// Prints the version with its details.
pub fn run(global: &GlobalArguments) -> Result<u8, Stop> {
    let version = Version {
        version: env!("CARGO_PKG_VERSION"),
        // The build script sets both, to `unknown` if the source is no checkout.
        commit: env!("BUILD_COMMIT"),
        date: env!("BUILD_DATE"),
        system: std::env::consts::OS,
        architecture: std::env::consts::ARCH,
        build: if cfg!(debug_assertions) { "debug" } else { "release" },
        licence: env!("CARGO_PKG_LICENSE"),
        source: env!("CARGO_PKG_REPOSITORY"),
    };
    if global.json {
        terminal::print_json(&version)?;
        return Ok(0);
    }
    let Version { version, commit, date, system, architecture, build, licence, source } = version;
    // As long as git itself shows it.
    let short = commit.get(..9).unwrap_or(commit);
    let mut text = format!("formicary {version} (commit {short}, {date})\n");
    let details = [("system", format!("{system} {architecture}")), ("build", build.into())];
    for (name, value) in details.into_iter().chain([("licence", licence.into()), ("source", source.into())]) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name:<8} {value}");
    }
    terminal::print(&text)?;
    Ok(0)
}
