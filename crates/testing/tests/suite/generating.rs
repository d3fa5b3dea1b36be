//! Tests that are written: they pass, they reach the lines, they notice mutants; and what cannot be tested is said.

use super::ground::{project, run};
use formicary_model::{ExecutionRequest, GeneratedTests, TestStatus};
use formicary_testing::python::generate::{GenerationWanted, Style, generate};
use formicary_testing::python::mutate::{MutationWanted, mutate};
use formicary_testing::{TestRunner, Wanted};

const CALC: &str = r#"
import random

class Stack:
    def __init__(self, limit=3):
        self.items = []
        self.limit = limit

    def push(self, item):
        if len(self.items) >= self.limit:
            raise OverflowError("full")
        self.items.append(item)
        return len(self.items)

def grade(points: int) -> str:
    if points < 0 or points > 100:
        raise ValueError("points must be between 0 and 100")
    if points >= 90:
        return "A"
    return "B" if points >= 50 else "C"

def encode(text: str) -> str:
    return text.encode().hex()

def decode(text: str) -> str:
    return bytes.fromhex(text).decode()

def endless(number: int):
    while True:
        number += 1

def dice():
    return random.random()
"#;

fn generated(text: &str, style: Style, functions: &[&str]) -> GeneratedTests {
    let wanted = GenerationWanted {
        files: vec!["calc.py".into()],
        functions: functions.iter().map(|name| (*name).to_owned()).collect(),
        seconds: 8.0,
        style,
        workers: 1,
    };
    let files = [("calc.py", text)];
    let report = generate(&run, &ExecutionRequest::default(), &project(&files), &wanted).unwrap();
    report.files.into_iter().next().unwrap()
}

#[test]
fn written_tests_pass_and_notice_mutants() {
    let made = generated(CALC, Style::Unittest, &["grade", "Stack", "encode", "decode", "endless", "dice"]);
    assert!(made.text.contains("OverflowError") && made.text.contains("between 0 and 100"), "{}", made.text);
    assert!(made.text.contains("decode(encode(value))") && made.properties > 0, "{}", made.text);
    assert!(!made.text.contains("endless("), "what does not end has no test: {}", made.text);
    assert!(!made.text.contains("0."), "what differs from call to call has no test: {}", made.text);
    let files = [("calc.py", CALC), ("test_calc.py", made.text.as_str())];
    let base = ExecutionRequest::default();
    for _ in 0..3 {
        let report =
            TestRunner { run: &run, base: &base }.run_tests(&project(&files), &Wanted::default()).unwrap();
        assert!(report.passed, "{report:?}");
        assert!(report.tests.iter().all(|test| test.status == TestStatus::Passed));
    }
    let wanted = MutationWanted {
        files: vec!["calc.py".into()],
        framework: Some("unittest".into()),
        seconds: 100.0,
        most: 200,
        workers: 2,
        ..MutationWanted::default()
    };
    let report = mutate(&run, &base, &project(&files), &wanted).unwrap();
    assert_eq!(report.killed + report.timed_out + report.survived + report.not_covered, report.mutants);
    assert!(report.score > 0.8, "{report:?}");
    assert!(report.survivors.iter().all(|mutant| mutant.diff.contains("\n+")), "{report:?}");
}

#[test]
fn weak_tests_leave_survivors() {
    let test = "import unittest\nfrom calc import grade\nclass T(unittest.TestCase):\n    def test(self):\n        grade(95)\n";
    let files = [("calc.py", CALC), ("test_calc.py", test)];
    let wanted = MutationWanted {
        files: vec!["calc.py".into()],
        seconds: 60.0,
        most: 200,
        workers: 2,
        ..MutationWanted::default()
    };
    let report = mutate(&run, &ExecutionRequest::default(), &project(&files), &wanted).unwrap();
    assert!(report.score < 0.4 && report.not_covered > 0 && report.survived > 0, "{report:?}");
    let shown = report.survivors.iter().find(|mutant| mutant.diff.contains("return \"A\"")).unwrap();
    assert!(shown.diff.contains("-        return \"A\"\n+"), "{}", shown.diff);
}

#[test]
fn what_cannot_be_imported_says_so() {
    let made = generated("import nothing_like_this\ndef f(): pass\n", Style::Pytest, &[]);
    assert!(made.tests == 0 && made.notes[0].contains("nothing_like_this"), "{made:?}");
    let made = generated(CALC, Style::Pytest, &["missing"]);
    assert!(made.tests == 0 && made.notes[0].contains("nothing to test"), "{made:?}");
}
