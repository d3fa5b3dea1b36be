//! The project around a broken program: which files belong to it, which may change, how its tests are run, what stands beside.
//!
//! | module | what it holds |
//! |---|---|
//! | `shell` | the command that tests a program |
//! | `test_command` | the command that tests a project |
//! | `test_files` | files of tests, known by what stands in them |
//! | [`surroundings`] | packages, archives and data that are shown to its tests |

mod shell;
pub mod surroundings;
mod test_command;
mod test_files;

use crate::case::{Case, CaseFile, Cases};
use crate::command::{Meaning, TestCommand, is_test_file};
use formicary_files::{Kind, Place, Root, open_named};
use formicary_model::{Failure, FailureKind, FixInput, Language};
use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

const MOST_FILES: usize = 2_000;
const MOST_BYTES: u64 = 24 << 20;
const MOST_OF_ONE: u64 = 2 << 20;
/// Directories that tools fill and that no program is built from, or that are shown instead.
const LEFT_OUT: [&str; 3] = ["node_modules", "__pycache__", "venv"];
/// Directories that mostly hold what a build wrote or what others wrote: taken along where there is room for them.
const SPARE: [&str; 4] = ["target", "build", "dist", "vendor"];

/// A project as the loop needs it.
pub struct Project {
    /// Its directory.
    pub root: PathBuf,
    /// The file to fix, where one was named.
    pub named: Option<String>,
    /// What the reader of the report should know.
    pub notes: Vec<String>,
    /// Its files.
    pub case: Case,
    /// How it is tested.
    pub command: TestCommand,
    /// Inputs with the outputs that the program must give.
    pub cases: Cases,
}

/// Which project is read.
pub struct ProjectOptions<'a> {
    /// Where relative paths begin.
    pub working_directory: &'a Path,
    /// The real path of the file or directory to fix.
    pub target: &'a Path,
    /// How it is tested.
    pub input: &'a FixInput,
    /// Bytes that a request may carry.
    pub most: usize,
}

fn invalid(message: impl Into<String>, hint: &str) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

/// Reads the project that the options name.
pub fn read(options: &ProjectOptions<'_>) -> Result<Project, Failure> {
    let most = options.most;
    let target = options.target.to_owned();
    let working =
        options.working_directory.canonicalize().unwrap_or_else(|_| options.working_directory.to_owned());
    let is_directory = target.is_dir();
    let (root, (mut files, mut notes)) = if is_directory {
        let files = project_files(&target, None, most).ok_or_else(|| {
            invalid("the directory holds too many files", "name the directory of the program alone")
        })?;
        (target.clone(), files)
    } else {
        let folder = target.parent().unwrap_or(Path::new("/")).to_owned();
        let inside = || project_files(&working, Some(&target), most).map(|files| (working.clone(), files));
        match target.starts_with(&working).then(inside).flatten() {
            Some(found) => found,
            None => {
                let files = project_files(&folder, Some(&target), most);
                (folder.clone(), files.unwrap_or_else(|| (flat(&folder), Vec::new())))
            }
        }
    };
    for extra in options.input.tests.iter().map(Path::new) {
        let path = working.join(extra);
        let name = relative(&root, &path).unwrap_or_else(|| file_name(&path));
        if !files.iter().any(|file| file.path == name) {
            let text = text_of(&working, extra)
                .map_err(|error| invalid(format!("{}: {error}", extra.display()), "name a file of tests"))?;
            files.push(CaseFile { path: name, text, editable: false });
        }
    }
    let named = (!is_directory).then(|| relative(&root, &target)).flatten();
    let language = language_of(named.as_deref(), &files)?;
    let asked = options.input.test.as_deref().unwrap_or_default();
    let is_code = |path: &str| language_by_ending(path).is_some() || asked.contains(path);
    notes.extend(surroundings::fit(&mut files, most, is_code));
    let shell = shell::command(options, named.as_deref(), language, &root, &working, &mut files)?;
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let mut command = TestCommand::read(&shell, &paths);
    if let Some(entry) = shell::runs_alone(options, named.as_deref(), language) {
        command.meaning = Meaning::Program { entry };
    }
    mark_editable(&mut files, named.as_deref(), language, &command);
    if !files.iter().any(|file| file.editable) {
        return Err(invalid(
            "nothing here may be changed: all files are tests or of other languages",
            "name the file to mend",
        ));
    }
    let cases = Cases { pairs: pairs(options, &working)? };
    let case = Case { language, files, evidence: None, suspects: Vec::new() };
    Ok(Project { root, named, notes, case, command, cases })
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    let path = path.canonicalize().ok()?;
    path.strip_prefix(root).ok().map(|path| path.to_string_lossy().replace('\\', "/"))
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The text files of a project, and what was left out of it; nothing where there are too many. What holds the file that was
/// named is never left out.
fn project_files(root: &Path, named: Option<&Path>, most: usize) -> Option<(Vec<CaseFile>, Vec<String>)> {
    let room = most / 10 * 9;
    let size = |files: &[CaseFile]| files.iter().map(|file| file.text.len() + file.path.len()).sum::<usize>();
    if let Some(files) = walk(root, &|folder| is_output(folder) && !holds(folder, named))
        && size(&files) <= room
    {
        return Some((files, Vec::new()));
    }
    let mut left_out = std::collections::BTreeSet::new();
    let names = std::cell::RefCell::new(&mut left_out);
    let files = walk(root, &|folder| {
        let spare = SPARE.iter().find(|name| folder.ends_with(name)).filter(|_| !holds(folder, named));
        spare.map(|name| names.borrow_mut().insert(*name)).is_some()
    })?;
    let left_out: Vec<&str> = left_out.into_iter().collect();
    let note = format!("left out, because the project is large: {}", left_out.join(", "));
    Some((files, if left_out.is_empty() { Vec::new() } else { vec![note] }))
}

fn holds(folder: &Path, named: Option<&Path>) -> bool {
    named.is_some_and(|named| named.starts_with(folder))
}

/// Whether a tool says that all in here is its output.
fn is_output(folder: &Path) -> bool {
    let beside = |name: &str| folder.with_file_name(name).is_file();
    folder.join("CACHEDIR.TAG").is_file()
        || (folder.ends_with("target") && (beside("Cargo.toml") || beside("pom.xml")))
        // Shown instead: packages may be many.
        || (folder.ends_with("vendor") && beside("go.mod"))
}

/// All text files below a folder but those in folders that are not taken along; nothing where there are too many. Links are not
/// followed: a stranger's could lead anywhere.
fn walk(directory: &Path, leave_out: &dyn Fn(&Path) -> bool) -> Option<Vec<CaseFile>> {
    let root = Root::open(directory).ok()?;
    let (mut found, mut folders, mut bytes) = (Vec::new(), vec![PathBuf::new()], 0);
    while let Some(folder) = folders.pop() {
        for entry in root.entries(&folder).ok()? {
            let (path, name) = (folder.join(&entry.name), entry.name.to_string_lossy());
            match entry.kind {
                _ if name.starts_with('.') => {}
                Kind::Directory if LEFT_OUT.contains(&&*name) || leave_out(&directory.join(&path)) => {}
                Kind::Directory => folders.push(path),
                Kind::File => take(&root, &path, &mut found, &mut bytes),
                Kind::Link | Kind::Other => {}
            }
            if found.len() > MOST_FILES || bytes > MOST_BYTES || folders.len() > MOST_FILES {
                return None;
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Some(found)
}

/// The text files of one folder alone.
fn flat(folder: &Path) -> Vec<CaseFile> {
    let (mut found, mut bytes) = (Vec::new(), 0);
    let Ok(root) = Root::open(folder) else { return found };
    for entry in root.entries(Path::new("")).unwrap_or_default() {
        if entry.kind == Kind::File && found.len() < MOST_FILES && bytes < MOST_BYTES {
            take(&root, Path::new(&entry.name), &mut found, &mut bytes);
        }
    }
    found
}

fn take(root: &Root, path: &Path, found: &mut Vec<CaseFile>, bytes: &mut u64) {
    if let Ok(text) = root.read_to_string(path, MOST_OF_ONE) {
        *bytes += text.len() as u64;
        found.push(CaseFile { path: path.to_string_lossy().into_owned(), text, editable: false });
    }
}

fn language_by_ending(path: &str) -> Option<Language> {
    let ending = path.rsplit_once('.')?.1.to_ascii_lowercase();
    // Headers cannot be run, but they can be mended.
    match ending.as_str() {
        "hpp" | "hh" | "hxx" | "ipp" => return Some(Language::Cpp),
        "h" => return Some(Language::C),
        _ => {}
    }
    Language::ALL.into_iter().find(|language| language.extensions().contains(&ending.as_str()))
}

fn language_of(named: Option<&str>, files: &[CaseFile]) -> Result<Language, Failure> {
    if let Some(named) = named {
        return language_by_ending(named)
            .ok_or_else(|| invalid(format!("{named}: the ending tells no language"), "name a source file"));
    }
    let mut counts: Vec<(usize, Language)> = Vec::new();
    for language in files.iter().filter_map(|file| language_by_ending(&file.path)) {
        match counts.iter_mut().find(|(_, own)| *own == language) {
            Some((count, _)) => *count += 1,
            None => counts.push((1, language)),
        }
    }
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    counts
        .first()
        .map(|(_, language)| *language)
        .ok_or_else(|| invalid("no source files here", "name a file or a folder with code"))
}

/// Which files may be changed: the one that was named, or those of the language that are no tests. Tests are known by their names
/// and by what stands in them; where that leaves nothing, by their names alone: program and tests may share a file.
fn mark_editable(files: &mut [CaseFile], named: Option<&str>, language: Language, command: &TestCommand) {
    let by_content: BTreeSet<String> = match named {
        Some(_) => BTreeSet::new(),
        None => test_files::files(files, language),
    };
    let may_be_changed = |file: &CaseFile| match named {
        Some(named) => file.path == named,
        None => {
            let is_apart = |part| matches!(part, "tests" | "test" | "testdata") || SPARE.contains(&part);
            language_by_ending(&file.path) == Some(language)
                && !is_test_file(&file.path)
                && !file.path.split('/').any(is_apart)
                && !command.shell.split_whitespace().any(|word| word == file.path)
        }
    };
    let is_editable = |file: &CaseFile| may_be_changed(file) && !by_content.contains(&file.path);
    let any = files.iter().any(is_editable);
    for file in files {
        file.editable = if any { is_editable(file) } else { may_be_changed(file) };
    }
}

fn pairs(options: &ProjectOptions<'_>, working: &Path) -> Result<Vec<(String, String)>, Failure> {
    let read = |text: &Option<String>, file: &Option<String>| match (text, file) {
        (Some(text), _) => Ok(Some(text.clone())),
        (None, Some(path)) => text_of(working, Path::new(path))
            .map(Some)
            .map_err(|error| invalid(format!("{path}: {error}"), "name a text file")),
        (None, None) => Ok(None),
    };
    let FixInput { expect, expect_file, stdin, stdin_file, .. } = &options.input;
    let Some(expected) = read(expect, expect_file)? else { return Ok(Vec::new()) };
    Ok(vec![(read(stdin, stdin_file)?.unwrap_or_default(), expected)])
}

/// The text of a file that was named. In the project it may be a stranger's work: a link, a pipe, a file without end. What
/// lies elsewhere is the user's own, and may be a pipe of his shell's.
fn text_of(working: &Path, named: &Path) -> Result<String, String> {
    let place = Place::of(working, named).ok().filter(|place| place.root.path() == working);
    if let Some(place) = place {
        return place.root.read_to_string(&place.path, MOST_BYTES).map_err(|error| error.reason.to_string());
    }
    let mut text = String::new();
    let file = open_named(&working.join(named)).map_err(|error| error.to_string())?;
    let read = file.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
    if read as u64 > MOST_BYTES { Err(format!("it is larger than {MOST_BYTES} bytes")) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_named_is_read_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().canonicalize().unwrap().join("project");
        std::fs::create_dir(&project).unwrap();
        std::fs::write(project.join("t.py"), "tests").unwrap();
        std::fs::write(folder.path().join("own.py"), "own").unwrap();
        std::os::unix::fs::symlink("/dev/zero", project.join("zero")).unwrap();
        std::os::unix::fs::symlink("../own.py", project.join("link")).unwrap();
        let pipe = project.join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        assert_eq!(text_of(&project, Path::new("t.py")).unwrap(), "tests");
        assert_eq!(text_of(&project, &folder.path().join("own.py")).unwrap(), "own");
        for name in ["zero", "link", "pipe"] {
            assert!(text_of(&project, Path::new(name)).is_err(), "{name}");
            assert!(text_of(&project, &project.join(name)).is_err(), "{name}");
        }
        assert!(text_of(&project, Path::new("/dev/zero")).unwrap_err().contains("a device"));
    }
}
