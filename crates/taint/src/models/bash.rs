//! Bash: words of the command line, what is read, and commands that run or open what they are given.

use super::{Does, EVERY, Entry, FIRST, Place, clean, entry, pass, sink};
use crate::classes::{Class, Classes};

pub(super) const TABLE: &[Entry] = &[
    entry(Does::Fills(0, Classes::LOCAL.with(Class::Path)), &["read"]),
    sink(Class::Command, EVERY, &["eval"]),
    // `bash -c "$x"`, `ssh host "$x"`.
    sink(
        Class::Command,
        &[Place::From(1)],
        &["bash", "sh", "zsh", "dash", "ksh", "ssh", "su", "python", "python3", "perl"],
    ),
    sink(Class::Command, FIRST, &["source", "."]),
    sink(Class::Path, EVERY, &["rm", "cat", "cp", "mv"]),
    sink(Class::Sql, EVERY, &["mysql", "psql", "sqlite3"]),
    sink(Class::Request, EVERY, &["curl", "wget"]),
    clean(&["expr", "wc", "test", "[", "[["]),
    pass(&["echo", "printf", "tr", "sed", "awk", "cut", "head", "tail", "base64"]),
];
