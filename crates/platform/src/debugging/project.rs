//! Which files belong to the program that is to be mended, and how its tests are run.

use super::fix::FixOptions;
use super::surroundings;
use formicary_debugging::repair::command::{TestCommand, is_test_file};
use formicary_debugging::repair::{Case, CaseFile};
use formicary_debugging::verify::Cases;
use formicary_model::{Failure, FailureKind, Language};
use std::path::{Path, PathBuf};

const MOST_FILES: usize = 2_000;
const MOST_BYTES: u64 = 24 << 20;
const MOST_OF_ONE: u64 = 2 << 20;
const LEFT_OUT: [&str; 7] = ["node_modules", "target", "__pycache__", "venv", "build", "dist", "vendor"];

/// A project as the loop wants it.
pub(super) struct Project {
    pub(super) root: PathBuf,
    /// The file to mend, where one was named.
    pub(super) named: Option<String>,
    /// What the reader of the report should know.
    pub(super) notes: Vec<String>,
    pub(super) case: Case,
    pub(super) command: TestCommand,
    pub(super) cases: Cases,
}

fn invalid(message: impl Into<String>, hint: &str) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

/// Reads the project that the options name; `most` are the bytes that a request may carry.
pub(super) fn read(options: &FixOptions, most: usize) -> Result<Project, Failure> {
    let target = options.working_folder.join(&options.target);
    let target = target.canonicalize().map_err(|error| {
        invalid(format!("{}: {error}", options.target.display()), "name a file or folder that exists")
    })?;
    let working = options.working_folder.canonicalize().unwrap_or_else(|_| options.working_folder.clone());
    let (root, files) = if target.is_dir() {
        let files = walk(&target).ok_or_else(|| {
            invalid("the folder holds too many files", "name the folder of the program alone")
        })?;
        (target.clone(), files)
    } else {
        let folder = target.parent().unwrap_or(Path::new("/")).to_owned();
        let inside =
            target.starts_with(&working).then(|| walk(&working).map(|files| (working.clone(), files)));
        match inside.flatten() {
            Some(found) => found,
            None => {
                let files = walk(&folder).unwrap_or_else(|| flat(&folder));
                (folder, files)
            }
        }
    };
    let mut files = files;
    for extra in options.tests.iter() {
        let path = working.join(extra);
        let name = relative(&root, &path).unwrap_or_else(|| file_name(&path));
        if !files.iter().any(|file| file.path == name) {
            let text = std::fs::read_to_string(&path)
                .map_err(|error| invalid(format!("{}: {error}", extra.display()), "name a file of tests"))?;
            files.push(CaseFile { path: name, text, editable: false });
        }
    }
    let named = (!target.is_dir()).then(|| relative(&root, &target)).flatten();
    let language = language_of(named.as_deref(), &files)?;
    let asked = options.test.as_deref().unwrap_or_default();
    let is_code = |path: &str| language_by_ending(path).is_some() || asked.contains(path);
    let notes = surroundings::fit(&mut files, most, is_code).into_iter().collect();
    let shell = shell(options, named.as_deref(), language, &root, &working, &mut files)?;
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let command = TestCommand::read(&shell, &paths);
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

/// All text files below a folder; nothing where there are too many.
fn walk(root: &Path) -> Option<Vec<CaseFile>> {
    let (mut found, mut folders, mut bytes) = (Vec::new(), vec![root.to_owned()], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).ok()?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(kind) = entry.file_type() else { continue };
            if name.starts_with('.') || (kind.is_dir() && LEFT_OUT.contains(&name.as_str())) {
                continue;
            }
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                take(root, &entry.path(), &mut found, &mut bytes);
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
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_file())
            && found.len() < MOST_FILES
            && bytes < MOST_BYTES
        {
            take(folder, &entry.path(), &mut found, &mut bytes);
        }
    }
    found
}

fn take(root: &Path, path: &Path, found: &mut Vec<CaseFile>, bytes: &mut u64) {
    let size = path.metadata().map_or(u64::MAX, |metadata| metadata.len());
    if size > MOST_OF_ONE {
        return;
    }
    if let (Ok(text), Ok(relative)) = (std::fs::read_to_string(path), path.strip_prefix(root)) {
        *bytes += size;
        found.push(CaseFile { path: relative.to_string_lossy().into_owned(), text, editable: false });
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

fn mark_editable(files: &mut [CaseFile], named: Option<&str>, language: Language, command: &TestCommand) {
    for file in files {
        file.editable = match named {
            Some(named) => file.path == named,
            None => {
                language_by_ending(&file.path) == Some(language)
                    && !is_test_file(&file.path)
                    && !file.path.split('/').any(|part| matches!(part, "tests" | "test" | "testdata"))
                    && !command.shell.split_whitespace().any(|word| word == file.path)
            }
        };
    }
}

/// The test command: the caller's, or what a file of tests or the program itself asks for.
fn shell(
    options: &FixOptions,
    named: Option<&str>,
    language: Language,
    root: &Path,
    working: &Path,
    files: &mut Vec<CaseFile>,
) -> Result<String, Failure> {
    if let Some(test) = &options.test {
        let prefix = format!("{}/", root.display());
        return Ok(test.replace(&prefix, ""));
    }
    if let Some(tests) = &options.tests {
        let path = working.join(tests);
        let name = relative(root, &path).unwrap_or_else(|| file_name(&path));
        if name.ends_with(".json") || name.ends_with(".jsonl") {
            let Some(named) = named.filter(|_| language == Language::Python) else {
                return Err(invalid("JSON cases are for one Python file", "give a test command with --test"));
            };
            files.push(CaseFile {
                path: CASES_SCRIPT.into(),
                text: cases_script(named, &name),
                editable: false,
            });
            return Ok(format!("python3 {CASES_SCRIPT}"));
        }
        let text = files.iter().find(|file| file.path == name).map_or("", |file| file.text.as_str());
        let functions = text.contains("def test") && !text.contains("__main__");
        if language == Language::Python && functions {
            return Ok(format!("python3 -m pytest {name}"));
        }
        return run_command(&name, language, files);
    }
    match named {
        Some(named) => {
            let text = files.iter().find(|file| file.path == named).map_or("", |file| file.text.as_str());
            let tests = text.contains("\ndef test_") && !text.contains("__main__");
            if language == Language::Python && tests {
                Ok(format!("python3 -m pytest {named}"))
            } else {
                run_command(named, language, files)
            }
        }
        None => project_command(files, language),
    }
}

fn run_command(path: &str, language: Language, files: &[CaseFile]) -> Result<String, Failure> {
    let stem = path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or(path);
    Ok(match language {
        Language::Python => format!("python3 {path}"),
        Language::JavaScript => format!("node {path}"),
        Language::Java => {
            let sources: Vec<&str> =
                files.iter().map(|file| file.path.as_str()).filter(|path| path.ends_with(".java")).collect();
            format!("javac -d . {} && java -ea {stem}", sources.join(" "))
        }
        Language::Go => format!("go run {path}"),
        Language::C => format!("gcc -o /tmp/program {path} -lm && /tmp/program"),
        Language::Cpp => format!("g++ -o /tmp/program {path} && /tmp/program"),
        Language::Rust => format!("rustc -o /tmp/program {path} && /tmp/program"),
        Language::Bash => format!("bash {path}"),
        Language::TypeScript => {
            return Err(invalid("TypeScript needs a test command", "give one with --test"));
        }
    })
}

fn project_command(files: &[CaseFile], language: Language) -> Result<String, Failure> {
    let has = |name: &str| files.iter().any(|file| file.path == name);
    let tests = files.iter().any(|file| is_test_file(&file.path));
    match language {
        Language::Python if tests => Ok("python3 -m pytest".into()),
        Language::JavaScript | Language::TypeScript if script(files).is_some() => {
            Ok(script(files).unwrap_or_default())
        }
        Language::JavaScript if tests || has("package.json") => Ok("node --test".into()),
        Language::Go if has("go.mod") => Ok("go test ./...".into()),
        Language::Rust if has("Cargo.toml") => Ok("cargo test --offline".into()),
        _ if has("Makefile") => Ok("make test".into()),
        _ => Err(invalid("how to test this project is not said", "give the test command with --test")),
    }
}

/// The test script of a package, with the programs of its packages.
fn script(files: &[CaseFile]) -> Option<String> {
    let text = &files.iter().find(|file| file.path == "package.json")?.text;
    let package: serde_json::Value = serde_json::from_str(text).ok()?;
    let script = package["scripts"]["test"].as_str().map(str::trim)?;
    // What npm writes into a new package.
    let usable = !script.is_empty() && !script.contains("no test specified");
    usable.then(|| format!("PATH=\"$PWD/node_modules/.bin:$PATH\"; {script}"))
}

fn pairs(options: &FixOptions, working: &Path) -> Result<Vec<(String, String)>, Failure> {
    let Some(expect) = &options.expect else { return Ok(Vec::new()) };
    let read = |path: &Path| {
        std::fs::read_to_string(working.join(path))
            .map_err(|error| invalid(format!("{}: {error}", path.display()), "name a text file"))
    };
    let stdin = options.stdin.as_deref().map(read).transpose()?.unwrap_or_default();
    Ok(vec![(stdin, read(expect)?)])
}

const CASES_SCRIPT: &str = "formicary_cases.py";

/// A script that calls the program's function with each input of a JSON file and compares what it gives.
fn cases_script(program: &str, cases: &str) -> String {
    let module = program.trim_end_matches(".py").replace('/', ".");
    let name = module.rsplit('.').next().unwrap_or(&module);
    format!(
        r#"import importlib
import json
import types


def plain(value):
    if isinstance(value, (types.GeneratorType, tuple, map, filter, zip)):
        value = list(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, set):
        return sorted(value)
    return value


def same(given, expected):
    if isinstance(given, float) or isinstance(expected, float):
        return given == expected or abs(given - expected) <= 1e-6 * max(1.0, abs(expected))
    return plain(given) == plain(expected)


module = importlib.import_module({module:?})
function = getattr(module, {name:?}, None)
if function is None:
    own = [f for f in vars(module).values() if isinstance(f, types.FunctionType) and f.__module__ == module.__name__]
    function = own[0]
text = open({cases:?}).read().strip()
try:
    rows = json.loads(text)
    if rows and not isinstance(rows[0], (list, dict)) or len(text.splitlines()) == 1 and isinstance(rows[0], list) and len(rows) == 2 and not isinstance(rows[1], (list, dict)):
        rows = [rows]
except ValueError:
    rows = [json.loads(line) for line in text.splitlines() if line.strip()]
for row in rows:
    if isinstance(row, dict):
        given = row.get("input", row.get("args"))
        expected = row.get("output", row.get("expected"))
    else:
        given, expected = row
    if not isinstance(given, list):
        given = [given]
    assert same(function(*given), expected), (given, expected)
"#
    )
}
