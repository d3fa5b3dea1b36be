//! Where the code comes from: an argument, a file, stdin, a folder.

use crate::failure::invalid;
use formicary_model::{Failure, Source, SourceFile};
use formicary_platform::config::{Configuration, units::show_bytes};
use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, IsTerminal as _, Read};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// Folders that hold no source: made by tools, or their records.
const SKIPPED_FOLDERS: &[&str] =
    &[".git", ".hg", ".svn", "target", "node_modules", "__pycache__", ".venv", "venv", ".mypy_cache", ".tox"];
const MOST_FILES: usize = 10_000;
const DEEPEST: usize = 64;

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
    pub fn of(configuration: &Configuration) -> Self {
        let bytes = |key| configuration.number(key) as u64;
        Self { code: bytes("max_code_bytes"), folder: bytes("max_project_bytes") }
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

fn file(path: &Path, most: u64) -> Result<Source, Failure> {
    let shown = path.display();
    let file = File::open(path).map_err(|error| match error.kind() {
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
    let canonical = root.canonicalize().map_err(|error| unreadable(root, &error))?;
    let mut walk = Walk { root, canonical, most, total: 0, files: Vec::new(), notes: Vec::new() };
    walk.visit(&PathBuf::new(), 0)?;
    if walk.files.is_empty() {
        return Err(invalid(
            format!("folder {} holds no files", root.display()),
            "give a folder with source files",
        ));
    }
    let source = Source::Files { files: walk.files, entry };
    Ok(Loaded { source, from_stdin: false, notes: walk.notes })
}

struct Walk<'a> {
    root: &'a Path,
    canonical: PathBuf,
    most: u64,
    total: u64,
    files: Vec<SourceFile>,
    notes: Vec<String>,
}

impl Walk<'_> {
    fn visit(&mut self, relative: &Path, depth: usize) -> Result<(), Failure> {
        let here = self.root.join(relative);
        if depth > DEEPEST {
            return Err(invalid(
                format!("folder {} is nested more than {DEEPEST} deep", here.display()),
                "give a folder nearer to the sources",
            ));
        }
        let entries = std::fs::read_dir(&here).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let mut entries = entries.map_err(|error| unreadable(&here, &error))?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name();
            let relative = relative.join(&name);
            let kind = entry.file_type().map_err(|error| unreadable(&entry.path(), &error))?;
            if kind.is_dir() {
                if !SKIPPED_FOLDERS.iter().any(|skipped| name == *skipped) {
                    self.visit(&relative, depth + 1)?;
                }
            } else if kind.is_file() || (kind.is_symlink() && self.points_to_a_file_within(&entry.path())) {
                self.add(&entry.path(), &relative)?;
            } else {
                self.notes.push(format!("{} is left out: not a file of the folder", entry.path().display()));
            }
        }
        Ok(())
    }

    fn points_to_a_file_within(&self, link: &Path) -> bool {
        link.canonicalize().is_ok_and(|target| target.starts_with(&self.canonical) && target.is_file())
    }

    fn add(&mut self, path: &Path, relative: &Path) -> Result<(), Failure> {
        let name = relative.to_str().ok_or_else(|| {
            invalid(format!("file name {} is not UTF-8", path.display()), "rename it, or leave it out")
        })?;
        if self.files.len() == MOST_FILES {
            return Err(invalid(
                format!("folder {} holds more than {MOST_FILES} files", self.root.display()),
                "give a smaller folder, or mount it with --mount",
            ));
        }
        let file = File::open(path).map_err(|error| unreadable(path, &error))?;
        let mode = file.metadata().map_err(|error| unreadable(path, &error))?.permissions().mode();
        let what = format!("folder {} (counted up to {})", self.root.display(), relative.display());
        let content = read_at_most(file, self.most - self.total, &what)
            .map_err(|_| too_large(&format!("{what} has more"), self.most, "max_project_bytes"))?;
        self.total += content.len() as u64;
        self.files.push(SourceFile { path: name.to_owned(), content, executable: mode & 0o100 != 0 });
        Ok(())
    }
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
    use std::os::unix::fs::symlink;

    fn load_path(path: &Path, most: u64) -> Result<Loaded, Failure> {
        let most = Most { code: most, folder: most };
        load(Wanted { code: None, path: Some(path), entry: None, has_command: false, most })
    }

    #[test]
    fn a_folder_gives_its_own_files_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        for sub in ["src/deep", ".git", "node_modules/x", "__pycache__"] {
            std::fs::create_dir_all(root.join(sub)).unwrap();
        }
        for file in ["main.py", "src/deep/a.py", ".git/config", "node_modules/x/i.js", "__pycache__/m.pyc"] {
            std::fs::write(root.join(file), "x").unwrap();
        }
        std::fs::write(folder.path().join("secret"), "s").unwrap();
        symlink("../secret", root.join("stolen")).unwrap();
        symlink("/etc/passwd", root.join("passwd")).unwrap();
        symlink("main.py", root.join("same.py")).unwrap();
        let loaded = load_path(&root, 1000).unwrap();
        let Source::Files { files, .. } = loaded.source else { panic!("files") };
        let names: Vec<_> = files.iter().map(|f| f.path.as_str()).collect();
        assert_eq!(names, ["main.py", "same.py", "src/deep/a.py"]);
        assert_eq!(loaded.notes.len(), 2);
    }

    #[test]
    fn sizes_are_capped() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.py", "b.py"] {
            std::fs::write(folder.path().join(name), "x".repeat(60)).unwrap();
        }
        assert!(load_path(folder.path(), 120).is_ok());
        let failure = load_path(folder.path(), 119).err().unwrap();
        assert!(failure.message.contains("at most 119 bytes of code are accepted"), "{failure}");
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
