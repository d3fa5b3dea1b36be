//! `cargo xtask bench-tests`: tests written for functions of real packages, by Formicary and by Pynguin, judged the same way.
//!
//! Both get the same seconds for each module and are told which functions are meant. Judged are the lines of these functions
//! that the tests reach, the mutants in them that the tests notice, and whether all tests pass three times in a row. Writing
//! needs a quiet machine, judging does not: with `--kept` the tests stay in a folder between the two.

mod ground;

use super::compiling;
use ground::Ground;
use std::path::PathBuf;

/// Modules of real packages, with the thirty functions that are tested.
const MODULES: [(&str, &[&str]); 8] = [
    (
        "inflection",
        &[
            "camelize",
            "dasherize",
            "humanize",
            "ordinal",
            "ordinalize",
            "parameterize",
            "pluralize",
            "singularize",
            "titleize",
            "underscore",
        ],
    ),
    ("roman", &["toRoman", "fromRoman"]),
    ("humanize.filesize", &["naturalsize"]),
    ("humanize.number", &["intcomma", "intword", "apnumber", "fractional", "clamp"]),
    ("boltons.mathutils", &["clamp", "ceil", "floor"]),
    (
        "webcolors._conversion",
        &["name_to_hex", "hex_to_name", "hex_to_rgb", "rgb_to_hex", "rgb_percent_to_rgb"],
    ),
    ("pytimeparse.timeparse", &["timeparse"]),
    ("packaging.utils", &["canonicalize_name", "canonicalize_version", "parse_sdist_filename"]),
];

/// Passes in a row that every test must make.
const PASSES: usize = 3;

/// What the command line asks for.
#[derive(Debug)]
pub struct Options {
    /// A virtual environment with pytest and the packages of the modules.
    pub venv: PathBuf,
    /// Pynguin's program; left out where it is not named.
    pub pynguin: Option<PathBuf>,
    /// Seconds for each module.
    pub seconds: f64,
    /// Where written tests are kept; what is there already is judged as it is.
    pub kept: Option<PathBuf>,
    /// Only writes.
    pub write_only: bool,
    /// Only these modules; all where there are none.
    pub modules: Vec<String>,
}

/// A file of tests, and how long writing it took.
struct Written {
    text: String,
    seconds: f64,
}

/// How good the tests of one module are.
#[derive(Debug, Default, Clone)]
struct Figures {
    tests: u64,
    /// The share of its lines that the tests reach, for each function.
    covered: Vec<f64>,
    killed: u64,
    mutants: u64,
    passes: usize,
    seconds: f64,
}

impl Figures {
    fn mean_coverage(&self) -> f64 {
        self.covered.iter().sum::<f64>() / self.covered.len().max(1) as f64
    }

    fn score(&self) -> f64 {
        self.killed as f64 / self.mutants.max(1) as f64
    }
}

/// Writes and judges tests for every module, and prints the table.
pub fn command(options: &Options) -> Result<(), String> {
    let scratch = std::env::temp_dir().join(format!("formicary-bench-tests-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let platform = compiling::platform_to_stay(&scratch, &[])?;
    println!(
        "{:<24} {:<10} {:>6} {:>9} {:>16} {:>7} {:>8}",
        "module", "by", "tests", "coverage", "mutants noticed", "passes", "seconds"
    );
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let meant = |module: &str| options.modules.is_empty() || options.modules.iter().any(|own| own == module);
    for (module, functions) in MODULES.into_iter().filter(|(module, _)| meant(module)) {
        let ground = Ground::lay_out(&platform, options, module, functions, scratch.join(module))?;
        for by in ["formicary", "pynguin"] {
            let Some(written) = ground.written(by)? else { continue };
            if options.write_only {
                println!("{module:<24} {by:<10} {:>60.1}", written.seconds);
                continue;
            }
            let figures = ground.judged(&written)?;
            shown(module, by, &figures);
            if by == "formicary" { &mut ours } else { &mut theirs }.push(figures);
        }
    }
    for (name, all) in [("formicary", ours), ("pynguin", theirs)] {
        if !all.is_empty() {
            shown("all", name, &summed(&all));
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    Ok(())
}

fn summed(all: &[Figures]) -> Figures {
    Figures {
        tests: all.iter().map(|one| one.tests).sum(),
        covered: all.iter().flat_map(|one| one.covered.clone()).collect(),
        killed: all.iter().map(|one| one.killed).sum(),
        mutants: all.iter().map(|one| one.mutants).sum(),
        passes: all.iter().map(|one| one.passes).min().unwrap_or_default(),
        seconds: all.iter().map(|one| one.seconds).sum(),
    }
}

fn shown(module: &str, by: &str, figures: &Figures) {
    println!(
        "{module:<24} {by:<10} {:>6} {:>7.1} % {:>4}/{:<4} {:>4.0} % {:>5}/{PASSES} {:>8.1}",
        figures.tests,
        100.0 * figures.mean_coverage(),
        figures.killed,
        figures.mutants,
        100.0 * figures.score(),
        figures.passes,
        figures.seconds
    );
}
