//! How the tests of a project are run where nobody says it: by what `tests run` would find, as a command that the judges of
//! candidates understand.

use super::{invalid, surroundings};
use crate::case::CaseFile;
use crate::command::is_test_file;
use formicary_model::{Failure, Language};
use std::path::Path;

/// Where Debian keeps archives of Java.
const JAVA_ARCHIVES: &str = "/usr/share/java";
/// What JUnit 4 needs, and what JUnit 5's launcher needs.
const JUNIT_4: [&str; 2] = ["junit4.jar", "hamcrest-all.jar"];
const JUNIT_5: [&str; 9] = [
    "junit-platform-console-standalone.jar",
    "junit-jupiter-api.jar",
    "junit-jupiter-engine.jar",
    "junit-jupiter-params.jar",
    "junit-platform-commons.jar",
    "junit-platform-engine.jar",
    "junit-platform-launcher.jar",
    "opentest4j.jar",
    "apiguardian-api.jar",
];

/// The command that tests a project.
pub(super) fn of_project(root: &Path, files: &[CaseFile], language: Language) -> Result<String, Failure> {
    let has = |name: &str| files.iter().any(|file| file.path == name);
    let tests = files.iter().any(|file| is_test_file(&file.path));
    let known = match language {
        Language::Python if tests => Some("python3 -m pytest".into()),
        Language::JavaScript | Language::TypeScript => {
            let plain = || {
                (language == Language::JavaScript && (tests || has("package.json")))
                    .then(|| "node --test".into())
            };
            script(files).or_else(plain)
        }
        Language::Go if has("go.mod") => Some("go test ./...".into()),
        Language::Rust if has("Cargo.toml") => Some("cargo test --offline".into()),
        Language::Java => junit(root, files),
        _ => None,
    };
    let by_make = || has("Makefile").then(|| "make test".to_owned());
    known.or_else(|| ctest(files)).or_else(by_make).ok_or_else(|| {
        let message = "no tests were found that this project could be fixed by";
        invalid(message, "give the test command with --test, or name the file that is run")
    })
}

/// The test script of a package, with the programs of its packages; jest or vitest where it has none.
fn script(files: &[CaseFile]) -> Option<String> {
    let text = &files.iter().find(|file| file.path == "package.json")?.text;
    let package: serde_json::Value = serde_json::from_str(text).ok()?;
    let script = package["scripts"]["test"].as_str().map(str::trim);
    // What npm writes into a new package.
    let usable = script.filter(|script| !script.is_empty() && !script.contains("no test specified"));
    let brings = |name: &str| {
        ["dependencies", "devDependencies"].iter().any(|group| package[*group][name].is_string())
    };
    let by_runner = || {
        let runners = [("vitest", "vitest run"), ("jest", "jest")];
        runners.into_iter().find(|(name, _)| brings(name)).map(|(_, line)| line)
    };
    let line = usable.or_else(by_runner)?;
    Some(format!("PATH=\"$PWD/node_modules/.bin:$PATH\"; {line}"))
}

/// CMake's tests, built where nothing of the project lies.
fn ctest(files: &[CaseFile]) -> Option<String> {
    let text = &files.iter().find(|file| file.path == "CMakeLists.txt")?.text;
    let tests = ["enable_testing", "add_test", "include(CTest)"].iter().any(|word| text.contains(word));
    tests.then(|| {
        "{ cmake -S . -B /tmp/build && cmake --build /tmp/build -j2; } >/tmp/build.log 2>&1 \
         || { cat /tmp/build.log >&2; exit 1; }; exec ctest --test-dir /tmp/build --output-on-failure"
            .into()
    })
}

/// JUnit's tests, with the project's own archives or those of the host.
fn junit(root: &Path, files: &[CaseFile]) -> Option<String> {
    let java: Vec<&CaseFile> = files.iter().filter(|file| file.path.ends_with(".java")).collect();
    if !java.iter().any(|file| file.text.contains("org.junit")) {
        return None;
    }
    let jupiter = java.iter().any(|file| file.text.contains("org.junit.jupiter"));
    let mut archives: Vec<String> = surroundings::archives(root).into_iter().map(|(_, name)| name).collect();
    let needed = if jupiter { "junit-platform-console" } else { "junit" };
    if !archives.iter().any(|name| name.rsplit('/').next().unwrap_or(name).starts_with(needed)) {
        let own: &[&str] = if jupiter { &JUNIT_5 } else { &JUNIT_4 };
        let places = own.iter().map(|name| Path::new(JAVA_ARCHIVES).join(name));
        archives.extend(places.filter(|path| path.is_file()).map(|path| path.display().to_string()));
    }
    if !archives.iter().any(|name| name.contains("junit")) {
        return None;
    }
    let classes: Vec<String> =
        java.iter().filter(|file| file.text.contains("@Test")).map(|file| class_of(file)).collect();
    if classes.is_empty() {
        return None;
    }
    let path = archives.join(":");
    let run = if jupiter {
        format!("org.junit.platform.console.ConsoleLauncher -c {}", classes.join(" -c "))
    } else {
        format!("org.junit.runner.JUnitCore {}", classes.join(" "))
    };
    Some(format!(
        "javac -d /tmp/classes -cp {path} $(find . -name '*.java') && java -ea -cp /tmp/classes:{path} {run}"
    ))
}

/// The whole name of the class of a file.
fn class_of(file: &CaseFile) -> String {
    let name = file.path.rsplit('/').next().unwrap_or(&file.path).trim_end_matches(".java");
    let package = file.text.lines().find_map(|line| line.trim().strip_prefix("package ")?.split(';').next());
    package.map_or_else(|| name.to_owned(), |package| format!("{}.{name}", package.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tests_run_would_find_is_found() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("junit-4.13.jar"), [0xff_u8, 0xfe]).unwrap();
        let cmake = "enable_testing()\nadd_test(NAME t COMMAND t)";
        let package = r#"{"devDependencies": {"jest": "^29"}, "scripts": {"test": "echo \"Error: no test specified\""}}"#;
        let junit = "package app;\nimport org.junit.Test;\npublic class T { @Test public void t() {} }";
        for (language, path, text, expected) in [
            (Language::Cpp, "CMakeLists.txt", cmake, "exec ctest "),
            (Language::C, "CMakeLists.txt", cmake, "exec ctest "),
            (Language::JavaScript, "package.json", package, "; jest"),
            (Language::Java, "src/T.java", junit, "junit-4.13.jar org.junit.runner.JUnitCore app.T"),
            (Language::C, "Makefile", "test:\n", "make test"),
        ] {
            let files = [CaseFile { path: path.into(), text: text.into(), editable: false }];
            let command = of_project(root.path(), &files, language).unwrap();
            assert!(command.contains(expected), "{command}");
        }
        let nothing = [CaseFile { path: "a.c".into(), text: "int main() {}".into(), editable: false }];
        assert!(of_project(root.path(), &nothing, Language::C).unwrap_err().hint.is_some());
    }
}
