//! Nothing is decided by the words of a message: a failure has a kind and a code for that.

use super::Findings;
use super::source::Source;
use crate::tree::Tree;

/// How a message would be read.
const READING: [&str; 7] = [
    ".message.contains(",
    ".message.starts_with(",
    ".message.ends_with(",
    ".hint.contains(",
    "error.to_string().contains(",
    "error.to_string().starts_with(",
    "failure.to_string().contains(",
];

/// Where failures of ours are answered. Engines read what programs and tools print: those messages are data.
const CRATES: [&str; 11] = [
    "access", "cli", "cluster", "doctor", "mcp", "model", "platform", "python", "server", "sessions",
    "settings",
];

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    let answers = |path: &str| CRATES.iter().any(|name| path.starts_with(&format!("crates/{name}/src/")));
    let shipped = tree.rust().filter(|file| answers(&file.path) && !file.is_test_code());
    for file in shipped {
        for (number, line) in Source::parse(&file.text).shipped_lines() {
            if let Some(how) = READING.iter().find(|how| line.contains(*how)) {
                let message = format!("`{how}…`: decide by kind or code, not by the words of a message");
                findings.error(&file.path, number, message);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn words_of_messages_decide_nothing() {
        let text = "//! Doc.\nfn a() -> bool { failure.message.starts_with(\"there is no\") }\n\
                    fn b() -> bool { failure.is(code::UNKNOWN_SESSION) }\n\
                    #[cfg(test)]\nmod tests {\n    fn c() { assert!(failure.message.contains(\"no\")); }\n}\n";
        let found = places("no-prose", &[("crates/cli/src/a.rs", text), ("crates/cli/tests/a.rs", text)]);
        assert_eq!(found, ["crates/cli/src/a.rs:2"]);
    }
}
