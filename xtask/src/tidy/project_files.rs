//! Files below a directory whose content a stranger wrote are opened, read and written by `formicary-files` alone.

use super::Findings;
use super::source::{Source, has_word};
use crate::tree::Tree;

/// Crates that touch projects.
const ROOMS: [&str; 18] = [
    "crates/agent/src/",
    "crates/cli/src/",
    "crates/clones/src/",
    "crates/diagnose/src/",
    "crates/lint/src/",
    "crates/mcp/src/",
    "crates/model/src/",
    "crates/platform/src/",
    "crates/python/src/",
    "crates/refactor/src/",
    "crates/repair/src/",
    "crates/review/src/",
    "crates/search/src/",
    "crates/server/src/",
    "crates/sessions/src/",
    "crates/settings/src/",
    "crates/syntax/src/",
    "crates/testing/src/",
];

/// What opens, reads or changes files by a path.
const OPENING: [&str; 15] = [
    "fs::read",
    "fs::read_to_string",
    "fs::read_dir",
    "fs::write",
    "fs::copy",
    "fs::rename",
    "fs::remove_file",
    "fs::remove_dir",
    "fs::remove_dir_all",
    "fs::create_dir",
    "fs::create_dir_all",
    "File::open",
    "File::create",
    "OpenOptions::new",
    "DirBuilder::new",
];

/// Files that work where only the user writes, and what that is.
const OWN: [(&str, &str); 15] = [
    ("crates/agent/src/journal.rs", "transcripts of runs, in the user's state directory"),
    ("crates/agent/src/model.rs", "a key file that the configuration names"),
    ("crates/agent/src/store.rs", "runs, in the user's state directory"),
    ("crates/cli/src/commands/man.rs", "a directory for manual pages that the user names"),
    ("crates/mcp/src/keys.rs", "a key file that the user names"),
    ("crates/platform/src/audit/keeping.rs", "the audit log"),
    ("crates/platform/src/audit/reading.rs", "an archive of the audit log that the user names"),
    ("crates/settings/src/file.rs", "settings: regular files of a bounded size, opened without waiting"),
    ("crates/platform/src/images/mod.rs", "certificates that the environment names"),
    ("crates/platform/src/judge.rs", "the kernel's own files"),
    ("crates/settings/src/pip.rs", "pip's own settings"),
    ("crates/platform/src/seeds/files.rs", "private directories made for one call"),
    ("crates/sessions/src/", "sockets and locks in the user's runtime directory"),
    ("crates/review/src/cache.rs", "the user's cache"),
    ("crates/review/src/tools/sandboxed.rs", "the first bytes of a program that is on the PATH"),
];

/// More of the same, where a server keeps its state.
const SERVER: &str = "crates/server/src/settings.rs";

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.rust() {
        let touches = ROOMS.iter().any(|room| file.path.starts_with(room)) && !file.is_test_code();
        let own = OWN.iter().any(|(path, _)| file.path.starts_with(path)) || file.path == SERVER;
        if !touches || own {
            continue;
        }
        for (number, line) in Source::parse(&file.text).shipped_lines() {
            if let Some(word) = OPENING.iter().find(|word| has_word(line, word)) {
                let message = format!(
                    "`{word}` in a crate that touches projects; go by formicary-files, or name the file in tidy's own \
                     list with the reason"
                );
                findings.error(&file.path, number, message);
            }
        }
    }
    for (path, _) in OWN.iter().filter(|(path, _)| !tree.rust().any(|file| file.path.starts_with(path))) {
        findings.error("xtask/src/tidy/project_files.rs", 1, format!("{path} is listed and not there"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn files_are_opened_by_one_module() {
        let text = "//! Doc.\nfn a() { std::fs::read(\"a\"); }\nfn b() { let d = \"fs::read\"; root.read(d); }\n\
                    fn c() { File::open(path); }\n\
                    #[cfg(test)]\nmod tests {\n    fn e() { std::fs::write(a, b); }\n}\n";
        let found = places(
            "project-files",
            &[
                ("crates/review/src/a.rs", text),
                ("crates/review/src/cache.rs", text),
                ("crates/files/src/a.rs", text),
                ("crates/sandbox/src/a.rs", text),
            ],
        );
        let found: Vec<&String> = found.iter().filter(|place| !place.starts_with("xtask/")).collect();
        assert_eq!(found, ["crates/review/src/a.rs:2", "crates/review/src/a.rs:4"]);
    }
}
