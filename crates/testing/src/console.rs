//! What frameworks write for people: the names of tests that failed, where a command of the user's ran them and nothing but
//! its words is there.

use crate::frameworks::cargo;
use formicary_model::TestStatus;
use std::collections::BTreeSet;

const MOST: usize = 1_000;
const LONGEST: usize = 160;

/// Names of failing tests in what a test command said.
pub fn failing_tests(said: &str) -> BTreeSet<String> {
    said.lines().filter_map(failing).take(MOST).collect()
}

fn failing(line: &str) -> Option<String> {
    let line = line.trim();
    let rust = || {
        let (name, rest) = cargo::test_line(line)?;
        (cargo::ending(rest)?.0 == TestStatus::Failed).then_some(name)
    };
    let numbered =
        || line.strip_prefix("not ok ").map(|rest| rest.split_once(" - ").map_or(rest, |(_, name)| name));
    let marked = || {
        ["FAILED ", "ERROR ", "FAIL: ", "ERROR: ", "--- FAIL: ", "✖ ", "● "]
            .iter()
            .find_map(|mark| line.strip_prefix(mark))
    };
    let name = rust().or_else(numbered).or_else(marked)?;
    let name = name.split(" - ").next().unwrap_or(name);
    // Times differ from run to run.
    let name = name.split(" (").next().unwrap_or(name).trim();
    (!name.is_empty() && !name.starts_with('(')).then(|| name.chars().take(LONGEST).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failing_tests_are_read() {
        let said = "FAILED tests/test_a.py::test_b - assert 1 == 2\nFAIL: test_c (mod.T.test_c)\n--- FAIL: TestD (0.00s)\n\
                    not ok 3 - adds\ntest e::f ... FAILED\nFAILED (failures=1)\ntest g ... ok\n  ● group › inner\n";
        let names = ["tests/test_a.py::test_b", "test_c", "TestD", "adds", "e::f", "group › inner"];
        assert_eq!(failing_tests(said), names.map(str::to_owned).into());
    }
}
