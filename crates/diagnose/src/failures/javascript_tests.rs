//! Reports of JavaScript's test runners: jest, vitest and the TAP of `node --test`. None of them looks like the error that
//! node itself prints.

use super::javascript::{AT, stack_frame};
use super::raw::{RawError, pattern};
use super::text::Log;
use formicary_model::StackFrame;
use regex::Regex;
use std::sync::LazyLock;

/// jest's heading of a failing test or of a file that could not be run; `● Console` and its like are none.
static JEST: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s{2}● (?:Test suite failed to run|.* › .*|\S.*)$"));
/// vitest's, once for each failing test in the part that holds the details.
static VITEST: LazyLock<Regex> = LazyLock::new(|| pattern(r"^ FAIL  \S+\.[cm]?[jt]sx?(?: .*)?$"));
static VITEST_AT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^ ❯ (?:(?:async )?(\S+) )?((?:file://)?\S+\.[cm]?[jt]sx?):(\d+):(\d+)$"));
static TAP: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\s*)not ok \d+ - (.*)$"));
static LOCATION: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(.*\S):(\d+):(\d+)$"));
static TAP_AT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:async )?(?:(.*?) \()?([^()\s][^()]*?):(\d+):(\d+)\)?$"));
/// A line of the source as a report shows it.
static SHOWN: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*>?\s*\d*\s*[|│]"));
/// `Kind: message`, with node's code in brackets.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:Uncaught )?([A-Z][\w$]*(?:Error|Exception|Rejection))(?: \[\w+\])?(?:: (.*))?$")
});

/// Lines that the report of one test may have.
const MOST_LINES: usize = 200;

/// What failing tests raised, in the order of the log; nothing where it is no report of these runners.
pub fn read(log: &Log) -> Vec<RawError> {
    let jest = log.lines.iter().any(|line| line.starts_with("Test Suites: "));
    let mut found: Vec<RawError> = Vec::new();
    let mut at = 0;
    while at < log.lines.len() {
        let line = log.line(at);
        at += 1;
        let error = if jest && JEST.is_match(line) && !line.contains("● Console") {
            spoken(&block(log, at, |line| JEST.is_match(line) || line.starts_with("Test Suites: ")))
        } else if VITEST.is_match(line) {
            spoken(&block(log, at, |line| VITEST.is_match(line) || line.starts_with('⎯')))
        } else if let Some(parts) = TAP.captures(line) {
            tap(&parts[1], &block(log, at, |line| line.trim() == "..."))
        } else {
            None
        };
        // jest tells of every failure again at its end.
        let known = |error: &RawError| {
            found.iter().any(|known| known.message == error.message && known.frames == error.frames)
        };
        found.extend(error.filter(|error| !known(error)));
    }
    found
}

fn block(log: &Log, from: usize, ends: impl Fn(&str) -> bool) -> Vec<&str> {
    let lines = log.lines[from..].iter().map(String::as_str).take(MOST_LINES);
    lines.take_while(|line| !ends(line)).collect()
}

/// A message, the source around it, and the stack.
fn spoken(lines: &[&str]) -> Option<RawError> {
    let frame = |line: &&str| vitest_frame(line).or_else(|| stack_frame(line));
    let is_end = |line: &&str| SHOWN.is_match(line) || frame(line).is_some() || AT.is_match(line);
    let message: Vec<&str> = lines.iter().copied().take_while(|line| !is_end(line)).collect();
    let message = message.iter().map(|line| line.trim()).collect::<Vec<_>>().join("\n");
    let mut error = named(message.trim())?;
    error.frames = lines.iter().filter_map(frame).collect();
    Some(error)
}

fn vitest_frame(line: &str) -> Option<StackFrame> {
    let parts = VITEST_AT.captures(line)?;
    let name = parts.get(1).map(|name| name.as_str());
    Some(super::raw::frame(name, &parts[2], &parts[3], Some(&parts[4])))
}

fn named(message: &str) -> Option<RawError> {
    let (first, rest) = message.split_once('\n').unwrap_or((message, ""));
    if first.is_empty() {
        return None;
    }
    let (kind, first) = match NAMED.captures(first) {
        Some(parts) => (parts[1].to_owned(), parts.get(2).map_or("", |text| text.as_str()).to_owned()),
        // Matchers of jest raise without a name.
        None if first.starts_with("expect(") || first.contains("expected") => {
            ("AssertionError".to_owned(), first.to_owned())
        }
        None => ("Error".to_owned(), first.to_owned()),
    };
    let rest: Vec<&str> = rest.lines().filter(|line| !line.is_empty()).collect();
    let message = std::iter::once(first.as_str()).chain(rest).collect::<Vec<_>>().join("\n");
    Some(RawError::new(kind, message.trim_end()))
}

/// The YAML below a `not ok`. A test that failed because one inside it did has nothing to tell of its own.
fn tap(indent: &str, lines: &[&str]) -> Option<RawError> {
    let inner = format!("{indent}  ");
    let lines: Vec<&str> =
        lines.iter().map(|line| line.strip_prefix(inner.as_str()).unwrap_or(line)).collect();
    let value = |key: &str| {
        let line = lines.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "))?;
        Some(line.trim_matches('\'').replace("''", "'"))
    };
    if lines.first().map(|line| line.trim()) != Some("---")
        || value("failureType").as_deref() == Some("subtestsFailed")
    {
        return None;
    }
    let folded = |key: &str| {
        let head = format!("{key}: |-");
        let from = lines.iter().position(|line| *line == head)? + 1;
        Some(lines[from..].iter().map_while(|line| line.strip_prefix("  ")).collect::<Vec<_>>())
    };
    let message = match folded("error") {
        Some(text) => text.join("\n").trim().to_owned(),
        None => value("error")?,
    };
    let mut error = RawError::new(value("name").unwrap_or_else(|| "Error".into()), message);
    for line in folded("stack").unwrap_or_default() {
        if let Some(parts) = TAP_AT.captures(line) {
            let name = parts.get(1).map(|name| name.as_str());
            error.frames.push(super::raw::frame(name, &parts[2], &parts[3], Some(&parts[4])));
        }
    }
    if error.frames.is_empty()
        && let Some(location) = value("location")
        && let Some(parts) = LOCATION.captures(&location)
    {
        error = error.at(&parts[1], &parts[2], Some(&parts[3]));
    }
    Some(error)
}

#[cfg(test)]
mod tests {
    use crate::failures::{of_text, text::Said};

    const JEST: &str = "FAIL ./add.test.js\n  ✕ adds (32 ms)\n\n  ● adds\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 3\n    Received: -1\n\n      1 | const {add}=require('./add');\n    > 2 | test('adds',()=>{expect(add(1,2)).toBe(3)});\n        |                                   ^\n      3 |\n\n      at Object.toBe (add.test.js:2:35)\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\n";
    const JEST_RAISED: &str = "  ● cart › sums\n\n    TypeError: Cannot read properties of undefined (reading 'price')\n\n    > 4 |   return items[9].price;\n        |                   ^\n\n      at price (src/cart.js:4:19)\n      at Object.<anonymous> (test/cart.test.js:7:3)\n\n  ● Test suite failed to run\n\n    Cannot find module './gone' from 'src/b.js'\n\n      at Resolver._throwModNotFoundError (node_modules/jest-resolve/build/resolver.js:427:11)\n      at Object.<anonymous> (src/b.js:1:1)\n\nTest Suites: 2 failed, 2 total\n";
    const VITEST: &str = " RUN  v1.6.1 /work\n\n ❯ add.test.js  (1 test | 1 failed) 7ms\n   ❯ add.test.js > adds\n     → expected -1 to be 3 // Object.is equality\n\n⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯\n\n FAIL  add.test.js > adds\nAssertionError: expected -1 to be 3 // Object.is equality\n\n- Expected\n+ Received\n\n- 3\n+ -1\n\n ❯ add.test.js:2:35\n      1| import {test,expect} from 'vitest';\n      2| test('adds',()=>{expect(add(1,2)).toBe(3)});\n       |                                   ^\n\n⎯⎯⎯⎯[1/1]⎯\n\n Test Files  1 failed (1)\n";
    const TAP: &str = "TAP version 13\n# Subtest: math\n    # Subtest: adds\n    not ok 1 - adds\n      ---\n      duration_ms: 5.9\n      location: '/work/add.test.js:2:1'\n      failureType: 'testCodeFailure'\n      error: '-1 == 3'\n      code: 'ERR_ASSERTION'\n      name: 'AssertionError'\n      stack: |-\n        TestContext.<anonymous> (/work/add.test.js:2:20)\n        Test.runInAsyncScope (node:async_hooks:206:9)\n      ...\n    1..1\nnot ok 1 - math\n  ---\n  duration_ms: 7\n  failureType: 'subtestsFailed'\n  error: '1 subtest failed'\n  code: 'ERR_TEST_FAILURE'\n  ...\n1..1\n# fail 1\n";
    const TAP_LONG: &str = "not ok 1 - same\n  ---\n  location: '/work/a.test.js:3:1'\n  failureType: 'testCodeFailure'\n  error: |-\n    Expected values to be strictly equal:\n    \n    1 !== 2\n    \n  name: 'AssertionError'\n  stack: |-\n    TestContext.<anonymous> (file:///work/a.test.js:3:30)\n  ...\n";

    #[test]
    fn every_runner_names_the_error_and_its_place() {
        for (log, kind, message, place) in [
            (JEST, "AssertionError", "expect(received).toBe(expected)", "add.test.js:2"),
            (JEST_RAISED, "TypeError", "Cannot read properties of undefined", "src/cart.js:4"),
            (VITEST, "AssertionError", "expected -1 to be 3", "add.test.js:2"),
            (TAP, "AssertionError", "-1 == 3", "add.test.js:2"),
            (TAP_LONG, "AssertionError", "Expected values to be strictly equal:", "a.test.js:3"),
        ] {
            let diagnosis = of_text(&Said::of(log.as_bytes()), None, &[]);
            assert_eq!(diagnosis.language.as_deref(), Some("javascript"), "{log}");
            let error = diagnosis.main().unwrap_or_else(|| panic!("{log}"));
            assert_eq!(error.error_type, kind, "{error:?}");
            assert!(error.message.starts_with(message), "{error:?}");
            let found = error.place.as_ref().unwrap_or_else(|| panic!("{error:?}"));
            assert_eq!(format!("{}:{}", found.file.trim_start_matches("/work/"), found.line), place);
        }
    }

    #[test]
    fn each_failure_is_told_once_and_a_suite_for_its_parts_not_at_all() {
        let count = |log: &str| of_text(&Said::of(log.as_bytes()), None, &[]).errors.len();
        assert_eq!((count(JEST), count(JEST_RAISED), count(VITEST), count(TAP)), (1, 2, 1, 1));
        assert_eq!(count(&format!("{}\nSummary of all failing tests\n{JEST}", JEST)), 1);
        assert_eq!(count("Test Suites: 1 passed, 1 total\n"), 0);
    }
}
