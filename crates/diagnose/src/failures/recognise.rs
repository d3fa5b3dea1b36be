//! Which language a pasted log is of: each has marks that no other writes.

use super::raw::pattern;
use super::text::Log;
use formicary_model::Language;
use regex::Regex;
use std::sync::LazyLock;

/// Marks with their weight. A log of a test runner or a build may hold several: the heaviest language wins.
const MARKS: &[(Language, u32, &str)] = &[
    (Language::Python, 8, r"^\s*(?:[|+] )*\s*(?:\+ Exception Group )?Traceback \(most recent call last\):"),
    (Language::Python, 5, r#"^\s*File "[^"]+", line \d+"#),
    (Language::Python, 4, r"^E\s{3,}\w+|^\S+\.py:\d+: \w+|\.py::\w+"),
    (
        Language::JavaScript,
        3,
        r"^\s+at (?:async )?(?:.+ \()?(?:file://)?(?:node:|/|[A-Za-z]:\\|\.)[^()]*:\d+:\d+\)?$",
    ),
    (Language::JavaScript, 6, r"^Node\.js v\d+|UnhandledPromiseRejection|JavaScript heap out of memory"),
    (Language::JavaScript, 4, r"^\S+\.[cm]?jsx?:\d+$"),
    (
        Language::JavaScript,
        6,
        r"^Test Suites: \d+ |^ FAIL  \S+\.[cm]?[jt]sx?(?: |$)|^\s+failureType: '|^TAP version 13$",
    ),
    (Language::TypeScript, 8, r"error TS\d+:|\.tsx?:\d+:\d+\)?$"),
    (Language::Java, 6, r"^\s+at [\w.$/<>]+\((?:[\w$]+\.java:\d+|Native Method|Unknown Source)\)"),
    (
        Language::Java,
        6,
        r"^Exception in thread |^\S+\.java:\d+: (?:error|warning):|java\.(?:lang|util|io)\.\w+",
    ),
    (Language::Cpp, 7, r"\.(?:cpp|cc|cxx|hpp|c\+\+):\d+|terminate called|std::|libstdc\+\+"),
    (
        Language::C,
        6,
        r"\.[ch]:\d+:(?:\d+:)? |AddressSanitizer|UndefinedBehaviorSanitizer|ThreadSanitizer|runtime error: .*(?:overflow|null pointer)",
    ),
    (
        Language::C,
        4,
        r"undefined reference to|collect2: error|Assertion .* failed\.$|\*\*\* stack smashing|^free\(\): |^(?:double free|malloc\(\): )",
    ),
    (Language::Go, 8, r"^goroutine \d+ \[|^WARNING: DATA RACE|^# command-line-arguments|^--- FAIL: Test"),
    (Language::Go, 7, r"^\s*(?:\./|/)?\S+\.go:\d+"),
    (Language::Go, 3, r"^panic: |^fatal error: "),
    (
        Language::Rust,
        8,
        r"^error\[E\d{4}\]|^thread '.*' (?:\(\d+\) )?(?:panicked at|has overflowed)|^\s+--> \S+\.rs:\d+|RUST_BACKTRACE",
    ),
    (Language::Rust, 8, r#"^\{"\$message_type":"diagnostic""#),
    (Language::Bash, 7, r"^\S+: line \d+: |^bash: |^(?:/bin/)?sh: \d+: |^\S+\.sh: \d+: "),
];

static COMPILED: LazyLock<Vec<(Language, u32, Regex)>> = LazyLock::new(|| {
    MARKS.iter().map(|(language, weight, mark)| (*language, *weight, pattern(mark))).collect()
});

/// Lines of each mark that count; a long stack is no stronger than a short one.
const COUNTED: u32 = 3;

/// The language of a log; none where nothing in it looks like an error.
pub fn language(log: &Log) -> Option<Language> {
    let mut weights = [0u32; Language::ALL.len()];
    for (language, weight, mark) in COMPILED.iter() {
        let count = log.lines.iter().filter(|line| mark.is_match(line)).take(COUNTED as usize).count();
        let index = Language::ALL.iter().position(|other| other == language).unwrap_or_default();
        weights[index] += weight * count as u32;
    }
    let best = (0..weights.len()).max_by_key(|index| (weights[*index], usize::MAX - index))?;
    (weights[best] > 0).then(|| Language::ALL[best])
}
