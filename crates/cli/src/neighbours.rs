//! What a program misses that lies beside its file: only the file itself went into the sandbox, which surprises everybody once.

use formicary_model::{ExecutionResult, Status};
use std::path::Path;

/// Phrases of runtimes and compilers that look for a file or module in vain.
const MISSING: [&str; 7] = [
    "No such file",
    "No module named",
    "Cannot find module",
    "cannot find module",
    "not found",
    "does not exist",
    "could not find",
];
/// Endings that a module's name leaves out.
const ENDINGS: [&str; 8] = ["", ".py", ".js", ".ts", ".mjs", ".h", ".go", ".sh"];
/// Of what a program said, only the end is looked at.
const LAST_LINES: usize = 40;

/// The hint for a run of this file alone; nothing where it went well.
pub fn of_run(verb: &str, file: &Path, result: &ExecutionResult) -> Option<String> {
    if result.status == Status::Success {
        return None;
    }
    let compiled = result.compile.as_ref().map_or("", |compile| compile.stderr.as_str());
    hint(verb, file, &format!("{compiled}\n{}", result.stderr))
}

/// A hint that names the neighbour and how to take it along; `verb` is what the user said (`run`).
fn hint(verb: &str, file: &Path, said: &str) -> Option<String> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let own = file.file_name()?.to_str()?;
    let lines: Vec<&str> = said.lines().collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    let missed = last
        .iter()
        .filter(|line| MISSING.iter().any(|phrase| line.contains(phrase)))
        .flat_map(|line| line.split(|c: char| c.is_whitespace() || "'\"`:;,()[]<>".contains(c)))
        .find_map(|word| beside(folder, own, word))?;
    let folder = folder.display();
    Some(format!(
        "{missed} lies beside {own}, and only {own} itself was taken along; `formicary {verb} {folder} --entry {own}` takes \
         the whole folder"
    ))
}

/// The neighbour that a word of a message means, by its first part.
fn beside(folder: &Path, own: &str, word: &str) -> Option<String> {
    let word = word.strip_prefix("/work/").unwrap_or(word).trim_start_matches("./");
    // A path that leaves the folder is no neighbour, and a name of one letter is rather a word.
    if word.len() < 2 || word.starts_with(['/', '.', '-']) || word.split('/').any(|part| part == "..") {
        return None;
    }
    let module = word.split('.').next().filter(|module| module.len() > 1);
    [Some(word), module].into_iter().flatten().find_map(|name| {
        let found =
            ENDINGS.iter().map(|ending| format!("{name}{ending}")).find(|name| folder.join(name).exists())?;
        (found != own).then_some(found)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beside_is_named_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["app.py", "helper.py", "data.csv", "util.h"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join("toolz")).unwrap();
        let app = folder.path().join("app.py");
        let named =
            |said: &str| hint("run", &app, said).map(|hint| hint.split(' ').next().unwrap_or("").to_owned());
        for (said, wanted) in [
            ("ModuleNotFoundError: No module named 'helper'", Some("helper.py")),
            ("ModuleNotFoundError: No module named 'toolz.itertoolz'", Some("toolz")),
            ("FileNotFoundError: [Errno 2] No such file or directory: 'data.csv'", Some("data.csv")),
            ("app.c:1:10: fatal error: util.h: No such file or directory", Some("util.h")),
            ("ModuleNotFoundError: No module named 'numpy'", None),
            ("FileNotFoundError: [Errno 2] No such file or directory: '../data.csv'", None),
            ("FileNotFoundError: [Errno 2] No such file or directory: '/etc/data.csv'", None),
            ("python3: can't open file 'app.py': No such file or directory", None),
            ("ValueError: data.csv is empty", None),
        ] {
            assert_eq!(named(said).as_deref(), wanted, "{said}");
        }
    }
}
