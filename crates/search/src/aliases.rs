//! What a file calls the things that it imports.

use formicary_syntax::{Dialect, parse};
use rustc_hash::FxHashMap;

/// Local names with what they stand for.
#[derive(Debug, Default)]
pub(crate) struct Aliases {
    full: FxHashMap<String, String>,
}

impl Aliases {
    /// The imports of a file.
    pub fn of(dialect: Dialect, source: &str) -> Self {
        let unit = parse(dialect, source);
        let mut full = FxHashMap::default();
        for import in unit.imports.iter().filter(|import| import.level == 0) {
            let module = import.module.trim_start_matches("node:");
            // A Go package is called by the last word of its path.
            let module = match dialect {
                Dialect::Go => module.rsplit('/').find(|part| !is_version(part)).unwrap_or(module),
                _ => module,
            };
            let module = super::pattern::dotted(module);
            for name in &import.names {
                let own = super::pattern::dotted(name.name);
                let whole =
                    own == module || matches!(own.as_str(), "*" | "default") || dialect == Dialect::Go;
                let target = if whole {
                    // `import a.b` binds `a` to itself.
                    if name.local == own || name.renamed || dialect != Dialect::Python {
                        module.clone()
                    } else {
                        continue;
                    }
                } else if module.is_empty() || module.ends_with(&format!(".{own}")) {
                    module.clone()
                } else {
                    format!("{module}.{own}")
                };
                full.insert(name.local.to_owned(), target);
            }
        }
        Self { full }
    }

    /// Whether a chain of names, as it is written in the file, stands for this path.
    pub fn is(&self, written: &str, path: &str) -> bool {
        let written = super::pattern::dotted(written);
        let (first, rest) = match written.split_once('.') {
            Some((first, rest)) => (first, Some(rest)),
            None => (written.as_str(), None),
        };
        let Some(target) = self.full.get(first) else { return false };
        match (path.strip_prefix(target.as_str()), rest) {
            (Some(""), None) => true,
            (Some(after), Some(rest)) => after.strip_prefix('.') == Some(rest),
            _ => false,
        }
    }
}

fn is_version(part: &str) -> bool {
    part.strip_prefix('v')
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_of_every_language_give_names() {
        let cases = [
            (Dialect::Python, "import subprocess as sp", "sp.run", "subprocess.run", true),
            (Dialect::Python, "from subprocess import run as r", "r", "subprocess.run", true),
            (Dialect::Python, "from os import path", "path.join", "os.path.join", true),
            (Dialect::Python, "import os.path", "os.path.join", "os.path.join", false),
            (Dialect::Python, "import sub as sp", "sp.run", "subprocess.run", false),
            (Dialect::JavaScript, "import {readFileSync as r} from 'fs'", "r", "fs.readFileSync", true),
            (Dialect::JavaScript, "import * as f from 'node:fs'", "f.readFileSync", "fs.readFileSync", true),
            (Dialect::JavaScript, "const f = require('fs')", "f.readFileSync", "fs.readFileSync", true),
            (
                Dialect::JavaScript,
                "const {exec: e} = require('child_process')",
                "e",
                "child_process.exec",
                true,
            ),
            (Dialect::Java, "import java.util.List;", "List", "java.util.List", true),
            (Dialect::Go, "package p\nimport f \"fmt\"", "f.Println", "fmt.Println", true),
            (Dialect::Go, "package p\nimport j \"encoding/json\"", "j.Marshal", "json.Marshal", true),
            (Dialect::Rust, "use std::fs as f;", "f::read", "std.fs.read", true),
            (Dialect::Rust, "use std::collections::HashMap as Map;", "Map", "std.collections.HashMap", true),
        ];
        for (dialect, source, written, path, expected) in cases {
            assert_eq!(Aliases::of(dialect, source).is(written, path), expected, "{source}: {written}");
        }
    }
}
