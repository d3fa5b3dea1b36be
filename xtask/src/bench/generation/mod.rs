//! `cargo xtask bench-tests`: tests written for functions of real packages, by Formicary and by Pynguin, judged the same way.
//!
//! Both get the same seconds for each module and are told which functions are meant. Judged are the lines of these functions
//! that the tests reach, the mutants in them that the tests notice, and whether all tests pass three times in a row.

use super::compiling;
use formicary_model::ExecutionRequest;
use formicary_platform::testing::{GenerationWanted, MutationWanted, Style, TestOptions, TestTarget, Wanted};
use formicary_platform::{Cancel, Platform};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

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

/// Tells the lines of functions that hold something to execute, as JSON.
const LINES: &str = "
import json, sys, types
def lines(code):
    found = {line for _, _, line in code.co_lines() if line and line != code.co_firstlineno}
    return found.union(*(lines(part) for part in code.co_consts if isinstance(part, types.CodeType)))
whole = compile(open(sys.argv[1]).read(), sys.argv[1], 'exec')
codes = {code.co_name: code for code in whole.co_consts if isinstance(code, types.CodeType)}
print(json.dumps({name: sorted(lines(codes[name])) for name in sys.argv[2:]}))
";

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
}

/// One module in its own folder.
struct Ground<'a> {
    platform: &'a Platform,
    options: &'a Options,
    module: &'static str,
    functions: &'static [&'static str],
    place: PathBuf,
    file: String,
    lines: BTreeMap<String, Vec<u64>>,
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
    for (module, functions) in MODULES {
        let ground = lay_out(&platform, options, module, functions, scratch.join(module))?;
        let figures = ground.written_by_us()?;
        shown(module, "formicary", &figures);
        ours.push(figures);
        if let Some(program) = &options.pynguin {
            let figures = ground.written_by_pynguin(program)?;
            shown(module, "pynguin", &figures);
            theirs.push(figures);
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

/// Copies a module's package into a project of its own.
fn lay_out<'a>(
    platform: &'a Platform,
    options: &'a Options,
    module: &'static str,
    functions: &'static [&'static str],
    place: PathBuf,
) -> Result<Ground<'a>, String> {
    let venv = &options.venv;
    let library =
        std::fs::read_dir(venv.join("lib")).map_err(|error| format!("{}: {error}", venv.display()))?;
    let packages = library.flatten().map(|entry| entry.path().join("site-packages"));
    let package = module.split('.').next().unwrap_or(module);
    std::fs::create_dir_all(&place).map_err(|error| error.to_string())?;
    for folder in packages {
        // A package comes before a module of the same name, as it does for Python.
        let names = [package.to_owned(), format!("{package}.py")];
        if let Some(found) = names.iter().map(|name| folder.join(name)).find(|path| path.exists()) {
            let copied = Command::new("cp").arg("-r").arg(&found).arg(&place).status();
            copied.map_err(|error| format!("cp: {error}"))?;
        }
    }
    let path = module.replace('.', "/");
    let file = [format!("{path}.py"), format!("{path}/__init__.py")]
        .into_iter()
        .find(|file| place.join(file).is_file())
        .ok_or_else(|| format!("{module} is not in {}: install it there with pip", venv.display()))?;
    let told = Command::new(venv.join("bin/python3"))
        .args(["-c", LINES])
        .arg(place.join(&file))
        .args(functions)
        .output()
        .map_err(|error| format!("{}: {error}", venv.display()))?;
    let lines = serde_json::from_slice(&told.stdout)
        .map_err(|error| format!("{module}: {error}: {}", String::from_utf8_lossy(&told.stderr)))?;
    Ok(Ground { platform, options, module, functions, place, file, lines })
}

impl Ground<'_> {
    fn asked(&self, target: &str) -> TestOptions {
        TestOptions {
            working_folder: self.place.clone(),
            target: TestTarget::Path(target.into()),
            wanted: Wanted { framework: Some("pytest".into()), coverage: true, ..Wanted::default() },
            base: ExecutionRequest {
                venv: Some(self.options.venv.display().to_string()),
                ..ExecutionRequest::default()
            },
        }
    }

    fn names(&self) -> Vec<String> {
        self.functions.iter().map(|name| (*name).to_owned()).collect()
    }

    fn written_by_us(&self) -> Result<Figures, String> {
        let wanted = GenerationWanted {
            files: Vec::new(),
            functions: self.names(),
            seconds: self.options.seconds,
            style: Style::Pytest,
            workers: 1,
        };
        let started = Instant::now();
        let report = self
            .platform
            .generate_tests(&self.asked(&self.file), &wanted, &Cancel::default())
            .map_err(|failure| failure.message)?;
        let seconds = started.elapsed().as_secs_f64();
        let text = report.files.first().map(|file| file.text.clone()).unwrap_or_default();
        self.judged(&text, seconds)
    }

    /// Pynguin looks as long as it is told and then takes its time to write assertions: ten times as long at the most.
    fn written_by_pynguin(&self, program: &Path) -> Result<Figures, String> {
        let started = Instant::now();
        let out = self.place.join("pynguin");
        let mut child = Command::new(program)
            .args(["--project-path", ".", "--output-path", "pynguin", "--module-name", self.module])
            .args(["--seed", "1", "--maximum-search-time", &self.options.seconds.round().to_string()])
            .arg("--only-cover")
            .args(self.functions)
            .current_dir(&self.place)
            .env("PYNGUIN_DANGER_AWARE", "1")
            .env("PYTHONHASHSEED", "0")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        while started.elapsed().as_secs_f64() < self.options.seconds * 10.0
            && child.try_wait().map_err(|error| error.to_string())?.is_none()
        {
            std::thread::sleep(Duration::from_millis(200));
        }
        let _ = child.kill();
        let _ = child.wait();
        let seconds = started.elapsed().as_secs_f64();
        let entries = std::fs::read_dir(&out).into_iter().flatten().flatten();
        let written = entries.map(|entry| entry.path()).find(|path| path.to_string_lossy().ends_with(".py"));
        let text = written.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
        let _ = std::fs::remove_dir_all(&out);
        self.judged(&text, seconds)
    }

    fn judged(&self, text: &str, seconds: f64) -> Result<Figures, String> {
        let mut figures = Figures { covered: vec![0.0; self.functions.len()], seconds, ..Figures::default() };
        let tests = "test_generated.py";
        // A file of tests that notices nothing stands for one that was not written: its mutants count too.
        let text = if text.is_empty() { "def test_nothing():\n    pass\n" } else { text };
        std::fs::write(self.place.join(tests), text).map_err(|error| error.to_string())?;
        for _ in 0..PASSES {
            let ran = self.platform.run_tests(&self.asked(tests), &Cancel::default());
            let ran = ran.map_err(|failure| failure.message)?;
            figures.passes += usize::from(ran.passed);
            figures.tests = ran.totals.tests;
            let own = ran.coverage.iter().find(|own| own.file == self.file);
            for (at, name) in self.functions.iter().enumerate().filter(|_| own.is_some()) {
                let lines = &self.lines[*name];
                let missed = own.map_or(0, |own| {
                    lines
                        .iter()
                        .filter(|line| own.missed.iter().any(|missed| u64::from(*missed) == **line))
                        .count()
                });
                figures.covered[at] = 1.0 - missed as f64 / lines.len().max(1) as f64;
            }
        }
        let wanted = MutationWanted {
            functions: self.names(),
            tests: vec![tests.into()],
            framework: Some("pytest".into()),
            seconds: 150.0,
            most: 80,
            workers: 2,
            ..MutationWanted::default()
        };
        let report = self.platform.mutate(&self.asked(&self.file), &wanted, &Cancel::default());
        let report = report.map_err(|failure| format!("{}: {}", self.module, failure.message))?;
        figures.killed = report.killed + report.timed_out;
        figures.mutants = report.mutants;
        std::fs::remove_file(self.place.join(tests)).map_err(|error| error.to_string())?;
        Ok(figures)
    }
}
