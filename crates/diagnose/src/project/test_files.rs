//! Files of tests that are known by what stands in them, since their names say nothing: they are never changed.

use crate::case::CaseFile;
use formicary_model::Language;
use std::collections::BTreeSet;

/// What only tests write, by language.
const MARKS: [(Language, &[&str]); 6] = [
    (
        Language::Python,
        &["\nimport pytest", "\nfrom pytest import", "(unittest.TestCase)", "(TestCase)", "\ndef test_"],
    ),
    (
        Language::JavaScript,
        &["node:test", "@jest/globals", "'vitest'", "\"vitest\"", "\ndescribe(", "\ntest("],
    ),
    (
        Language::TypeScript,
        &["node:test", "@jest/globals", "'vitest'", "\"vitest\"", "\ndescribe(", "\ntest("],
    ),
    (Language::Java, &["org.junit", "org.testng"]),
    (Language::C, &["<unity.h>", "<check.h>", "<cmocka.h>", "\"unity.h\""]),
    (Language::Cpp, &["gtest/gtest.h", "catch2/", "\"catch.hpp\"", "doctest.h", "boost/test/"]),
];

/// The files of tests among these.
pub(super) fn files(files: &[CaseFile], language: Language) -> BTreeSet<String> {
    let marks = MARKS.iter().find(|(known, _)| *known == language).map_or(&[][..], |(_, marks)| marks);
    let marked = |file: &&CaseFile| {
        let text = format!("\n{}", file.text);
        marks.iter().any(|mark| text.contains(mark))
    };
    let mut found: BTreeSet<String> = files.iter().filter(marked).map(|file| file.path.clone()).collect();
    if matches!(language, Language::C | Language::Cpp) {
        found.extend(of_ctest(files));
    }
    found
}

/// The main files of the programs that CMake registers as tests.
fn of_ctest(files: &[CaseFile]) -> Vec<String> {
    let mut found = Vec::new();
    for list in files.iter().filter(|file| file.path.rsplit('/').next() == Some("CMakeLists.txt")) {
        let directory = list.path.strip_suffix("CMakeLists.txt").unwrap_or_default();
        let tests: Vec<Vec<&str>> = calls(&list.text, "add_test").collect();
        for program in calls(&list.text, "add_executable") {
            let Some((name, sources)) = program.split_first() else { continue };
            let is_test = tests.iter().flatten().any(|word| word.rsplit('/').next() == Some(*name));
            for source in sources.iter().filter(|_| is_test) {
                let path = format!("{directory}{source}");
                let has_main = |file: &CaseFile| file.path == path && file.text.contains("main(");
                found.extend(files.iter().any(has_main).then_some(path.clone()));
            }
        }
    }
    found
}

/// The words of each call of a command of CMake's.
fn calls<'a>(text: &'a str, command: &'a str) -> impl Iterator<Item = Vec<&'a str>> {
    text.split(command).skip(1).filter_map(|after| {
        let inside = after.trim_start().strip_prefix('(')?.split(')').next()?;
        Some(inside.split_whitespace().map(|word| word.trim_matches('"')).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_known_by_what_stands_in_them() {
        let cmake = "project(p C)\nadd_library(add add.c)\nadd_executable(t t.c more.c)\nadd_executable(app app.c)\n\
                     enable_testing()\nadd_test(NAME adds COMMAND t)\n";
        let all = [
            ("CMakeLists.txt", cmake),
            ("add.c", "int add(int a, int b) { return a - b; }"),
            ("t.c", "int main(void) { return add(1, 2) == 3 ? 0 : 1; }"),
            ("more.c", "int more(void) { return 1; }"),
            ("app.c", "int main(void) { return 0; }"),
            ("checks.py", "import pytest\n\ndef check(): pass\n"),
            ("shop.py", "def total(): pass\n"),
            ("all.py", "def add(a, b): return a\n\ndef test_add(): assert add(1, 2) == 3\n"),
            ("Checks.java", "import org.junit.Test;\n"),
            ("Shop.java", "class Shop {}\n"),
            ("run.js", "const test = require('node:test');\n"),
            ("shop.js", "exports.total = () => 1;\n"),
        ];
        let all = all.map(|(path, text)| CaseFile { path: path.into(), text: text.into(), editable: false });
        for (language, expected) in [
            (Language::C, &["t.c"][..]),
            (Language::Python, &["all.py", "checks.py"]),
            (Language::Java, &["Checks.java"]),
            (Language::JavaScript, &["run.js"]),
        ] {
            assert_eq!(files(&all, language).iter().collect::<Vec<_>>(), expected, "{language:?}");
        }
    }
}
