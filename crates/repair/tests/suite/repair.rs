//! The loop on real programs in the real sandbox: a few that can be mended, one that is right, some that are hostile.
use crate::NATIVE;
use formicary_diagnose::command::TestCommand;
use formicary_execution::Live;
use formicary_model::{ExecutionRequest, FixReport, FixStatus, Language, PatchEvidence};
use formicary_repair::Cases;
use formicary_repair::remedies::Remedies;
use formicary_repair::{Case, CaseFile};
use formicary_repair::{Debugger, FixRequest, Purpose};
use std::time::{Duration, Instant};

fn fix(language: Language, files: &[(&str, &str)], shell: &str, cases: Cases, seconds: f64) -> FixReport {
    fix_for(Purpose::Tests, language, files, shell, cases, seconds)
}

fn fix_for(
    purpose: Purpose,
    language: Language,
    files: &[(&str, &str)],
    shell: &str,
    cases: Cases,
    seconds: f64,
) -> FixReport {
    let files: Vec<CaseFile> = files
        .iter()
        .enumerate()
        .map(|(index, (path, text))| CaseFile {
            path: (*path).into(),
            text: (*text).into(),
            editable: index == 0,
        })
        .collect();
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let run = |request: ExecutionRequest| NATIVE.execute(request, Live::default());
    let debugger = Debugger {
        run: &run,
        base: &ExecutionRequest::default(),
        strategies: if purpose == Purpose::Run { vec![Box::new(Remedies)] } else { Vec::new() },
        workers: 2,
        watch: &|_| {},
    };
    let mut request = FixRequest {
        case: Case { language, files, evidence: None, suspects: Vec::new() },
        command: TestCommand::read(shell, &paths),
        purpose,
        cases,
        seconds,
        most_candidates: 20_000,
        most_patches: 3,
    };
    debugger.fix(&mut request).unwrap()
}

fn python(program: &str, test: &str, shell: &str) -> FixReport {
    let files = [("program.py", program), ("test_program.py", test)];
    fix(Language::Python, &files, shell, Cases::default(), 60.0)
}

const SUM: &str =
    "def total(items):\n    result = 0\n    for item in items:\n        result -= item\n    return result\n";

#[test]
fn python_is_mended_whatever_form_its_tests_have() {
    let right = SUM.replace("-=", "+=");
    let asserts = "from program import total\n\nassert total([]) == 0\nassert total([1, 2]) == 3\n";
    let functions = "import pytest\nfrom program import total\n\n\
                     @pytest.mark.parametrize('items,sum', [([], 0), ([1, 2], 3)])\n\
                     def test_total(items, sum):\n    assert total(items) == sum\n";
    let classes = "import unittest\nfrom program import total\n\n\nclass TotalTest(unittest.TestCase):\n    \
                   def test_total(self):\n        self.assertEqual(total([1, 2]), 3)\n        \
                   self.assertEqual(total([]), 0)\n\n\nif __name__ == '__main__':\n    unittest.main()\n";
    for (test, shell) in [
        (asserts, "python3 test_program.py"),
        (functions, "python3 -m pytest test_program.py"),
        (classes, "python3 -m unittest test_program"),
        (classes, "python3 test_program.py"),
        (asserts, "env python3 test_program.py"),
    ] {
        let report = python(SUM, test, shell);
        assert_eq!(report.status, FixStatus::Fixed, "{shell}: {report:#?}");
        assert_eq!(report.patches[0].files[0].text, right, "{shell}: {}", report.patches[0].diff);
        let verification = report.patches[0].verification.as_ref().unwrap();
        assert!(verification.verified && !verification.flaky && !verification.before.passed);
    }
}

#[test]
fn program_and_tests_may_stand_in_one_file() {
    let text = format!(
        "{SUM}\n\ndef check(candidate):\n    assert candidate([1, 2]) == 3\n    assert candidate([]) == 0\n\n\ncheck(total)\n"
    );
    let report = fix(Language::Python, &[("all.py", &text)], "python3 all.py", Cases::default(), 60.0);
    assert_eq!(report.patches[0].files[0].text, text.replace("-=", "+="));
}

#[test]
fn an_expected_output_is_a_test() {
    let program = "number = int(input())\nprint(number + 3)\n";
    let pairs = vec![("4\n".into(), "12\n".into()), ("5\n".into(), "15\n".into())];
    let report = fix(Language::Python, &[("triple.py", program)], "python3 triple.py", Cases { pairs }, 60.0);
    assert_eq!(report.patches[0].files[0].text, program.replace('+', "*"));
}

#[test]
fn a_program_that_is_right_stays_as_it_is() {
    let report = python(
        &SUM.replace("-=", "+="),
        "from program import *\nassert total([1]) == 1\n",
        "python3 test_program.py",
    );
    assert_eq!((report.status, report.patches.len(), report.candidates), (FixStatus::NothingWrong, 0, 0));
}

#[test]
fn a_command_that_does_not_exist_is_named() {
    let report = python(SUM, "", "no-such-command");
    assert_eq!(report.status, FixStatus::NotFixed);
    assert!(report.notes.iter().any(|note| note.contains("not found")), "{:?}", report.notes);
}

#[test]
fn a_test_file_that_is_not_there_is_named_and_nothing_is_searched() {
    let report = python(SUM, "", "python3 tests/elsewhere.py");
    assert_eq!((report.status, report.candidates), (FixStatus::NotFixed, 0));
    assert!(report.notes.iter().any(|note| note.contains("tests/elsewhere.py")), "{:?}", report.notes);
}

#[test]
fn hostile_programs_do_not_stall_the_loop() {
    let test = "from program import act\nassert act(1) == 1\n";
    for body in [
        "import os\n    while True:\n        os.fork()",
        "import os, signal\n    os.kill(-1, signal.SIGKILL)",
        "import os, signal\n    os.kill(os.getppid(), signal.SIGKILL)",
        "import time\n    time.sleep(1000)",
        "while True:\n        print('x' * 100000)",
        "return [0] * (1 << 40)",
        "try:\n        while True:\n            pass\n    except BaseException:\n        act(value)",
    ] {
        let started = Instant::now();
        let program = format!("def act(value):\n    {body}\n");
        let files = [("program.py", program.as_str()), ("test_program.py", test)];
        let report = fix(Language::Python, &files, "python3 test_program.py", Cases::default(), 4.0);
        assert_ne!(report.status, FixStatus::NothingWrong, "{body}");
        // Generous: the budget, a few sandboxes under way when it ended, and a busy host.
        assert!(started.elapsed() < Duration::from_secs(120), "{body}");
    }
}

#[test]
fn javascript_is_mended_in_one_node() {
    let program = "function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum -= item;\n  }\n  return sum;\n}\n\nmodule.exports = { total };\n";
    let test = "const assert = require('assert');\nconst { total } = require('./program');\nassert.strictEqual(total([1, 2]), 3);\nassert.strictEqual(total([]), 0);\n";
    let files = [("program.js", program), ("test.js", test)];
    let report = fix(Language::JavaScript, &files, "node test.js", Cases::default(), 60.0);
    assert_eq!(report.patches[0].files[0].text, program.replace("-=", "+="), "{report:#?}");
}

#[test]
fn java_is_mended_in_one_virtual_machine() {
    let program = "public class Total {\n    static int total(int[] items) {\n        int sum = 0;\n        for (int item : items) {\n            sum -= item;\n        }\n        return sum;\n    }\n}\n";
    let test = "public class Main {\n    public static void main(String[] args) {\n        if (Total.total(new int[] {1, 2}) != 3) {\n            throw new AssertionError();\n        }\n    }\n}\n";
    let files = [("Total.java", program), ("Main.java", test)];
    let report = fix(
        Language::Java,
        &files,
        "javac -d . Total.java Main.java && java -ea Main",
        Cases::default(),
        90.0,
    );
    assert_eq!(report.patches[0].files[0].text, program.replace("-=", "+="), "{report:#?}");
}

/// Modules that the interpreter loads from shared libraries are found by the runner and by the judge, too.
#[test]
fn extensions_of_the_interpreter_are_found() {
    let program = format!("import decimal\nimport unicodedata\n\nNAME = unicodedata.name('a')\n\n\n{SUM}");
    let test = "from decimal import Decimal\nfrom program import total\n\n\ndef test_total():\n    assert total([Decimal(1), 2]) == 3\n";
    let report = python(&program, test, "python3 -m pytest test_program.py");
    assert_eq!(report.status, FixStatus::Fixed, "{report:?}");
}

#[test]
fn compiled_programs_are_mended_with_many_candidates_in_one_build() {
    let c = "int total(int *items, int count) {\n    int sum = 0;\n    for (int i = 0; i < count; i++) {\n        sum -= items[i];\n    }\n    return sum;\n}\n";
    let c_test = "#include <assert.h>\n#include \"program.c\"\nint main(void) {\n    int items[] = {1, 2};\n    assert(total(items, 0) == 0);\n    assert(total(items, 2) == 3);\n    return 0;\n}\n";
    let rust = "pub fn total(items: &[i32]) -> i32 {\n    let mut sum = 0;\n    for item in items {\n        sum -= item;\n    }\n    sum\n}\n";
    let rust_test = "mod program;\nfn main() {\n    assert_eq!(program::total(&[]), 0);\n    assert_eq!(program::total(&[1, 2]), 3);\n}\n";
    let go = "package main\n\nfunc total(items []int) int {\n\tsum := 0\n\tfor _, item := range items {\n\t\tsum -= item\n\t}\n\treturn sum\n}\n";
    let go_test =
        "package main\n\nfunc main() {\n\tif total([]int{1, 2}) != 3 {\n\t\tpanic(\"total\")\n\t}\n}\n";
    for (language, files, shell) in [
        (Language::C, [("program.c", c), ("main.c", c_test)], "gcc -o /tmp/p main.c && /tmp/p"),
        (Language::Rust, [("program.rs", rust), ("main.rs", rust_test)], "rustc -o /tmp/p main.rs && /tmp/p"),
        (Language::Go, [("program.go", go), ("main.go", go_test)], "go run program.go main.go"),
    ] {
        let report = fix(language, &files, shell, Cases::default(), 90.0);
        assert_eq!(report.status, FixStatus::Fixed, "{shell}: {report:#?}");
        assert_eq!(report.patches[0].files[0].text, files[0].1.replace("-=", "+="), "{shell}");
        // The line was found by what the failing check ran, and more than a few candidates were judged.
        assert!(report.suspects.iter().any(|line| line.path == files[0].0), "{shell}: {:?}", report.suspects);
        assert!(report.candidates > 20, "{shell}: {}", report.candidates);
    }
}

/// A run without tests proves that nothing was raised, and nothing more: only remedies for the diagnosed error are shown.
#[test]
fn without_tests_only_rules_propose_and_nothing_is_called_fixed() {
    for (language, name, program, shell, right) in [
        (Language::Python, "main.py", "print(lenght([1]))\n", "python3 main.py", Some("print(len([1]))\n")),
        (
            Language::Python,
            "main.py",
            "import sys\n\n\ndef main():\n    return summ([1, 2])\n\n\nmain()\nsys.exit(0)\n",
            "python3 main.py",
            Some("import sys\n\n\ndef main():\n    return sum([1, 2])\n\n\nmain()\nsys.exit(0)\n"),
        ),
        // No rule knows what was meant; a search would drop the call.
        (Language::Python, "main.py", "print(frobnicate([1]))\n", "python3 main.py", None),
        (Language::JavaScript, "main.js", "console.log(frobnicate([1]));\n", "node main.js", None),
    ] {
        for purpose in [Purpose::Run, Purpose::Tests] {
            let files = [(name, program)];
            let report = fix_for(purpose, language, &files, shell, Cases::default(), 30.0);
            assert!(
                report.notes.iter().any(|note| note.contains("no test")),
                "{program}: {:?}",
                report.notes
            );
            let texts: Vec<&str> = report.patches.iter().map(|patch| patch.files[0].text.as_str()).collect();
            match right.filter(|_| purpose == Purpose::Run) {
                Some(right) => {
                    assert_eq!(report.status, FixStatus::Suggested, "{report:#?}");
                    assert_eq!(texts.first(), Some(&right), "{texts:?}");
                }
                None => assert_eq!(report.status, FixStatus::NotFixed, "{program}: {texts:?}"),
            }
            for patch in &report.patches {
                assert_eq!(patch.evidence, PatchEvidence::Candidate);
                assert!(!patch.verification.as_ref().unwrap().verified);
                assert!(patch.origin.starts_with("rules/"), "{}", patch.origin);
            }
        }
    }
}

#[test]
fn a_patch_for_the_values_of_one_test_says_so() {
    // One failing check: whatever gives 30 passes.
    let program = "def price(count):\n    return 31\n";
    let test = "from program import price\n\n\ndef test_price():\n    assert price(3) == 30\n";
    let report = python(program, test, "python3 -m pytest test_program.py");
    assert_eq!(report.status, FixStatus::Fixed, "{report:#?}");
    let patch = &report.patches[0];
    assert!(!patch.evidence.is_strong(), "{patch:#?}");
    assert_eq!(patch.caveats.len(), 1, "{patch:#?}");

    // Several checks, and no value of theirs in the patch.
    let test = "from program import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n    assert total([]) == 0\n";
    let report = python(SUM, test, "python3 -m pytest test_program.py");
    assert_eq!(report.patches[0].evidence, PatchEvidence::Tests, "{:#?}", report.patches[0]);
    assert!(report.patches[0].caveats.is_empty());
}
