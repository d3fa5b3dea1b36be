//! The command line: `formicary-typestrip NAME < in.ts > out.js`, or `--out-dir DIR [--] FILE…`.

use crate::{Stripped, strip};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Deeply nested code needs a deep stack; the pages are only touched when they are needed.
const STACK_BYTES: usize = 256 * 1024 * 1024;

const USAGE: &str = "usage: formicary-typestrip NAME < input > output\n       formicary-typestrip --out-dir DIR [--] FILE...\n";

/// Runs the command on a thread with a deep stack. Exit code 1: the code is wrong; 2: the call is.
pub fn run(args: Vec<String>) -> ExitCode {
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || dispatch(&args));
    let code = worker.ok().and_then(|worker| worker.join().ok()).unwrap_or(3);
    ExitCode::from(code)
}

fn dispatch(args: &[String]) -> u8 {
    let result = match args {
        [name] if !name.starts_with('-') => one(name),
        [flag, out, files @ ..] if flag == "--out-dir" => {
            let files = if files.first().is_some_and(|first| first == "--") { &files[1..] } else { files };
            match files.iter().find(|file| file.starts_with('-')) {
                Some(unknown) => Err((2, format!("unknown flag {unknown:?}\n{USAGE}"))),
                None => many(Path::new(out), files),
            }
        }
        _ => Err((2, USAGE.to_string())),
    };
    match result {
        Ok(()) => 0,
        Err((code, message)) => {
            let _ = std::io::stderr().write_all(message.as_bytes());
            code
        }
    }
}

type Failed = (u8, String);

fn one(name: &str) -> Result<(), Failed> {
    let mut source = String::new();
    std::io::stdin().read_to_string(&mut source).map_err(|error| (2, format!("stdin: {error}\n")))?;
    let stripped = strip(Path::new(name), &source, &|_| false).map_err(|message| (1, message))?;
    std::io::stdout().write_all(stripped.code.as_bytes()).map_err(|error| (2, format!("stdout: {error}\n")))
}

/// Strips every file into `out`, at its own path with `.mjs` or `.cjs`. All files are read even when one is wrong, so
/// that all errors are told at once.
fn many(out: &Path, files: &[String]) -> Result<(), Failed> {
    let exists = |path: &Path| path.is_file();
    let mut errors = String::new();
    for file in files {
        let path = Path::new(file);
        let source = std::fs::read_to_string(path).map_err(|error| (2, format!("{file}: {error}\n")))?;
        match strip(path, &source, &exists) {
            Ok(stripped) => write(out, path, &stripped)?,
            Err(message) => errors.push_str(&message),
        }
    }
    if errors.is_empty() { Ok(()) } else { Err((1, errors)) }
}

fn write(out: &Path, path: &Path, stripped: &Stripped) -> Result<(), Failed> {
    let target: PathBuf = out.join(path).with_extension(stripped.kind.extension());
    let made = target.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(&target, &stripped.code))
        .map_err(|error| (2, format!("{}: {error}\n", target.display())))
}
