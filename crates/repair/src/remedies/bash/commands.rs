//! Commands and files that are not found, and commands that are used wrongly.

use crate::Candidate;
use crate::remedies::remedy::{BASH, Remedy, Way};
use crate::remedies::spot::{Spot, regex};
use formicary_diagnose::names;

const FAILED: &[&str] = &["command-not-found"];
const COMMON: &str = "echo printf cat grep sed awk cut sort uniq head tail wc tr seq mkdir rm cp mv ls touch find xargs test \
    read local export return exit shift function then else elif done while until case esac declare readonly source sleep \
    date basename dirname tee expr rev paste true false set unset let eval mapfile tac nl fold";
/// Words of other languages.
const FOREIGN: &[(&str, &str)] = &[
    ("print", "echo"),
    ("println", "echo"),
    ("elseif", "elif"),
    ("var", ""),
    ("let", ""),
    ("console.log", "echo"),
];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "misspelt-command", about: "Takes a command or function whose name is near",
        languages: BASH, answers: FAILED, says: &[],
        way: Way::Propose(misspelt),
        examples: &[("command-not-found", "ecoh: command not found", "ecoh hi", "echo hi")],
    },
    Remedy {
        name: "foreign-command", about: "Writes Bash's command for that of another language",
        languages: BASH, answers: FAILED, says: &[],
        way: Way::Propose(foreign),
        examples: &[
            ("command-not-found", "print: command not found", "print hi", "echo hi"),
            ("command-not-found", "var: command not found", "var x=1", "x=1"),
        ],
    },
    Remedy {
        name: "defined-too-late", about: "Moves a function above its call",
        languages: BASH, answers: FAILED, says: &[],
        way: Way::Propose(defined_too_late),
        examples: &[("command-not-found", "greet: command not found", "▸greet\ngreet() {\n  echo hi\n}\n", "greet() {\n  echo hi\n}\ngreet\n")],
    },
    Remedy {
        name: "variable-as-command", about: "Takes the value of a variable that is run",
        languages: BASH, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            let Some(name) = missing(spot) else { return Vec::new() };
            spot.replace(&format!(r"\$\({}\)", regex::escape(&name)), &format!("$${name}"), 0.9)
        }),
        examples: &[("command-not-found", "name: command not found", "echo $(name)", "echo $name")],
    },
    Remedy {
        name: "missing-quotes", about: "Puts quotes around a value of several words",
        languages: BASH, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            let Some(name) = missing(spot) else { return Vec::new() };
            spot.replace(&format!(r"=(\w+) {}\b", regex::escape(&name)), &format!("=\"$1 {name}\""), 0.9)
        }),
        examples: &[("command-not-found", "world: command not found", "text=hello world", "text=\"hello world\"")],
    },
    Remedy {
        name: "missing-parents", about: "Makes the directories above, too",
        languages: BASH, answers: &["no-such-file"], says: &[],
        way: Way::Replace(&[(r"\bmkdir ([^-])", "mkdir -p $1", 0.5)]),
        examples: &[("no-such-file", "mkdir: cannot create directory 'a/b': No such file or directory", "mkdir a/b", "mkdir -p a/b")],
    },
    Remedy {
        name: "missing-file", about: "Removes a file where there is one",
        languages: BASH, answers: &["no-such-file"], says: &[],
        way: Way::Replace(&[(r"\brm ([^-])", "rm -f $1", 0.8)]),
        examples: &[("no-such-file", "rm: cannot remove 'a': No such file or directory", "rm a", "rm -f a")],
    },
    Remedy {
        name: "misspelt-path", about: "Takes a file of the project whose path is near",
        languages: BASH, answers: &["no-such-file"], says: &[],
        way: Way::Propose(misspelt_path),
        examples: &[("no-such-file", "cat: mian.sh: No such file or directory", "cat mian.sh", "cat main.sh")],
    },
    Remedy {
        name: "not-executable", about: "Runs a file by Bash that cannot be started",
        languages: BASH, answers: &["permission-denied"], says: &[],
        way: Way::Replace(&[(r"^(\s*)(\./\S+)", "${1}bash $2", 0.9)]),
        examples: &[("permission-denied", "./a.sh: Permission denied", "./a.sh", "bash ./a.sh")],
    },
    Remedy {
        name: "numeric-argument", about: "Ends with a number",
        languages: BASH, answers: &["numeric-argument"], says: &[],
        way: Way::Replace(&[(r"(exit|return) \w+", "$1 1", 1.5)]),
        examples: &[("numeric-argument", "exit: failed: numeric argument required", "exit failed", "exit 1")],
    },
    Remedy {
        name: "local-outside", about: "Sets a variable outside a function",
        languages: BASH, answers: &["misplaced"], says: &[],
        way: Way::Replace(&[(r"\blocal ", "", 0.6)]),
        examples: &[("misplaced", "local: can only be used in a function", "local n=1", "n=1")],
    },
];

/// The command that is not found.
fn missing(spot: &Spot<'_>) -> Option<String> {
    spot.said(r"^(\S+): command not found")
}

fn misspelt(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = missing(spot) else { return Vec::new() };
    let is_head = |line: &&str| line.contains("()") || line.trim_start().starts_with("function ");
    let functions: Vec<&str> = spot.text.lines().filter(is_head).collect();
    let pattern = format!(r"(^|[\s;|&(]){}(\s|$|;|\))", regex::escape(&name));
    let near = spot.near(&name, &functions.join(" "), COMMON).into_iter();
    near.flat_map(|(rank, near)| spot.replace(&pattern, &format!("${{1}}{near}$2"), 0.7 + rank * 0.2))
        .collect()
}

fn foreign(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = missing(spot) else { return Vec::new() };
    let rows = FOREIGN.iter().filter(|(wrong, _)| *wrong == name);
    let written = |(wrong, right): &(&str, &str)| {
        let space = if right.is_empty() { "" } else { " " };
        spot.replace(&format!(r"\b{}\s+", regex::escape(wrong)), &format!("{right}{space}"), 0.8)
    };
    rows.flat_map(written).collect()
}

fn defined_too_late(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = missing(spot) else { return Vec::new() };
    let defined = regex(&format!(r"^(?:function\s+)?{}\s*\(\)", regex::escape(&name)));
    let defines = |line: &u32| defined.as_ref().is_some_and(|pattern| pattern.is_match(spot.line_at(*line)));
    let Some(first) = (spot.line + 1..=spot.count()).find(defines) else { return Vec::new() };
    let ends = |line: &u32| {
        let text = spot.line_at(*line).trim_end();
        text == "}" || text.ends_with("; }")
    };
    let last = (first..=spot.count()).find(ends).unwrap_or(first);
    let (start, end) = (spot.start_of(first), spot.start_of(last + 1));
    let at = spot.start_of(spot.line);
    let edits = vec![spot.edit(at, at, &spot.text[start..end]), spot.edit(start, end, "")];
    vec![spot.make(edits, 0.8, "Moves the function above its call")]
}

fn misspelt_path(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(path) = spot.said(r"([\w./\-]+)'?: No such file") else { return Vec::new() };
    let near = spot.case.files.iter().filter(|file| names::distance(&path, &file.path) <= 2);
    near.flat_map(|file| spot.replace(&regex::escape(&path), &file.path, 0.6)).collect()
}
