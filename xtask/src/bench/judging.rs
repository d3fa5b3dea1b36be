//! Judging without end: how many programs a second, next to a loop of the bare interpreter on the same cores; and
//! whether anything grows on the way.

use super::{Measured, Options, compiling};
use formicary_model::{ExecutionRequest, Source, Verdict};
use formicary_platform::judge::JudgeRequest;
use formicary_platform::judging::{Case, Feed, Item, Text};
use formicary_platform::{Availability, Live, Platform};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// Programs that differ in what they print, with the verdict that is known of each.
const PROGRAMS: [(&str, Verdict); 4] = [
    ("print(int(input()) * 2)", Verdict::Accepted),
    ("print(int(input()) * 3)", Verdict::WrongAnswer),
    ("print('', int(input()) * 2)", Verdict::PresentationError),
    ("raise SystemExit(1)", Verdict::RuntimeError),
];

/// The figures of one interpreter.
#[derive(Debug, Serialize)]
struct Figures {
    interpreter: String,
    judged: u32,
    judged_per_second: f64,
    bare_per_second: f64,
    ratio: f64,
    wrong_verdicts: u32,
    /// After a tenth of the programs, and after all of them.
    held: [BTreeMap<&'static str, u64>; 2],
}

/// As many programs as were asked for by the interpreter that is found first; fewer by the system's own, which starts
/// quicker than many that people build.
pub fn measured(options: &Options, scratch: &Path) -> Result<Measured, String> {
    let mut all = vec![measure(scratch, &[], options.judged)?];
    let system = [("toolchains.python", "/usr/bin/python3")];
    if all[0].interpreter != system[0].1 && Path::new(system[0].1).exists() {
        all.push(measure(scratch, &system, options.judged.min(3000))?);
    }
    Measured::new(all.iter().map(table).collect(), &all)
}

/// Judges this many Python programs whose verdicts are known.
fn measure(scratch: &Path, settings: &[(&str, &str)], programs: u32) -> Result<Figures, String> {
    let platform = compiling::platform_to_stay(scratch, settings)?;
    let interpreter = interpreter(&platform)?;
    let bare_per_second = bare(&interpreter, scratch, (programs / 10).clamp(20, 200))?;
    let mut wrong_verdicts = 0;
    let mut early = BTreeMap::new();
    let mut number = 0;
    let started = Instant::now();
    let source = items(&platform, programs);
    let judged = platform
        .judge(
            &formicary_platform::local_caller(),
            source,
            JudgeRequest::default(),
            &Live::default(),
            &mut |result, _| {
                let (_, verdict) = PROGRAMS[number as usize % PROGRAMS.len()];
                wrong_verdicts += u32::from(result.verdict != Some(verdict));
                number += 1;
                if number == programs.div_ceil(10) {
                    early = held();
                }
                Ok(())
            },
        )
        .map_err(|failure| failure.message)?;
    let seconds = started.elapsed().as_secs_f64();
    judged.ended.map_err(|failure| failure.message)?;
    let judged_per_second = f64::from(programs) / seconds;
    let ratio = judged_per_second / bare_per_second;
    let missing = programs - number;
    Ok(Figures {
        interpreter,
        judged: number,
        judged_per_second,
        bare_per_second,
        ratio,
        wrong_verdicts: wrong_verdicts + missing,
        held: [early, held()],
    })
}

fn items(platform: &Platform, programs: u32) -> Box<dyn Iterator<Item = Feed> + Send> {
    let request = platform.new_request();
    Box::new((0..programs).map(move |number| {
        let (code, _) = PROGRAMS[number as usize % PROGRAMS.len()];
        let case = Case {
            name: "1".into(),
            stdin: Text::Given(format!("{number}\n").into_bytes()),
            expected: Some(Text::Given(format!("{}\n", number * 2).into_bytes())),
            proof: None,
        };
        Feed::Item(Box::new(Item {
            id: number.to_string(),
            line: u64::from(number),
            group: None,
            request: ExecutionRequest {
                language: Some("python".into()),
                source: Source::code(format!("{code}  # {number}\n")),
                ..request.clone()
            },
            cases: Arc::new([case]),
            comparison: Default::default(),
            checker: None,
        }))
    }))
}

/// The interpreter that judged programs get: the bare loop must pay for the same one.
fn interpreter(platform: &Platform) -> Result<String, String> {
    let python = platform.languages().into_iter().find(|language| language.id == "python");
    match python.map(|language| language.availability) {
        Some(Availability::Available { program }) => Ok(program),
        _ => Err("Python is not on this host".into()),
    }
}

/// Programs a second that the bare interpreter runs, as many at a time as there are cores.
fn bare(interpreter: &str, scratch: &Path, programs: u32) -> Result<f64, String> {
    let path = scratch.join("program.py");
    std::fs::write(&path, PROGRAMS[0].0).map_err(|error| error.to_string())?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU32::new(0);
    let started = Instant::now();
    let one = || -> Result<(), String> {
        while next.fetch_add(1, Ordering::Relaxed) < programs {
            let mut child = Command::new(interpreter)
                .arg(&path)
                .env_clear()
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .map_err(|error| error.to_string())?;
            let stdin = child.stdin.take();
            stdin.map_or(Ok(()), |mut stdin| stdin.write_all(b"2\n")).map_err(|error| error.to_string())?;
            let output = child.wait_with_output().map_err(|error| error.to_string())?;
            if output.stdout != b"4\n" {
                return Err("the bare interpreter gives another answer".into());
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(one)).collect();
        let ended = |thread: std::thread::ScopedJoinHandle<'_, Result<(), String>>| {
            thread.join().unwrap_or_else(|_| Err("a thread ended early".into()))
        };
        threads.into_iter().try_for_each(ended)
    })?;
    Ok(f64::from(programs) / started.elapsed().as_secs_f64())
}

/// What this process and its host hold at the moment.
fn held() -> BTreeMap<&'static str, u64> {
    let count = |path: &str| std::fs::read_dir(path).map_or(0, |entries| entries.count() as u64);
    let lines = |path: &str| std::fs::read_to_string(path).map_or(0, |text| text.lines().count() as u64);
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let resident = pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default();
    BTreeMap::from([
        ("resident_kib", resident * 4),
        ("descriptors", count("/proc/self/fd")),
        ("threads", count("/proc/self/task")),
        ("mounts", lines("/proc/self/mountinfo")),
        ("cgroups", folders(Path::new("/sys/fs/cgroup"), 0)),
        ("children", lines_of_children()),
    ])
}

fn folders(folder: &Path, depth: usize) -> u64 {
    if depth > 6 {
        return 0;
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let inner = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    inner.map(|entry| 1 + folders(&entry.path(), depth + 1)).sum()
}

fn lines_of_children() -> u64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let children = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    children.map(|children| children.split_whitespace().count() as u64).sum()
}

/// For people.
fn table(figures: &Figures) -> String {
    let mut text = format!("\njudging {} Python programs with {}\n", figures.judged, figures.interpreter);
    let _ = writeln!(
        text,
        "  judged {:.1}/s, bare interpreter {:.1}/s on the same cores: ratio {:.2}; wrong verdicts: {}",
        figures.judged_per_second, figures.bare_per_second, figures.ratio, figures.wrong_verdicts
    );
    let [early, late] = &figures.held;
    for (name, count) in late {
        let before = early.get(name).copied().unwrap_or_default();
        let _ = writeln!(text, "  {name:<24} {before:>9} after a tenth, {count:>9} after all");
    }
    text
}
