//! Tests must not be made to pass by making them weaker.

use formicary_diagnose::command::is_test_file;

/// Files that change how tests are found and run: a new one could switch tests off.
const STEERING: [&str; 14] = [
    "conftest.py",
    "pytest.ini",
    ".pytest.ini",
    "tox.ini",
    "setup.cfg",
    "pytest.py",
    "unittest.py",
    "sitecustomize.py",
    "usercustomize.py",
    "jest.config.js",
    "jest.config.ts",
    "vitest.config.ts",
    "vitest.config.js",
    ".mocharc.js",
];

/// Words that begin a test, by language.
const BEGINNINGS: [&str; 9] = [
    "def test",
    "async def test",
    "it(",
    "test(",
    "@Test",
    "func Test",
    "#[test]",
    "TEST(",
    "@ParameterizedTest",
];
/// Words of checks.
const CHECKS: [&str; 10] = [
    "assert",
    "expect(",
    "raises(",
    "should",
    "t.Error",
    "t.Fatal",
    "EXPECT_",
    "fail(",
    "require.",
    "assertEquals",
];
/// Words that keep a test from running.
const SKIPS: [&str; 14] = [
    "skip(",
    "skipif",
    "skipIf",
    "skipTest",
    "xfail",
    "expectedFailure",
    "it.skip",
    "test.skip",
    "describe.skip",
    "@Disabled",
    "@Ignore",
    "#[ignore",
    "t.Skip",
    "test.todo",
];

/// Whether a file holds tests.
pub fn is_test(path: &str) -> bool {
    let folders: Vec<&str> = path.split('/').collect();
    let in_tests = folders[..folders.len().saturating_sub(1)]
        .iter()
        .any(|part| matches!(*part, "tests" | "test" | "__tests__"));
    is_test_file(path) || in_tests
}

/// Whether a file steers how tests are run.
pub fn steers_tests(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| STEERING.contains(&name))
}

/// Why a new text of a test file is weaker than the old one, if it is.
pub fn weakened(path: &str, old: &str, new: Option<&str>) -> Option<String> {
    let Some(new) = new else { return Some(format!("{path} holds tests and must not be deleted")) };
    let count = |text: &str, words: &[&str]| {
        let lines =
            text.lines().map(str::trim).filter(|line| !line.starts_with("//") && !line.starts_with("# "));
        lines.filter(|line| words.iter().any(|word| line.contains(word))).count()
    };
    for (words, what) in [(BEGINNINGS.as_slice(), "tests"), (CHECKS.as_slice(), "checks")] {
        let (before, after) = (count(old, words), count(new, words));
        if after < before {
            return Some(format!(
                "{path} had {before} {what} and would have {after}; tests must not become weaker"
            ));
        }
    }
    if count(new, &SKIPS) > count(old, &SKIPS) {
        return Some(format!("{path} would skip tests that run now; tests must not become weaker"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "def test_a():\n    assert f(1) == 2\n\ndef test_b():\n    assert f(2) == 3\n";

    #[test]
    fn weaker_tests_are_seen() {
        let cases = [
            (Some(OLD.to_owned()), false),
            (Some(format!("{OLD}\ndef test_c():\n    assert f(3) == 4\n")), false),
            (None, true),
            (Some("def test_a():\n    assert f(1) == 2\n".into()), true),
            (Some(OLD.replace("assert f(2) == 3", "pass")), true),
            (Some(OLD.replace("    assert f(2) == 3", "    # assert f(2) == 3\n    pass")), true),
            (Some(OLD.replace("def test_b", "@pytest.mark.skip(reason='x')\ndef test_b")), true),
            (Some(OLD.replace("def test_b", "@pytest.mark.xfail\ndef test_b")), true),
            (Some(OLD.replace("def test_b", "def off_b")), true),
            (Some(String::new()), true),
        ];
        for (new, weaker) in cases {
            assert_eq!(weakened("test_f.py", OLD, new.as_deref()).is_some(), weaker, "{new:?}");
        }
    }

    #[test]
    fn tests_are_known_by_their_place() {
        for (path, test) in [
            ("test_a.py", true),
            ("a_test.go", true),
            ("tests/data.json", true),
            ("src/a.py", false),
            ("a.test.js", true),
            ("contest.py", false),
        ] {
            assert_eq!(is_test(path), test, "{path}");
        }
        assert!(steers_tests("sub/conftest.py") && !steers_tests("config.py"));
    }
}
