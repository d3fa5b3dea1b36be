//! The chores' command line.

use crate::bench::{self, Options};
use crate::{dist, generate, tidy};
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// House chores.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Check the house rules.
    Tidy,
    /// Write the reference pages that are made from the code.
    Generate {
        /// Only compare; fail where a file is stale.
        #[arg(long)]
        check: bool,
    },
    /// Compare Formicary with others, in one run and as ratios.
    Bench {
        /// The parts to measure, by default all: starts, ready, compiling, judging, providers, review, patterns, service,
        /// cluster, mending, copies.
        #[arg(value_name = "PART")]
        parts: Vec<String>,
        /// Write the results to this file as well, such as benchmarks/PART.json.
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
        /// Measure nothing; write docs/benchmarks.md from benchmarks/*.json.
        #[arg(long, conflicts_with_all = ["parts", "json"])]
        publish: bool,
        /// How often each peer runs each workload.
        #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(3..))]
        runs: u32,
        /// How many programs are judged in a row, to see whether anything grows.
        #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(20..))]
        judged: u32,
        /// The release binary to measure; given by the chore to itself after it has built it.
        #[arg(long, hide = true, value_name = "FILE")]
        binary: Option<PathBuf>,
    },
    /// Make what users install: archive, Debian package, list of components, checksums.
    Dist {
        /// The directory for what is made.
        #[arg(long, value_name = "DIR", default_value = "target/packages")]
        out: PathBuf,
        /// How the binary is built.
        #[arg(long, value_enum, default_value = "dist")]
        profile: dist::Profile,
        /// The oldest C library that the binary should run with, if cargo-zigbuild is installed; `host` for this machine's.
        #[arg(long, value_name = "VERSION", default_value = "2.17")]
        glibc: dist::Glibc,
        /// Pack this binary instead of building one.
        #[arg(long, value_name = "FILE")]
        binary: Option<PathBuf>,
    },
    /// Rename, extract and inline at places of real packages, whose own tests must pass before and after.
    Places {
        /// How many places in all.
        #[arg(long, default_value_t = 100)]
        places: usize,
        /// Where the picking begins.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Where packages are kept between runs.
        #[arg(long, default_value = "target/places")]
        folder: PathBuf,
        /// The program to judge.
        #[arg(long, default_value = "target/debug/formicary")]
        binary: PathBuf,
        /// Only packages of this registry: pypi, npm, java.
        #[arg(long)]
        only: Option<String>,
    },
    /// Mend every program of the suite of broken programs, and print the table.
    BenchRepair {
        /// The folder with one folder of cases for each language.
        #[arg(long, default_value = "crates/repair/tests/broken")]
        suite: PathBuf,
        /// One language of the suite alone.
        #[arg(long)]
        language: Option<String>,
        /// Cases whose name holds this alone.
        #[arg(long)]
        only: Option<String>,
        /// Seconds for each program.
        #[arg(long, default_value_t = 60.0)]
        time: f64,
        /// Only every so-manieth program of each language.
        #[arg(long, default_value_t = 1)]
        every: usize,
    },
    /// Writes tests for modules of real packages, and judges them; next to Pynguin where it is named
    BenchTests {
        /// A virtual environment with pytest, inflection, roman, humanize, boltons, webcolors, pytimeparse and packaging.
        #[arg(long)]
        venv: std::path::PathBuf,
        /// Pynguin's program.
        #[arg(long)]
        pynguin: Option<std::path::PathBuf>,
        /// Seconds for each module.
        #[arg(long, default_value_t = 20.0)]
        time: f64,
        /// A folder where the tests are kept; what is there already is not written anew.
        #[arg(long)]
        kept: Option<std::path::PathBuf>,
        /// Only writes tests, into the folder of --kept.
        #[arg(long, requires = "kept")]
        write_only: bool,
        /// One module alone; may be given more than once.
        #[arg(long = "module")]
        modules: Vec<String>,
    },
}

/// Runs the chore that the command line names.
pub fn main() -> ExitCode {
    let result = match Arguments::parse().chore {
        Chore::Tidy => tidy::command(),
        Chore::Generate { check } => {
            generate::command(if check { generate::Mode::Check } else { generate::Mode::Write })
        }
        Chore::Bench { publish: true, .. } => bench::publish::command(),
        Chore::Bench { parts, json, runs, judged, binary, publish: false } => {
            bench::command(&Options { parts, json, runs, judged, binary })
        }
        Chore::Dist { out, profile, glibc, binary } => {
            dist::command(&dist::Options { out, profile, glibc, binary })
        }
        Chore::Places { places, seed, folder, binary, only } => {
            let whole = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
            let (folder, binary) = (whole(folder), whole(binary));
            bench::places::command(&bench::places::Options { places, seed, folder, binary, only })
        }
        Chore::BenchRepair { suite, language, only, time, every } => {
            bench::repair::command(&bench::repair::Options { suite, language, only, seconds: time, every })
        }
        Chore::BenchTests { venv, pynguin, time, kept, write_only, modules } => {
            use bench::generation::{Options, command};
            command(&Options { venv, pynguin, seconds: time, kept, write_only, modules })
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
