//! What a run that passes proves: whether the command tests anything at all, and whether a patch may fit the failing test
//! alone.

use super::own::may_check;
use super::{Checks, FixRequest, Purpose};
use crate::CaseFile;
use formicary_diagnose::command::{Meaning, is_test_file};
use formicary_model::{Diagnosis, ErrorCategory, PatchEvidence, RankedPatch};
use regex::Regex;
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeSet;

/// Checks beyond which a constant that suits all of them is no coincidence.
const MANY_CHECKS: usize = 4;

/// Whether a run that passes shows more than that nothing was raised. A command that runs the program alone, without a
/// comparison of any result, is no test: nearly every change that skips the error would pass it.
pub(super) fn is_tested(request: &FixRequest, diagnosis: Option<&Diagnosis>) -> bool {
    if !request.cases.pairs.is_empty() || matches!(request.command.meaning, Meaning::PythonTests { .. }) {
        return true;
    }
    let run = run_files(request);
    if run.is_empty() {
        return true;
    }
    let main = diagnosis.and_then(Diagnosis::main);
    let category = main.map(|error| error.category);
    if category == Some(ErrorCategory::Assertion)
        || run.iter().any(|file| is_test_file(&file.path) || compares_results(&file.text))
    {
        return true;
    }
    // Who names a test command may check by other means than assertions: by exit codes and exceptions of its own.
    let by_its_own_will = matches!(category, None | Some(ErrorCategory::Raised | ErrorCategory::Other));
    let checks = |file: &&CaseFile| may_check(&file.text) && (!file.editable || by_its_own_will);
    request.purpose == Purpose::Tests && run.iter().any(checks)
}

/// The files that the command runs, as far as it names them; none where it starts the project's own tests.
fn run_files(request: &FixRequest) -> Vec<&CaseFile> {
    let files = &request.case.files;
    let shell = &request.command.shell;
    let words: Vec<&str> = shell
        .split(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | ';' | '(' | ')'))
        .map(|word| word.trim_start_matches("./"))
        .collect();
    let named: Vec<&CaseFile> = files.iter().filter(|file| words.contains(&file.path.as_str())).collect();
    let runs_all = ["go run ", "cargo run"].iter().any(|start| shell.contains(start));
    if named.is_empty() && (request.purpose == Purpose::Run || runs_all) {
        return files.iter().filter(|file| file.editable).collect();
    }
    named
}

/// Whether a text asserts what a call gives: `assert f(2) == 4`, `assert_eq!(f(2), 4)`, `expect(f(2)).toBe(4)`.
fn compares_results(text: &str) -> bool {
    let pattern = r"(?mi)\bassert\b[^\n]*?\w\([^\n]*?(?:==|!=|\bis\b|\bin\b)|\bassert[\w.]*(?:eq|ne)\w*!?\s*\([^\n]*\w\(|\bexpect\([^\n]*\)\s*\.\s*(?:not\s*\.\s*)?to";
    Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text))
}

/// Says of each patch what speaks for it, and why it may be wrong.
pub(super) fn weigh(request: &FixRequest, checks: Checks, patches: &mut [RankedPatch]) {
    let values = TestValues::of(request);
    let count = counted(request, checks);
    for patch in patches {
        let (evidence, caveat) = match values.fitted(request, checks, count, patch) {
            Some(value) => (
                PatchEvidence::FitsTheTestOnly,
                Some(format!("fits the test only, perhaps: it brings in {value}, a value of the tests")),
            ),
            None if count == Some(1) => (
                PatchEvidence::SingleTest,
                Some(
                    "one single check stands behind it: with more tests one would see whether it is right"
                        .into(),
                ),
            ),
            None => (PatchEvidence::Tests, None),
        };
        patch.evidence = evidence;
        patch.caveats.extend(caveat);
    }
}

/// Says that no test stands behind patches.
pub(super) fn suggest(patches: &mut [RankedPatch]) {
    for patch in patches {
        patch.evidence = PatchEvidence::Candidate;
        if let Some(verification) = &mut patch.verification {
            verification.verified = false;
        }
        // A guard goes around the error; where the bad value comes from stays as it is.
        if patch.origin.ends_with("-guard") {
            patch.caveats.push("hides the failure: the value that caused it is still there".into());
        }
    }
}

/// How many checks a patch passed: as they were counted, or as many assertions as the tests hold. Not known where tests
/// repeat one assertion for many values.
fn counted(request: &FixRequest, checks: Checks) -> Option<usize> {
    if !request.cases.pairs.is_empty() {
        return Some(request.cases.pairs.len());
    }
    if checks.passed.is_some() {
        return checks.passed;
    }
    // Rust's tests stand below the code that they test.
    let inline = request.case.files.iter().filter(|file| file.editable && file.path.ends_with(".rs"));
    let inline = inline.filter_map(|file| Some(file.text.split_once("#[cfg(test)]")?.1));
    let texts: Vec<&str> = test_files(request).map(|file| file.text.as_str()).chain(inline).collect();
    let repeats = ["for ", "for(", "while", ".each", ".forEach", "arametrize", ".json"];
    if texts.iter().any(|text| repeats.iter().any(|word| text.contains(word))) {
        return None;
    }
    let check = Regex::new(r"(?i)\b(?:assert|expect|throw|panic|fatal|errorf?|exit)[\w.!]*\s*\(").ok()?;
    let lines = texts.iter().flat_map(|text| text.lines());
    Some(lines.filter(|line| check.is_match(line) || line.trim_start().starts_with("assert ")).count())
        .filter(|count| *count > 0)
}

/// Files that hold tests, or their data.
fn test_files(request: &FixRequest) -> impl Iterator<Item = &CaseFile> {
    let shell = &request.command.shell;
    request.case.files.iter().filter(move |file| {
        let in_tests = file.path.split('/').any(|part| matches!(part, "test" | "tests" | "testdata"));
        let is_data = file.path.ends_with(".json") || file.path.ends_with(".jsonl");
        !file.editable
            && (in_tests || is_data || is_test_file(&file.path) || shell.contains(file.path.as_str()))
    })
}

/// The constants that the tests of a case hold: inputs and expected results.
struct TestValues(BTreeSet<String>);

impl TestValues {
    fn of(request: &FixRequest) -> Self {
        let mut values = BTreeSet::new();
        for file in test_files(request) {
            values.extend(constants(&file.text));
        }
        // Where program and tests stand in one file, the lines with assertions are the tests.
        for file in request.case.files.iter().filter(|file| file.editable) {
            let lines = file.text.lines().filter(|line| line.to_ascii_lowercase().contains("assert"));
            lines.for_each(|line| values.extend(constants(line)));
        }
        for text in request.cases.pairs.iter().flat_map(|(stdin, expected)| [stdin, expected]) {
            values.extend(text.split_whitespace().map(str::to_owned));
            values.extend(text.lines().map(|line| line.trim().to_owned()));
        }
        Self(values)
    }

    /// The value of the tests that a patch is made for, where it looks so.
    fn fitted(
        &self,
        request: &FixRequest,
        checks: Checks,
        count: Option<usize>,
        patch: &RankedPatch,
    ) -> Option<String> {
        let mut added = String::new();
        let mut removed = String::new();
        for file in &patch.files {
            let old = request.case.files.iter().find(|own| own.path == file.path);
            let diff = TextDiff::from_lines(old.map_or("", |own| own.text.as_str()), &file.text);
            for change in diff.iter_all_changes() {
                match change.tag() {
                    ChangeTag::Insert => added.push_str(change.value()),
                    ChangeTag::Delete => removed.push_str(change.value()),
                    ChangeTag::Equal => {}
                }
            }
        }
        if let Some(value) = self.special_case(&added, &removed) {
            return Some(value);
        }
        // A constant that several failing checks, or many checks in all, agree with is no coincidence.
        if checks.failing > 1 || count.is_some_and(|count| count >= MANY_CHECKS) {
            return None;
        }
        let before: Vec<String> = constants(&removed).collect();
        constants(&added).find(|value| !is_common(value) && !before.contains(value) && self.0.contains(value))
    }

    /// A result that is written down for one input (`if n == 7: return 30`), or for all of them (`return 30`).
    fn special_case(&self, added: &str, removed: &str) -> Option<String> {
        let constant = r#"("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|-?\b\d+(?:\.\d+)?\b)"#;
        let results = Regex::new(&format!(r"(?m)\breturn\s+{constant}\s*(?:;|\}}|\bif\b|$)")).ok()?;
        let given = |text: &str| -> Vec<String> {
            results.captures_iter(text).map(|found| plain(&found[1])).collect()
        };
        let before = given(removed);
        let result =
            given(added).into_iter().find(|value| self.0.contains(value) && !before.contains(value))?;
        let compared = Regex::new(&format!(r"\bif\b[^\n]*?(?:==\s*{constant}|{constant}\s*==)")).ok()?;
        let compared = |text: &str| -> Vec<String> {
            let values = compared.captures_iter(text);
            values
                .filter_map(|found| found.get(1).or(found.get(2)).map(|value| plain(value.as_str())))
                .collect()
        };
        let known = compared(removed);
        let guarded = compared(added).iter().any(|value| self.0.contains(value) && !known.contains(value));
        let constant_alone = removed.contains("return") && !added.contains("if ");
        (guarded || constant_alone).then_some(result)
    }
}

/// Constants that every second program holds.
fn is_common(value: &str) -> bool {
    matches!(value, "0" | "1" | "2" | "-1" | "0.0" | "1.0")
        || value.trim().len() < 2 && value.parse::<u8>().is_err()
}

/// The numbers and texts that are written down, without quotes.
fn constants(text: &str) -> impl Iterator<Item = String> {
    let pattern = Regex::new(r#""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\b\d+(?:\.\d+)?\b"#);
    let found: Vec<String> = match pattern {
        Ok(pattern) => pattern.find_iter(text).map(|found| plain(found.as_str())).collect(),
        Err(_) => Vec::new(),
    };
    found.into_iter()
}

fn plain(constant: &str) -> String {
    constant.trim_matches(['"', '\'']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Case;
    use crate::Cases;
    use formicary_diagnose::command::TestCommand;
    use formicary_model::{Language, PatchedFile};

    fn request(program: &str, test: &str, shell: &str, purpose: Purpose) -> FixRequest {
        let file =
            |path: &str, text: &str, editable| CaseFile { path: path.into(), text: text.into(), editable };
        let files = vec![file("app.py", program, true), file("test_app.py", test, false)];
        FixRequest {
            case: Case { language: Language::Python, files, evidence: None, suspects: Vec::new() },
            command: TestCommand::read(shell, &["app.py".into(), "test_app.py".into()]),
            purpose,
            cases: Cases::default(),
            seconds: 1.0,
            most_candidates: 1,
            most_patches: 1,
        }
    }

    #[test]
    fn a_command_that_compares_nothing_is_no_test() {
        let checked = "def f(n):\n    return n\n\n\nassert f(2) == 3\n";
        for (program, shell, purpose, tested) in [
            ("print(x)\n", "python3 app.py", Purpose::Run, false),
            ("print(x)\n", "python3 app.py", Purpose::Tests, false),
            ("assert isinstance(n, int)\nprint(x)\n", "python3 app.py", Purpose::Run, false),
            ("import sys\nsys.exit(main())\n", "python3 app.py", Purpose::Run, false),
            ("import sys\nsys.exit(main())\n", "python3 app.py", Purpose::Tests, true),
            ("print(x)\n", "python3 test_app.py", Purpose::Tests, true),
            ("print(x)\n", "python3 -m pytest", Purpose::Tests, true),
            ("print(x)\n", "make test", Purpose::Tests, true),
            ("print(x)\n", "/tmp/program", Purpose::Run, false),
            (checked, "python3 app.py", Purpose::Run, true),
        ] {
            let request = request(program, "", shell, purpose);
            assert_eq!(is_tested(&request, None), tested, "{program} {shell} {purpose:?}");
        }
        let mut expected = request("print(x)\n", "", "python3 app.py", Purpose::Run);
        expected.cases.pairs.push((String::new(), "1\n".into()));
        assert!(is_tested(&expected, None));
    }

    #[test]
    fn assertions_of_results_are_known_in_every_language() {
        for (line, compares) in [
            ("assert f(2) == 4", true),
            ("self.assertEqual(f(2), 4)", true),
            ("assert_eq!(f(2), 4);", true),
            ("assert(total(items, 2) == 3);", true),
            ("assert.strictEqual(total([1]), 1);", true),
            ("console.assert(total([1]) === 1);", true),
            ("expect(total([1])).toBe(1);", true),
            ("assert n > 0", false),
            ("assert isinstance(n, int)", false),
            ("assert(n > 0);", false),
            ("expected = total([1])", false),
        ] {
            assert_eq!(compares_results(line), compares, "{line}");
        }
    }

    #[test]
    fn patches_made_for_a_value_of_the_test_are_known() {
        use PatchEvidence::{FitsTheTestOnly, SingleTest, Tests};
        let program = "def price(count):\n    return count * 9\n";
        let one = "from app import price\nassert price(7) == 70\n";
        let five = "from app import price\nassert price(1) == 10\nassert price(2) == 20\nassert price(3) == 30\nassert price(4) == 40\nassert price(7) == 70\n";
        for (patched, test, evidence) in [
            ("def price(count):\n    return 70\n", one, FitsTheTestOnly),
            ("def price(count):\n    return count * 10\n", one, SingleTest),
            ("def price(count):\n    return count * 10\n", five, Tests),
            (
                "def price(count):\n    if count == 7:\n        return 70\n    return count * 9\n",
                five,
                FitsTheTestOnly,
            ),
            ("def price(count):\n    return 70 if count == 7 else count * 9\n", five, FitsTheTestOnly),
            (
                "def price(count):\n    if count == 5:\n        raise ValueError\n    return count * 10\n",
                five,
                Tests,
            ),
        ] {
            let mut request = request(program, test, "python3 test_app.py", Purpose::Tests);
            request.case.files[0].text = program.into();
            let mut patches = [RankedPatch {
                rank: 1,
                diff: String::new(),
                origin: String::new(),
                explanation: String::new(),
                confidence: 0.5,
                evidence: PatchEvidence::default(),
                caveats: Vec::new(),
                files: vec![PatchedFile { path: "app.py".into(), text: patched.into() }],
                verification: None,
            }];
            weigh(&request, Checks { failing: 1, passed: None }, &mut patches);
            assert_eq!(patches[0].evidence, evidence, "{patched} {test}");
            assert_eq!(patches[0].caveats.is_empty(), evidence == Tests);
        }
    }
}
