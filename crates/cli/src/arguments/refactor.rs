//! Options of `refactor`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

const HELP: &str = "\
Shows a diff; nothing is written without --write. A change that is not provably safe is refused with
the location and the reason. With --verify, the command runs in the sandbox before and after, and a
change that makes it newly fail is undone. For Python, JavaScript, TypeScript and Java; rename also
for variables and parameters of Go, Rust and C functions.

Examples:
  formicary refactor rename src/app.py:12:5 read_header --write
  formicary refactor rename src/main/java/Reader.java:7:14 Parser
  formicary refactor extract-variable src/app.js:30:12-30:40 width
  formicary refactor extract-function src/app.py:40-52 parse_line --write --verify 'python3 -m pytest -q'
  formicary refactor inline src/app.py:31:9";

/// Options of `refactor`.
#[derive(Debug, Args)]
#[command(after_help = HELP, arg_required_else_help = false)]
pub struct RefactorArguments {
    #[command(subcommand)]
    pub what: RefactorCommand,
}

/// What is done.
#[derive(Debug, Subcommand)]
pub enum RefactorCommand {
    /// Rename a symbol in every file that uses it
    Rename {
        /// FILE:LINE:COLUMN of the name
        place: String,
        /// The new name
        name: String,
        #[command(flatten)]
        how: How,
    },
    /// Extract an expression into a variable
    ExtractVariable {
        /// FILE:LINE:COLUMN-LINE:COLUMN; the last column is the one after the expression
        place: String,
        /// The name
        name: String,
        #[command(flatten)]
        how: How,
    },
    /// Extract lines into a function
    ExtractFunction {
        /// FILE:LINE-LINE
        place: String,
        /// The name
        name: String,
        #[command(flatten)]
        how: How,
    },
    /// Inline a local variable
    Inline {
        /// FILE:LINE:COLUMN of the variable
        place: String,
        #[command(flatten)]
        how: How,
    },
}

/// What becomes of the change.
#[derive(Debug, Clone, Args)]
pub struct How {
    /// Write the files
    #[arg(long, short)]
    pub write: bool,
    /// A test command that must not newly fail; runs in the sandbox on a read-only project
    #[arg(long, value_name = "COMMAND", requires = "write")]
    pub verify: Option<String>,
}

/// A place in a file: its lines and columns, as they were written.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    pub file: PathBuf,
    pub first: Vec<usize>,
    pub last: Vec<usize>,
}

impl Place {
    /// Reads `FILE:LINE[:COLUMN][-LINE[:COLUMN]]`.
    pub fn read(text: &str) -> Option<Self> {
        let (start, end) = match text.rsplit_once('-') {
            Some((start, end)) if !end.is_empty() && end.bytes().all(|b| b.is_ascii_digit() || b == b':') => {
                (start, Some(end))
            }
            _ => (text, None),
        };
        let mut first = Vec::new();
        let mut file = start;
        while let Some((rest, number)) = file.rsplit_once(':')
            && first.len() < 2
            && let Ok(number) = number.parse()
        {
            first.insert(0, number);
            file = rest;
        }
        let last = end.unwrap_or_default().split(':').filter(|part| !part.is_empty());
        let last = last.map(|part| part.parse().ok()).collect::<Option<Vec<usize>>>()?;
        (!file.is_empty() && !first.is_empty()).then(|| Self { file: PathBuf::from(file), first, last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read() {
        let place = |file: &str, first: &[usize], last: &[usize]| {
            Some(Place { file: file.into(), first: first.into(), last: last.into() })
        };
        for (text, expected) in [
            ("a.py:1:2", place("a.py", &[1, 2], &[])),
            ("a-b/c.py:1:2-3:4", place("a-b/c.py", &[1, 2], &[3, 4])),
            ("a.py:4-9", place("a.py", &[4], &[9])),
            ("a.py", None),
            (":1:2", None),
        ] {
            assert_eq!(Place::read(text), expected, "{text}");
        }
    }
}
