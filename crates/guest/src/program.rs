//! A program as the kernel needs it named: where it may be, its arguments, its environment.

use crate::sys;
use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

/// A writer elsewhere in the system may hold a program's file for a moment: so often it is tried, a millisecond apart.
const TRIES: u32 = 20;
/// Where programs are looked for without a `PATH`.
const PATH: &str = "/usr/bin:/bin";

/// A program, made ready before the child that becomes it is started: the child allocates nothing for it.
pub struct Program {
    /// Where it may be, the likeliest first.
    places: Vec<CString>,
    arguments: Vec<CString>,
    environment: Vec<CString>,
}

impl Program {
    /// Of its name, its arguments after that, and its whole environment.
    pub fn new<'a>(
        arguments: &[String],
        environment: impl IntoIterator<Item = (&'a OsStr, &'a OsStr)>,
    ) -> io::Result<Self> {
        let program = arguments.first().ok_or(io::ErrorKind::NotFound)?;
        let mut path = OsStr::new(PATH);
        let mut pairs = Vec::new();
        for (name, value) in environment {
            if name == "PATH" {
                path = value;
            }
            let pair = [name, value].map(OsStrExt::as_bytes).join(&b'=');
            pairs.push(CString::new(pair)?);
        }
        Ok(Self {
            places: places(program, path).into_iter().map(CString::new).collect::<Result<_, _>>()?,
            arguments: arguments.iter().map(|word| CString::new(word.as_str())).collect::<Result<_, _>>()?,
            environment: pairs,
        })
    }

    /// Becomes the program; says why not where it cannot.
    pub fn become_it(&self) -> io::Error {
        let mut why = io::Error::from(rustix::io::Errno::NOENT);
        for place in &self.places {
            let mut tries = TRIES;
            let failed = loop {
                let failed = sys::become_program(place, &self.arguments, &self.environment);
                tries -= 1;
                if failed.kind() != io::ErrorKind::ExecutableFileBusy || tries == 0 {
                    break failed;
                }
                std::thread::sleep(Duration::from_millis(1));
            };
            if !matches!(failed.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
                why = failed;
            }
        }
        why
    }
}

/// Where a program may be: a name without a slash is looked for in the directories of its own `PATH`.
fn places(program: &str, path: &OsStr) -> Vec<Vec<u8>> {
    if program.contains('/') {
        return vec![program.into()];
    }
    let directories = path.as_bytes().split(|byte| *byte == b':').filter(|directory| !directory.is_empty());
    directories.map(|directory| [directory, program.as_bytes()].join(&b'/')).collect()
}

/// Our own environment, for a program that is given it whole.
#[expect(clippy::disallowed_methods, reason = "what the agent was given is handed on")]
pub fn own_environment() -> Vec<(OsString, OsString)> {
    std::env::vars_os().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_looked_for_where_its_own_path_says() {
        let found = |program| {
            let places = places(program, OsStr::new("/a::/b"));
            places.into_iter().map(|place| String::from_utf8(place).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(found("x"), ["/a/x", "/b/x"]);
        assert_eq!(found("./x"), ["./x"]);
    }
}
