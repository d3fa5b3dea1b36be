//! The `console` examples of the documents, run as they are written: each page in a directory with the content of
//! `docs/examples`, its commands in their order.
//!
//! Below a command stands its output. `…` alone stands for any lines, within a line for any text; times, sizes and the
//! protection level, which depend on the host, are not compared.

use crate::command::Bench;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What begins blocks that cannot run here: they build the program that is tested, or everything.
const NOT_RUN: [&str; 2] = ["cargo ", "./test"];

/// Behind a number, what makes it a measurement.
const UNITS: [&str; 9] = ["s", "ms", "KiB", "MiB", "GiB", "programs/s", "cases/s", "a", "candidates"];

#[test]
fn readme() {
    check(&["README.md"]);
}

#[test]
fn start() {
    check(&["docs/start.md"]);
}

#[test]
fn guides() {
    check(&pages_below("docs/guides"));
}

#[test]
fn concepts_and_reference() {
    check(&pages_below("docs/concepts"));
    check(&pages_below("docs/reference"));
}

#[test]
fn blocks_are_read_and_outputs_compared() {
    let text = "```console\n$ one \\\n  two\n1\n2\n$ three\n```\n```sh\n$ four\n```\n```console\n$ cargo run\nHello\n```\n";
    let examples = examples(text);
    let read: Vec<(usize, &str, &[&str])> = examples
        .iter()
        .map(|example| (example.line, example.command.as_str(), example.output.as_slice()))
        .collect();
    assert_eq!(read, [(2, "one \\\n  two", ["1", "2"].as_slice()), (6, "three", &[])]);
    for (expected, actual, same) in [
        (vec!["a", "…", "d"], vec!["a", "b", "c", "d"], true),
        (vec!["a", "…", "d"], vec!["a", "d"], true),
        (vec!["a", "…", "d"], vec!["a", "b"], false),
        (vec!["a … c"], vec!["a bb c"], true),
        (
            vec!["timeout [1.0 s, 748 KiB, full (native)]"],
            vec!["timeout [1.2 s, 1 MiB, isolated (native)]"],
            false,
        ),
        (
            vec!["timeout [1.0 s, 748 KiB, full (native)]"],
            vec!["timeout [1.2 s, 9 KiB, isolated (native)]"],
            true,
        ),
        (vec!["2 of 3 cases"], vec!["1 of 3 cases"], false),
        (vec![], vec!["more"], false),
    ] {
        assert_eq!(matches(&expected, &actual), same, "{expected:?} {actual:?}");
    }
}

/// A command and the output that the page shows.
struct Example<'a> {
    line: usize,
    command: String,
    output: Vec<&'a str>,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages_below(directory: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(repository().join(directory)) else { return Vec::new() };
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut pages: Vec<String> =
        names.filter(|name| name.ends_with(".md")).map(|name| format!("{directory}/{name}")).collect();
    pages.sort();
    pages
}

fn check(pages: &[impl AsRef<str>]) {
    // Who runs the tests may not be allowed to read the clone; then there is nothing of it to try.
    if pages.is_empty() || std::fs::read_dir(repository().join("docs/examples")).is_err() {
        formicary_testkit::skips::Skips::new().note("documents", "the clone is closed to this user");
        return;
    }
    let (mut ran, mut wrong) = (0, String::new());
    for page in pages.iter().map(AsRef::as_ref) {
        let text = std::fs::read_to_string(repository().join(page)).unwrap();
        let examples = examples(&text);
        if examples.is_empty() {
            continue;
        }
        let place = Place::new();
        ran += examples.len();
        for example in &examples {
            let output = place.run(&example.command);
            let printed = String::from_utf8_lossy(&output.stdout);
            let printed: Vec<&str> = printed.lines().collect();
            if !matches(&example.output, &printed) {
                let _ = writeln!(
                    wrong,
                    "{page}:{}: $ {}\n-- the page shows\n{}\n-- it printed\n{}\n",
                    example.line,
                    example.command,
                    example.output.join("\n"),
                    printed.join("\n")
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(ran > 0, "no page has an example");
}

fn examples(text: &str) -> Vec<Example<'_>> {
    let mut found: Vec<Example<'_>> = Vec::new();
    let (mut inside, mut begins, mut continued) = (false, 0, false);
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            // A block that cannot run is left out as a whole.
            if inside
                && found[begins..]
                    .first()
                    .is_some_and(|first| NOT_RUN.iter().any(|word| first.command.starts_with(word)))
            {
                found.truncate(begins);
            }
            (inside, begins, continued) = (line == "```console", found.len(), false);
        } else if inside && continued {
            let last = found.last_mut().unwrap();
            last.command.push('\n');
            last.command.push_str(line);
            continued = line.ends_with('\\');
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            continued = command.ends_with('\\');
            found.push(Example { line: index + 1, command: command.to_owned(), output: Vec::new() });
        } else if let Some(last) = found[begins..].last_mut().filter(|_| inside) {
            last.output.push(line);
        }
    }
    found
}

fn matches(expected: &[&str], actual: &[&str]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((&"…", rest)) => (0..=actual.len()).any(|skipped| matches(rest, &actual[skipped..])),
        Some((first, rest)) => {
            actual.split_first().is_some_and(|(line, others)| same_line(first, line) && matches(rest, others))
        }
    }
}

fn same_line(expected: &str, actual: &str) -> bool {
    let (expected, actual) = (comparable(expected), comparable(actual));
    let mut parts = expected.split('…');
    let Some(mut rest) = parts.next().and_then(|first| actual.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(start) = rest.find(part) else { return false };
        rest = &rest[start + part.len()..];
    }
    rest.ends_with(last)
}

/// A line without what differs from host to host and from run to run.
fn comparable(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let shown = words.iter().enumerate().map(|(index, word)| {
        let next = words.get(index + 1).map_or("", |next| next.trim_end_matches([',', ']', ';', ':']));
        let number = word.trim_start_matches('[');
        let measured = number.starts_with(|first: char| first.is_ascii_digit()) && UNITS.contains(&next);
        if measured {
            "#"
        } else if next == "(native)" {
            "LEVEL"
        } else {
            word
        }
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// Where a page's commands run.
struct Place {
    bench: Bench,
    tools: PathBuf,
    /// Short, since a socket in it has a path of limited length.
    runtime: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let bench = Bench::new().variable("FORMICARY_SESSIONS_LINGER_SECONDS", "0.5");
        let runtime = tempfile::tempdir_in("/tmp").unwrap();
        let tools = bench.here().parent().unwrap().join("tools");
        std::fs::create_dir(&tools).unwrap();
        let binary = bench.command(&["--version"]).get_program().to_owned();
        std::os::unix::fs::symlink(binary, tools.join("formicary")).unwrap();
        duplicate(&repository().join("docs/examples"), &bench.here());
        Self { bench, tools, runtime }
    }

    fn run(&self, line: &str) -> Output {
        let like = self.bench.command(&["--version"]);
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("bash");
        command
            .args(["--noprofile", "--norc", "-c", &format!("exec 2>&1\n{line}")])
            .current_dir(self.bench.here());
        command.env_clear().envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command
            .env("PATH", format!("{}:{path}", self.tools.display()))
            .env("XDG_RUNTIME_DIR", self.runtime.path());
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "a").env(format!("GIT_{role}_EMAIL"), "a@b.c");
        }
        command.output().unwrap()
    }
}

fn duplicate(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            std::fs::create_dir(&to).unwrap();
            duplicate(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}
