//! Engines never print and never read the environment, the home folder or the working folder.
//!
//! Clippy bans most of this too; here the ban cannot be lifted by an attribute.

use super::Findings;
use super::source::{Source, has_word};
use crate::tree::{File, Tree};

/// Rooms that are not engines: the doors, the testkit, and the programs that run as processes of their own.
const NOT_ENGINES: [&str; 6] = [
    "crates/cli/",
    "crates/python/",
    "crates/testkit/",
    "crates/jail/",
    "crates/guest/",
    "crates/typestrip/",
];

const PRINTING: [&str; 7] =
    ["println!", "print!", "eprintln!", "eprint!", "dbg!", "io::stdout()", "io::stderr()"];

const READING: [&str; 8] = [
    "env::var",
    "env::var_os",
    "env::vars",
    "env::vars_os",
    "env::args",
    "env::current_dir",
    "env::home_dir",
    "io::stdin()",
];

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.rust().filter(|file| is_engine(file)) {
        for (number, line) in Source::parse(&file.text).shipped_lines() {
            if let Some(word) = PRINTING.iter().find(|word| has_word(line, word)) {
                findings.error(
                    &file.path,
                    number,
                    format!("`{word}` in an engine; return it, or send an event"),
                );
            }
            if let Some(word) = READING.iter().find(|word| has_word(line, word)) {
                findings.error(&file.path, number, format!("`{word}` in an engine; let the door resolve it"));
            }
        }
    }
}

fn is_engine(file: &File) -> bool {
    file.path.starts_with("crates/")
        && file.path.contains("/src/")
        && !file.is_test_code()
        && !NOT_ENGINES.iter().any(|room| file.path.starts_with(room))
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn printing_and_reading_are_found() {
        let text = "//! Doc.\nfn a() { println!(\"a\"); }\nfn b() { std::env::var(\"HOME\"); }\n\
                    fn c() { let d = \"println!\"; env!(\"X\"); writeln!(d); }\n\
                    #[cfg(test)]\nmod tests {\n    fn e() { println!(); }\n}\n";
        let found = places(
            "engine-purity",
            &[("crates/execution/src/a.rs", text), ("crates/cli/src/a.rs", text), ("xtask/src/a.rs", text)],
        );
        assert_eq!(found, ["crates/execution/src/a.rs:2", "crates/execution/src/a.rs:3"]);
    }
}
