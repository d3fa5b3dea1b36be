//! Where the code comes from: an argument, a file, stdin, a folder.

use crate::failure::invalid;
use formicary_model::{Failure, Source};
use formicary_platform::config::{Settings, units::show_bytes};
use formicary_platform::open_named;
use formicary_platform::program::{Directory, read_directory};
use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal as _, Read};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

/// Code and whether it used stdin up.
pub struct Loaded {
    /// The code.
    pub source: Source,
    /// Whether stdin was the code.
    pub from_stdin: bool,
    /// What was left out, one line each.
    pub notes: Vec<String>,
}

impl Loaded {
    fn plain(source: Source) -> Self {
        Self { source, from_stdin: false, notes: Vec::new() }
    }
}

/// What the caller said about where the code is.
pub struct Wanted<'a> {
    /// `-c`.
    pub code: Option<OsString>,
    /// FILE, DIR or `-`.
    pub path: Option<&'a Path>,
    /// `--entry`.
    pub entry: Option<String>,
    /// Whether a command is given, so that no code is needed.
    pub has_command: bool,
    /// How much at the most.
    pub most: Most,
}

/// How much is taken.
#[derive(Clone, Copy)]
pub struct Most {
    /// Bytes of one file's code.
    pub code: u64,
    /// Bytes of a folder, all files together.
    pub folder: u64,
}

impl Most {
    /// As configured.
    pub fn of(settings: &Settings) -> Self {
        Self { code: settings.max_code_bytes, folder: settings.max_project_bytes }
    }
}

/// Reads the code.
pub fn load(wanted: Wanted<'_>) -> Result<Loaded, Failure> {
    let is_folder = wanted.path.is_some_and(Path::is_dir);
    if wanted.entry.is_some() && !is_folder {
        return Err(invalid(
            "--entry is given without a folder",
            "give the folder that holds the entry file",
        ));
    }
    if let Some(code) = wanted.code {
        return Ok(Loaded::plain(Source::code(code.into_vec())));
    }
    match wanted.path {
        Some(path) if is_folder => folder(path, wanted.entry, wanted.most.folder),
        Some(path) if path != Path::new("-") => file(path, wanted.most.code).map(Loaded::plain),
        None if wanted.has_command => Ok(Loaded::plain(Source::Files { files: Vec::new(), entry: None })),
        None if std::io::stdin().is_terminal() => Err(invalid(
            "there is nothing to run",
            "give a FILE, a folder, -c CODE, or - and the code on stdin",
        )),
        _ => {
            let code = read_at_most(std::io::stdin().lock(), wanted.most.code, "the code on stdin")?;
            Ok(Loaded { source: Source::code(code), from_stdin: true, notes: Vec::new() })
        }
    }
}

/// The real place of a directory that is given, as requests name what is shown of it.
pub fn absolute(root: &Path) -> Result<PathBuf, Failure> {
    root.canonicalize().map_err(|error| unreadable(root, &error))
}

fn file(path: &Path, most: u64) -> Result<Source, Failure> {
    let shown = path.display();
    let file = open_named(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => invalid(
            format!("file {shown} does not exist"),
            "check the path, or give the code itself with -c CODE",
        ),
        _ => invalid(format!("file {shown} cannot be read: {error}"), "give a file that you may read"),
    })?;
    let metadata = file.metadata().map_err(|error| unreadable(path, &error))?;
    let regular = metadata.is_file();
    if regular && metadata.len() > most {
        return Err(too_large(
            &format!("file {shown} has {}", show_bytes(metadata.len() as f64)),
            most,
            "max_code_bytes",
        ));
    }
    let code = read_at_most(file, most, &format!("file {shown}"))?;
    // A pipe such as /dev/fd/63 has no name that tells anything.
    let file_name = path.file_name().filter(|_| regular).map(|name| name.to_string_lossy().into_owned());
    Ok(Source::Code { code, file_name })
}

/// All of a file that the user names.
pub fn read_named(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_named(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read_at_most(reader: impl Read, most: u64, what: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    reader.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| {
        invalid(format!("{what} cannot be read: {error}"), "give a file that you may read")
    })?;
    if bytes.len() as u64 > most {
        return Err(too_large(&format!("{what} has more"), most, "max_code_bytes"));
    }
    Ok(bytes)
}

fn folder(root: &Path, entry: Option<String>, most: u64) -> Result<Loaded, Failure> {
    let Directory { files, notes } = read_directory(root, &root.display().to_string(), most)?;
    Ok(Loaded { source: Source::Files { files, entry }, from_stdin: false, notes })
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    invalid(format!("{} cannot be read: {error}", path.display()), "give something that you may read")
}

fn too_large(what: &str, most: u64, setting: &str) -> Failure {
    invalid(
        format!("{what}, at most {} of code are accepted", show_bytes(most as f64)),
        format!(
            "make it smaller, mount large data with --mount, or raise the limit with --set {setting}=SIZE"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load_path(path: &Path, most: u64) -> Result<Loaded, Failure> {
        let most = Most { code: most, folder: most };
        load(Wanted { code: None, path: Some(path), entry: None, has_command: false, most })
    }

    #[test]
    fn sizes_are_capped() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.py", "b.py"] {
            std::fs::write(folder.path().join(name), "x".repeat(60)).unwrap();
        }
        assert!(load_path(folder.path(), 120).is_ok());
        let failure = load_path(&folder.path().join("a.py"), 59).err().unwrap();
        assert!(failure.message.contains("has 60 bytes"), "{failure}");
    }

    #[test]
    fn what_is_not_there_is_named() {
        let failure = load_path(Path::new("/no/such/file.py"), 10).err().unwrap();
        assert_eq!(failure.message, "file /no/such/file.py does not exist");
        let folder = tempfile::tempdir().unwrap();
        assert!(load_path(folder.path(), 10).err().unwrap().message.contains("holds no files"));
    }
}
