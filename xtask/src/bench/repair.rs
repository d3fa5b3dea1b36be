//! `cargo xtask bench-repair`: the suite of broken programs, each mended by its tests, as a table.
//!
//! A case holds the right program, its tests, and faults: each fault put in gives one broken program. A patch is right
//! where it gives back the program as it was, or passes the held-out tests of the case.

use super::compiling;
use formicary_model::FixInput;
use formicary_model::FixStatus;
use formicary_model::use_case::{Code, Number};
use formicary_platform::Platform;
use formicary_platform::debugging::Fix;
use formicary_platform::local_caller;
use formicary_platform::policy::Policy;
use formicary_platform::use_case::Context;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What the command line asks for.
#[derive(Debug)]
pub struct Options {
    /// The folder with one folder of cases for each language.
    pub suite: PathBuf,
    /// One language of the suite alone.
    pub language: Option<String>,
    /// Cases whose name holds one of these words, with commas between them.
    pub only: Option<String>,
    /// Seconds for each program.
    pub seconds: f64,
    /// Only every so-manieth program of each language.
    pub every: usize,
}

#[derive(Debug, Default)]
struct Case {
    name: String,
    program: (String, String),
    test: (String, String),
    files: Vec<(String, String)>,
    held_out: Option<String>,
    command: String,
    faults: Vec<(String, String)>,
}

/// What became of one program.
struct Row {
    fixed: bool,
    rank: Option<u32>,
    candidates: u64,
    seconds: f64,
}

/// What became of all programs of a language.
#[derive(Debug, Default)]
struct Total {
    fixed: u32,
    first: u32,
    candidates: Vec<f64>,
    seconds: Vec<f64>,
}

impl Total {
    fn add(&mut self, row: &Row) {
        self.fixed += u32::from(row.fixed);
        self.first += u32::from(row.rank == Some(1));
        self.candidates.push(row.candidates as f64);
        self.seconds.push(row.seconds);
    }

    fn line(&mut self, language: &str) -> String {
        let all = self.seconds.len();
        format!(
            "{language:<12} {all:>4} programs, {:>4} fixed, {:>4} with the right patch first; median {:>6.1} s, {:>6.0} candidates",
            self.fixed,
            self.first,
            median(&mut self.seconds),
            median(&mut self.candidates)
        )
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Mends every program of the suite and prints the table.
pub fn command(options: &Options) -> Result<(), String> {
    let scratch = std::env::temp_dir().join(format!("formicary-repair-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let platform = compiling::platform_to_stay(&scratch, &[])?;
    let mut totals: BTreeMap<String, Total> = BTreeMap::new();
    println!(
        "{:<34} {:>9} {:>5} {:>10} {:>8}  first patch",
        "program", "outcome", "rank", "candidates", "seconds"
    );
    for language in folders(&options.suite)? {
        let name = file_name(&language);
        if options.language.as_ref().is_some_and(|wanted| *wanted != name) {
            continue;
        }
        let mut count = 0;
        for path in folders(&language)? {
            let case = parse(&path)?;
            let named = |words: &String| words.split(',').any(|word| case.name.contains(word));
            if !options.only.as_ref().is_none_or(named) {
                continue;
            }
            for (number, fault) in case.faults.iter().enumerate() {
                count += 1;
                if !(count - 1_usize).is_multiple_of(options.every.max(1)) {
                    continue;
                }
                let place = scratch.join(format!("{name}-{}-{number}", case.name));
                let row = mended(
                    &platform,
                    &case,
                    fault,
                    &place,
                    options,
                    &format!("{name}/{}#{number}", case.name),
                )?;
                totals.entry(name.clone()).or_default().add(&row);
            }
        }
    }
    println!();
    for (language, total) in &mut totals {
        println!("{}", total.line(language));
    }
    let _ = std::fs::remove_dir_all(&scratch);
    Ok(())
}

fn folders(path: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.sort();
    Ok(found)
}

fn file_name(path: &Path) -> String {
    path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn parse(path: &Path) -> Result<Case, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut case = Case { name: file_name(path), ..Case::default() };
    // A section begins its line: programs may compare with === themselves.
    for section in format!("\n{text}").split("\n=== ").skip(1) {
        let (head, body) = section.split_once('\n').unwrap_or((section, ""));
        let body = format!("{body}\n");
        let (kind, name) = head.split_once(' ').unwrap_or((head, ""));
        match kind {
            "program" => case.program = (name.into(), body),
            "test" => case.test = (name.into(), body),
            "file" => case.files.push((name.into(), body)),
            "held-out" => case.held_out = Some(body),
            "command" => case.command = body.trim().into(),
            "fault" => {
                let inner = body.strip_prefix("<<<\n").and_then(|rest| rest.split_once("\n>>>\n"));
                let (old, new) = inner.ok_or_else(|| format!("{}: a fault without >>>", path.display()))?;
                case.faults.push((old.into(), new.trim_end_matches('\n').into()));
            }
            _ => return Err(format!("{}: unknown section {kind}", path.display())),
        }
    }
    if case.command.is_empty() {
        case.command = format!("python3 {}", case.test.0);
    }
    Ok(case)
}

fn mended(
    platform: &Platform,
    case: &Case,
    fault: &(String, String),
    place: &Path,
    options: &Options,
    shown: &str,
) -> Result<Row, String> {
    let io = |error: std::io::Error| error.to_string();
    std::fs::create_dir_all(place).map_err(io)?;
    let broken = case.program.1.replacen(&fault.0, &fault.1, 1);
    let mut files = vec![(&case.program.0, &broken)];
    files.extend(case.files.iter().map(|(path, text)| (path, text)));
    // Program and tests may stand in one file.
    files.extend((!case.test.0.is_empty()).then_some((&case.test.0, &case.test.1)));
    for (path, text) in files {
        let path = place.join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(place)).map_err(io)?;
        std::fs::write(path, text).map_err(io)?;
    }
    let code = Code { paths: vec![case.program.0.clone()], ..Code::default() };
    let input = FixInput {
        code,
        test: Some(case.command.clone()),
        seconds: Number::new(options.seconds).map_err(|failure| failure.message)?,
        ..FixInput::default()
    };
    let context = Context::new(local_caller(), Policy::local(place.to_owned()));
    let started = Instant::now();
    let report = platform.perform::<Fix>(&context, input).map_err(|failure| failure.message)?;
    let seconds = started.elapsed().as_secs_f64();
    let right = report.patches.iter().find(|patch| {
        let text = patch.files.first().map(|file| file.text.as_str()).unwrap_or_default();
        text == case.program.1 || held_out(platform, case, text)
    });
    let rank = right.map(|patch| patch.rank);
    println!(
        "{shown:<34} {:>9} {:>5} {:>10} {:>8.1}  {}",
        report.status.word(),
        rank.map_or("-".to_owned(), |rank| rank.to_string()),
        report.candidates,
        seconds,
        report.patches.first().map(|patch| patch.explanation.as_str()).unwrap_or_default()
    );
    let fixed = report.status == FixStatus::Fixed;
    Ok(Row { fixed, rank, candidates: report.candidates, seconds })
}

/// Whether a version passes the tests that the search never saw.
fn held_out(platform: &Platform, case: &Case, text: &str) -> bool {
    let Some(tests) = &case.held_out else { return false };
    let mut request = platform.new_request();
    let file = |path: &str, text: &str| formicary_model::SourceFile {
        path: path.into(),
        content: text.into(),
        executable: false,
    };
    if case.program.0.ends_with(".py") {
        request.language = Some("python".into());
        let files = vec![file(&case.program.0, text), file("held_out.py", tests)];
        request.source = formicary_model::Source::Files { files, entry: Some("held_out.py".into()) };
    } else {
        // The same command, with the other tests in the place of those that the search saw.
        let mut files = vec![file(&case.program.0, text), file(&case.test.0, tests)];
        files.extend(case.files.iter().map(|(path, text)| file(path, text)));
        request.language = formicary_model::Language::ALL
            .into_iter()
            .find(|language| {
                language.extensions().iter().any(|ending| case.program.0.ends_with(&format!(".{ending}")))
            })
            .map(|language| language.id().to_owned());
        request.source = formicary_model::Source::Files { files, entry: None };
        request.command = Some(vec!["sh".into(), "-c".into(), case.command.clone()]);
        request.limits.processes = Some(256);
        request.limits.memory_bytes = Some(2 << 30);
        request.limits.disk_bytes = Some(1 << 30);
    }
    platform
        .execute_as(&formicary_platform::local_caller(), request, formicary_platform::Live::default())
        .is_ok_and(|result| result.success())
}
