//! The command that tests a program: the caller's, or what a file of tests or the program itself asks for.

use super::{ProjectOptions, file_name, invalid, language_by_ending, relative, test_command};
use crate::case::CaseFile;
use formicary_model::{Failure, Language};
use std::path::Path;

/// The test command: the caller's, or what a file of tests or the program itself asks for.
pub(super) fn command(
    options: &ProjectOptions<'_>,
    named: Option<&str>,
    language: Language,
    root: &Path,
    working: &Path,
    files: &mut Vec<CaseFile>,
) -> Result<String, Failure> {
    if let Some(test) = &options.input.test {
        let prefix = format!("{}/", root.display());
        let test = test.replace(&prefix, "");
        return Ok(if language == Language::Python { python_line(&test) } else { test });
    }
    if let Some(tests) = &options.input.tests {
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
        if language_by_ending(&name) != Some(language) {
            let message = format!("{name} is no file of tests in {}", language.id());
            return Err(invalid(message, "name one, or JSON cases, or give the test command as --test"));
        }
        let text = files.iter().find(|file| file.path == name).map_or("", |file| file.text.as_str());
        let functions = text.contains("def test") && !text.contains("__main__");
        if language == Language::Python && functions {
            return Ok(format!("python3 -m pytest {name}"));
        }
        if language == Language::TypeScript {
            return Err(invalid("tests in TypeScript need a test command", "give one with --test"));
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
        None => test_command::of_project(root, files, language),
    }
}

/// Programs of a virtual environment name an interpreter of the host, and none of them is on the sandbox's PATH: their modules are
/// started by the interpreter that is shown.
fn python_line(line: &str) -> String {
    let mut starts = true;
    let words = line.split(' ').map(|word| {
        let first = std::mem::replace(&mut starts, matches!(word, "&&" | "||" | ";") || word.contains('='));
        let plain = word.strip_prefix("./").unwrap_or(word);
        match plain {
            "pytest" | "py.test" if first => "python3 -m pytest",
            ".venv/bin/pytest" | "venv/bin/pytest" => "python3 -m pytest",
            ".venv/bin/python" | ".venv/bin/python3" | "venv/bin/python" | "venv/bin/python3" => "python3",
            _ => word,
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The file that is only run, where its language's recipe does it as `run` and `diagnose` do. The others are run by one
/// command each, which the judges of candidates understand.
pub(super) fn runs_alone(
    options: &ProjectOptions<'_>,
    named: Option<&str>,
    language: Language,
) -> Option<String> {
    let by_recipe = matches!(language, Language::C | Language::Cpp | Language::Rust | Language::TypeScript);
    let alone = options.input.test.is_none() && options.input.tests.is_none();
    named.filter(|_| by_recipe && alone).map(str::to_owned)
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
        // The shell becomes the program, so that a signal that ends it is seen as one.
        Language::C => format!("gcc -o /tmp/program {path} -lm && exec /tmp/program"),
        Language::Cpp => format!("g++ -o /tmp/program {path} && exec /tmp/program"),
        Language::Rust => {
            format!("rustc --edition 2021 -C debug-assertions=on -o /tmp/program {path} && exec /tmp/program")
        }
        Language::Bash => format!("bash {path}"),
        Language::TypeScript => format!("node {path}"),
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_a_virtual_environment_are_started_as_modules() {
        for (line, expected) in [
            ("pytest -x", "python3 -m pytest -x"),
            ("PYTHONPATH=src pytest tests", "PYTHONPATH=src python3 -m pytest tests"),
            (".venv/bin/pytest tests", "python3 -m pytest tests"),
            ("./venv/bin/python test_a.py", "python3 test_a.py"),
            ("make x && pytest", "make x && python3 -m pytest"),
            ("python3 -m pytest", "python3 -m pytest"),
            ("tox -e pytest", "tox -e pytest"),
        ] {
            assert_eq!(python_line(line), expected);
        }
    }
}
