//! `cargo xtask bench-tests`: tests written for modules of real packages, by Formicary and by Pynguin, judged the same way.
//!
//! Both get the same seconds for each module. Judged are the lines that the tests reach and the mutants that they notice.

use super::compiling;
use formicary_model::ExecutionRequest;
use formicary_platform::testing::{GenerationWanted, MutationWanted, Style, TestOptions, TestTarget, Wanted};
use formicary_platform::{Cancel, Platform};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Modules of real packages whose functions are tested.
const MODULES: [&str; 6] = [
    "inflection",
    "roman",
    "humanize.filesize",
    "humanize.number",
    "boltons.mathutils",
    "webcolors._conversion",
];

/// What the command line asks for.
#[derive(Debug)]
pub struct Options {
    /// A virtual environment with pytest and the packages: inflection, roman, humanize, boltons, webcolors.
    pub venv: PathBuf,
    /// Pynguin's program; left out where it is not named.
    pub pynguin: Option<PathBuf>,
    /// Seconds for each module.
    pub seconds: f64,
}

/// How good the tests of one module are.
#[derive(Debug, Default, Clone, Copy)]
struct Figures {
    tests: u64,
    covered: f64,
    score: f64,
    seconds: f64,
}

/// Writes and judges tests for every module, and prints the table.
pub fn command(options: &Options) -> Result<(), String> {
    let scratch = std::env::temp_dir().join(format!("formicary-bench-tests-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let platform = compiling::platform_to_stay(&scratch, &[])?;
    println!(
        "{:<24} {:<10} {:>6} {:>9} {:>9} {:>8}",
        "module", "by", "tests", "coverage", "mutants", "seconds"
    );
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for module in MODULES {
        let place = scratch.join(module);
        let file = lay_out(&options.venv, module, &place)?;
        let figures = written_by_us(&platform, options, &place, &file)?;
        shown(module, "formicary", &figures);
        ours.push(figures);
        if let Some(program) = &options.pynguin {
            let figures = written_by_pynguin(&platform, options, program, module, &place, &file)?;
            shown(module, "pynguin", &figures);
            theirs.push(figures);
        }
    }
    for (name, all) in [("formicary", ours), ("pynguin", theirs)] {
        if !all.is_empty() {
            let mean = |pick: fn(&Figures) -> f64| all.iter().map(pick).sum::<f64>() / all.len() as f64;
            println!(
                "mean of {:<2} modules         {name:<10}        {:>8.1} % {:>7.1} %",
                all.len(),
                100.0 * mean(|figures| figures.covered),
                100.0 * mean(|figures| figures.score)
            );
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    Ok(())
}

fn shown(module: &str, by: &str, figures: &Figures) {
    println!(
        "{module:<24} {by:<10} {:>6} {:>7.1} % {:>7.1} % {:>8.1}",
        figures.tests,
        100.0 * figures.covered,
        100.0 * figures.score,
        figures.seconds
    );
}

/// Copies a module's package into a project of its own; gives the module's file.
fn lay_out(venv: &Path, module: &str, place: &Path) -> Result<String, String> {
    let library =
        std::fs::read_dir(venv.join("lib")).map_err(|error| format!("{}: {error}", venv.display()))?;
    let packages = library.flatten().map(|entry| entry.path().join("site-packages"));
    let package = module.split('.').next().unwrap_or(module);
    std::fs::create_dir_all(place).map_err(|error| error.to_string())?;
    for folder in packages {
        for name in [package.to_owned(), format!("{package}.py")] {
            let found = folder.join(&name);
            if found.exists() {
                let copied = Command::new("cp").arg("-r").arg(&found).arg(place).status();
                copied.map_err(|error| format!("cp: {error}"))?;
            }
        }
    }
    let path = module.replace('.', "/");
    [format!("{path}.py"), format!("{path}/__init__.py")]
        .into_iter()
        .find(|file| place.join(file).is_file())
        .ok_or_else(|| format!("{module} is not in {}: install it there with pip", venv.display()))
}

fn asked(options: &Options, place: &Path, target: &str) -> TestOptions {
    TestOptions {
        working_folder: place.to_owned(),
        target: TestTarget::Path(target.into()),
        wanted: Wanted { framework: Some("pytest".into()), coverage: true, ..Wanted::default() },
        base: ExecutionRequest {
            venv: Some(options.venv.display().to_string()),
            ..ExecutionRequest::default()
        },
    }
}

fn written_by_us(
    platform: &Platform,
    options: &Options,
    place: &Path,
    file: &str,
) -> Result<Figures, String> {
    let wanted = GenerationWanted {
        files: Vec::new(),
        functions: Vec::new(),
        seconds: options.seconds,
        style: Style::Pytest,
        workers: 1,
    };
    let started = Instant::now();
    let report = platform
        .generate_tests(&asked(options, place, file), &wanted, &Cancel::default())
        .map_err(|failure| failure.message)?;
    let seconds = started.elapsed().as_secs_f64();
    let text = report.files.first().map(|file| file.text.clone()).unwrap_or_default();
    judged(platform, options, place, file, &text, seconds)
}

/// Pynguin looks as long as it is told and then takes its time to write assertions: ten times as long at the most.
fn written_by_pynguin(
    platform: &Platform,
    options: &Options,
    program: &Path,
    module: &str,
    place: &Path,
    file: &str,
) -> Result<Figures, String> {
    let started = Instant::now();
    let out = place.join("pynguin");
    let mut child = Command::new(program)
        .args(["--project-path", ".", "--output-path", "pynguin", "--module-name", module, "--seed", "1"])
        .args(["--maximum-search-time", &options.seconds.round().to_string()])
        .current_dir(place)
        .env("PYNGUIN_DANGER_AWARE", "1")
        .env("PYTHONHASHSEED", "0")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    while started.elapsed().as_secs_f64() < options.seconds * 10.0
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
    judged(platform, options, place, file, &text, seconds)
}

fn judged(
    platform: &Platform,
    options: &Options,
    place: &Path,
    file: &str,
    text: &str,
    seconds: f64,
) -> Result<Figures, String> {
    if text.is_empty() {
        return Ok(Figures { seconds, ..Figures::default() });
    }
    let tests = "test_generated.py";
    std::fs::write(place.join(tests), text).map_err(|error| error.to_string())?;
    let ran = platform.run_tests(&asked(options, place, tests), &Cancel::default());
    let ran = ran.map_err(|failure| failure.message)?;
    let covered = ran.coverage.iter().find(|own| own.file == file);
    let wanted = MutationWanted {
        tests: vec![tests.into()],
        framework: Some("pytest".into()),
        seconds: 150.0,
        most: 60,
        workers: 2,
        ..MutationWanted::default()
    };
    // Where no test passes, nothing is noticed.
    let score = platform.mutate(&asked(options, place, file), &wanted, &Cancel::default());
    std::fs::remove_file(place.join(tests)).map_err(|error| error.to_string())?;
    Ok(Figures {
        tests: ran.totals.tests,
        covered: covered.map_or(0.0, |own| own.covered as f64 / own.lines.max(1) as f64),
        score: score.map_or(0.0, |report| report.score),
        seconds,
    })
}
