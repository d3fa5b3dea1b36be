//! Programs are started by the sandbox and its jail only; chores and tests may start what they like.

use super::Findings;
use super::source::{Source, has_word};
use crate::tree::{File, Tree};

const STARTERS: [&str; 9] = [
    "process::Command",
    "Command::new",
    "posix_spawn",
    "posix_spawnp",
    "fork",
    "vfork",
    "clone3",
    "execve",
    "execvp",
];

/// The guest agent runs inside a sandbox: what it starts is confined with it.
const MAY_START: [&str; 4] = ["crates/sandbox/", "crates/jail/", "crates/guest/", "xtask/"];

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.rust().filter(|file| !may_start(file)) {
        for (number, line) in Source::parse(&file.text).shipped_lines() {
            // clap has a `Command` too; only the doors use it.
            let line = line.replace("clap::Command::new", "");
            if let Some(word) = STARTERS.iter().find(|word| has_word(&line, word)) {
                findings.error(
                    &file.path,
                    number,
                    format!("`{word}` outside the sandbox; ask formicary-sandbox"),
                );
            }
        }
    }
}

fn may_start(file: &File) -> bool {
    file.is_test_code()
        || file.name() == "build.rs"
        || MAY_START.iter().any(|folder| file.path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn starting_programs_elsewhere_is_found() {
        let text = "//! Doc.\nuse std::process::Command;\nfn a() { libc::fork(); }\nfn b() { clap::Command::new(\"b\"); }\n";
        let found = places(
            "spawning",
            &[
                ("crates/execution/src/a.rs", text),
                ("crates/sandbox/src/a.rs", text),
                ("crates/cli/tests/a.rs", text),
                ("crates/sandbox/build.rs", text),
            ],
        );
        assert_eq!(found, ["crates/execution/src/a.rs:2", "crates/execution/src/a.rs:3"]);
    }
}
