//! Mutants of Python files, and tests for them. The work is done by programs of ours inside the sandbox: what they run is
//! the project's own code.
//!
//! | file | what it does, inside |
//! |---|---|
//! | `mutants.py` | small changes of a file |
//! | `mutate.py` | judges a suite of tests by them |
//! | `values.py` | arguments to try |
//! | `observe.py` | calls, what they do, and the lines of a test that say so |
//! | `generate.py` | the search for calls, and which are kept |
//! | `suite.py` | the file of tests |
//! | `suggested.py` | judges tests that a model proposes |
//! | `runner.py`, `line_coverage.py` | running tests, and which lines they reach |

pub mod generate;
pub mod mutate;
pub mod suggest;

use crate::project::{LEFT_OUT, OURS, Project, SHOWN_AT, our_file};
use crate::run::limits;
use formicary_model::{ExecutionRequest, ExecutionResult, Failure, FailureKind, SourceFile};
use serde_json::{Value, json};

const PROGRAMS: [(&str, &str); 9] = [
    ("suggested.py", include_str!("suggested.py")),
    ("mutants.py", include_str!("mutants.py")),
    ("mutate.py", include_str!("mutate.py")),
    ("values.py", include_str!("values.py")),
    ("observe.py", include_str!("observe.py")),
    ("generate.py", include_str!("generate.py")),
    ("suite.py", include_str!("suite.py")),
    ("runner.py", include_str!("runner.py")),
    ("line_coverage.py", include_str!("line_coverage.py")),
];

/// A request that starts one of the programs on a project, with its plan.
fn request(
    base: &ExecutionRequest,
    project: &Project,
    program: &str,
    mut plan: Value,
    seconds: f64,
) -> ExecutionRequest {
    if let Some(plan) = plan.as_object_mut() {
        plan.insert("shown_at".into(), json!(project.shown.as_ref().map(|_| SHOWN_AT)));
        plan.insert("left_out".into(), json!(LEFT_OUT));
    }
    let mut files: Vec<SourceFile> = PROGRAMS.iter().map(|(name, text)| our_file(name, *text)).collect();
    files.push(our_file("plan.json", plan.to_string()));
    let mut request = base.clone();
    request.language = Some("python".into());
    if request.venv.is_none() && request.packages.is_empty() {
        request.venv.clone_from(&project.venv);
    }
    request.env.entry("PYTHONDONTWRITEBYTECODE".into()).or_insert_with(|| "1".into());
    request.collect.globs.push(format!("{OURS}/result.jsonl"));
    project.put_into(&mut request, files, Some(format!("{OURS}/{program}")));
    let environment = &mut request.environment;
    environment.limits = std::mem::take(&mut environment.limits).or(&limits(seconds));
    request
}

/// What a program left, line by line.
fn answers(result: &ExecutionResult) -> Vec<Value> {
    let path = format!("{OURS}/result.jsonl");
    let content = result.artifacts.iter().find(|file| file.path == path).map(|file| &file.content[..]);
    let text = String::from_utf8_lossy(content.unwrap_or_default());
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Where a file's imports begin, and its name as a module.
pub fn module_of(project: &Project, path: &str) -> (String, String) {
    let stem = path.strip_suffix(".py").unwrap_or(path);
    let mut parts: Vec<&str> = stem.split('/').collect();
    let mut root = parts.len() - 1;
    while root > 0 && project.has(&format!("{}/__init__.py", parts[..root].join("/"))) {
        root -= 1;
    }
    let folder = parts[..root].join("/");
    if parts.last() == Some(&"__init__") && parts.len() > root + 1 {
        parts.pop();
    }
    (if folder.is_empty() { ".".into() } else { folder }, parts[root..].join("."))
}

/// The Python files that somebody means: those that are named, or all but the tests.
pub fn sources(project: &Project, named: &[String]) -> Result<Vec<String>, Failure> {
    if named.is_empty() {
        let is_test = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.starts_with("test")
                || name.ends_with("_test.py")
                || path.split('/').any(|part| part == "tests")
        };
        let left = ["setup.py", "conftest.py", "__main__.py", "noxfile.py"];
        let own = project.ending(".py").filter(|path| {
            let name = path.rsplit('/').next().unwrap_or(path);
            !is_test(path) && !left.contains(&name) && project.text(path).contains("def ")
        });
        let own: Vec<String> = own.map(str::to_owned).collect();
        if own.is_empty() {
            return Err(Failure::new(
                FailureKind::InvalidInput,
                "there are no Python files with functions here",
            )
            .hint("name a file or the folder of a Python project"));
        }
        return Ok(own);
    }
    for path in named {
        if !project.has(path) || !path.ends_with(".py") {
            return Err(Failure::new(
                FailureKind::InvalidInput,
                format!("{path} is not a Python file of the project"),
            )
            .hint("name a file that ends with .py, relative to the project's folder"));
        }
    }
    Ok(named.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_named_from_where_their_packages_begin() {
        let project = Project {
            paths: ["src/pkg/__init__.py", "src/pkg/sub/__init__.py", "src/pkg/sub/a.py", "b.py", "lib/c.py"]
                .map(String::from)
                .to_vec(),
            ..Project::default()
        };
        for (path, root, module) in [
            ("src/pkg/sub/a.py", "src", "pkg.sub.a"),
            ("src/pkg/__init__.py", "src", "pkg"),
            ("b.py", ".", "b"),
            ("lib/c.py", "lib", "c"),
        ] {
            assert_eq!(module_of(&project, path), (root.to_owned(), module.to_owned()), "{path}");
        }
    }
}
