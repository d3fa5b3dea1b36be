//! `cargo xtask bench`: Formicary next to others, in one run and as ratios.
//!
//! Only ratios within one run mean anything: machines, loads and clocks differ. Nothing asserts on absolute times.
//!
//! A part of the measurement is one file or folder; [`PARTS`] is where it is registered.

mod build;
mod cluster;
mod compiling;
mod copies;
pub mod generation;
mod judging;
mod mending;
mod patterns;
mod peers;
pub mod places;
mod providers;
pub mod publish;
pub mod repair;
mod review;
mod sample;
mod service;
mod starts;
mod warm;

use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What the command line asks for.
#[derive(Debug)]
pub struct Options {
    /// The parts to measure, by name; all of them where none is named.
    pub parts: Vec<String>,
    /// Where to write what was measured, as a file for `benchmarks/`.
    pub json: Option<PathBuf>,
    /// How often each peer runs each workload.
    pub runs: u32,
    /// How many programs are judged in a row.
    pub judged: u32,
    /// The release binary; absent at first, when the chore still has to build it and itself.
    pub binary: Option<PathBuf>,
}

impl Options {
    /// The release binary, which is there once the chore has built it.
    fn binary(&self) -> Result<&Path, String> {
        self.binary.as_deref().ok_or_else(|| "the release binary is not built".into())
    }
}

/// One part: its name and how it is measured, with a folder for passing use.
type Part = (&'static str, fn(&Options, &Path) -> Result<Measured, String>);

/// All parts, in the order in which they are measured.
pub const PARTS: [Part; 11] = [
    ("starts", starts::measured),
    ("ready", warm::measured),
    ("compiling", compiling::measured),
    ("judging", judging::measured),
    ("providers", providers::measured),
    ("review", review::measured),
    ("patterns", patterns::measured),
    ("service", service::measured),
    ("cluster", cluster::measured),
    ("mending", mending::measured),
    ("copies", copies::measured),
];

/// What a part says.
pub struct Measured {
    /// For people.
    table: String,
    /// For programs.
    figures: Value,
}

impl Measured {
    fn new(table: String, figures: &impl Serialize) -> Result<Self, String> {
        Ok(Self { table, figures: serde_json::to_value(figures).map_err(|error| error.to_string())? })
    }
}

/// Runs before the counted ones, so that caches are warm for all alike.
const WARM_UP: u32 = 3;

/// Builds what is measured, measures it and prints the tables.
pub fn command(options: &Options) -> Result<(), String> {
    let parts = chosen(&options.parts)?;
    if options.binary.is_none() {
        return build::and_start_again(options);
    }
    let scratch = std::env::temp_dir().join(format!("formicary-bench-{}", std::process::id()));
    std::fs::create_dir(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let measured = measure(&parts, options, &scratch);
    let _ = std::fs::remove_dir_all(&scratch);
    let measured = measured?;
    if let Some(path) = &options.json {
        let text = publish::Measurement::now(invocation(options), measured).text()?;
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("written to {}", path.display());
    }
    Ok(())
}

/// The command by which somebody else measures the same.
fn invocation(options: &Options) -> String {
    let mut words = vec!["cargo xtask bench".to_owned()];
    words.extend(options.parts.iter().cloned());
    words.push(format!("--runs {}", options.runs));
    if options.parts.is_empty()
        || options.parts.iter().any(|part| matches!(part.as_str(), "judging" | "service"))
    {
        words.push(format!("--judged {}", options.judged));
    }
    words.join(" ")
}

fn chosen(names: &[String]) -> Result<Vec<Part>, String> {
    let known = |name: &String| {
        PARTS.iter().find(|(part, _)| part == name).copied().ok_or_else(|| {
            let all: Vec<&str> = PARTS.iter().map(|(part, _)| *part).collect();
            format!("there is no part {name:?} of the bench: take {}", all.join(", "))
        })
    };
    if names.is_empty() { Ok(PARTS.to_vec()) } else { names.iter().map(known).collect() }
}

fn measure(parts: &[Part], options: &Options, scratch: &Path) -> Result<Value, String> {
    let mut figures = serde_json::Map::new();
    for (name, part) in parts {
        let measured = part(options, scratch).map_err(|error| format!("{name}: {error}"))?;
        println!("{}", measured.table);
        figures.insert((*name).to_owned(), measured.figures);
    }
    Ok(Value::Object(figures))
}

/// The time from before the start of a process until it has been waited for.
fn time_process(command: &mut Command) -> Result<Duration, String> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let start = Instant::now();
    let output = command.output().map_err(|error| error.to_string())?;
    let time = start.elapsed();
    if output.status.success() {
        Ok(time)
    } else {
        Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_go_by_name() {
        assert_eq!(chosen(&[]).unwrap().len(), PARTS.len());
        assert_eq!(chosen(&["judging".into()]).unwrap()[0].0, "judging");
        assert!(chosen(&["speed".into()]).unwrap_err().contains("starts, ready"));
    }
}
