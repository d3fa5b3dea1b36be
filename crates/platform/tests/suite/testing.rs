//! Tests of a project that is shown to the sandbox and not carried: it is read, laid out and left as it was.

use super::agent::Bench;
use formicary_model::use_case::{Code, Number};
use formicary_model::{GenerateTestsInput, RunTestsInput, TestStyle};
use formicary_platform::local_caller;
use formicary_platform::policy::Policy;
use formicary_platform::testing::{GenerateTests, RunTests};
use formicary_platform::use_case::Context;
use formicary_testkit::models::{Play, Spoken};
use std::os::unix::fs::{PermissionsExt as _, symlink};

const TEST: &str = "\
import os, pathlib, unittest

class T(unittest.TestCase):
    def test_reads(self):
        self.assertEqual(pathlib.Path('data/linked.txt').read_text(), 'data')

    def test_writes_only_its_copy(self):
        pathlib.Path('new.txt').write_text('x')
        with self.assertRaises(OSError):
            pathlib.Path('/project/new.txt').write_text('x')
";

/// A link makes the project one that is shown, and its folder is closed to all but its owner: for root's sandboxes, whose user
/// is nobody on the host, too.
#[test]
fn a_closed_folder_can_be_tested() {
    let bench = Bench::new("openai", Vec::new(), &[]);
    let folder = bench.folder(&[("test_it.py", TEST), ("data/real.txt", "data")]);
    symlink("real.txt", folder.join("data/linked.txt")).unwrap();
    for path in [folder.clone(), folder.join("data")] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).unwrap();
    }
    std::fs::set_permissions(folder.join("test_it.py"), std::fs::Permissions::from_mode(0o600)).unwrap();
    let context = Context::new(local_caller(), Policy::local(folder.clone()));
    let input = RunTestsInput { framework: Some("unittest".into()), ..RunTestsInput::default() };
    let report = bench.platform.perform::<RunTests>(&context, input).unwrap();
    assert!(report.passed && report.totals.passed == 2, "{report:?}");
    assert!(!folder.join("new.txt").exists());
}

const GRADE: &str = "\
def grade(points):
    if points == 4217:
        return 'secret'
    return 'A' if points >= 90 else 'B'
";

/// What the model proposes: right and new, right but not new, wrong, not always right, in need of a fixture.
const PROPOSED: &str = "Here they are.\n```python
import os
from calc import grade

def test_secret():
    assert grade(4217) == 'secret'

def test_secret_again():
    assert grade(4217) == 'secret'

def test_wrong():
    assert grade(1) == 'A'

def test_sometimes():
    assert os.environ['PYTHONHASHSEED'] == '1'

def test_fixture(tmp_path):
    assert grade(1) == 'B'
```
";

#[test]
fn a_models_tests_pass_the_same_filter() {
    let say = |text: &str| Play::Say(Spoken::text(text));
    let bench = Bench::new(
        "openai",
        vec![say("```python\ndef test_x(:\n```"), say(PROPOSED)],
        &[("llm.retries", "0")],
    );
    let folder = bench.folder(&[("calc.py", GRADE)]);
    let context = Context::new(local_caller(), Policy::local(folder));
    let input = GenerateTestsInput {
        code: Code { paths: vec!["calc.py".into()], ..Code::default() },
        seconds: Number::new(3.0).unwrap(),
        workers: Some(1),
        ..GenerateTestsInput::default()
    };
    let generate = |style: TestStyle, model: &str| {
        let input = GenerateTestsInput { style, model: Some(model.to_owned()), ..input.clone() };
        bench.platform.perform::<GenerateTests>(&context, input)
    };
    let report = generate(TestStyle::Pytest, "openai:scripted-1").unwrap();
    let [made] = report.files.as_slice() else { panic!("{report:?}") };
    assert!(made.notes[0].contains("not Python"), "{:?}", made.notes);
    let told = "1 of 5 tests of the model's were kept; 1 did not pass, 1 not always, 1 told nothing new, 1 could not be run";
    // Where our own search finds the number by itself, the model's test is nothing new.
    let found = told.replace("1 of 5", "0 of 5").replace("1 told", "2 told");
    assert!(made.notes[1] == told || made.notes[1] == found, "{:?}", made.notes);
    assert_eq!(made.text.matches("grade(4217)").count(), 1, "{}", made.text);
    assert!(!made.text.contains("test_wrong") && !made.text.contains("test_sometimes"));
    let asked = bench.asked();
    assert!(
        asked[0].contains("<data source=\"calc.py\">") && asked[1].contains("were not taken"),
        "{asked:?}"
    );
    // A model that cannot be asked costs nothing of what was written without it.
    let report = generate(TestStyle::Pytest, "openai:scripted-1").unwrap();
    let last = &report.files[0];
    assert!(last.tests > 0 && last.notes[0].contains("could not be asked"), "{:?}", last.notes);
    assert!(generate(TestStyle::Unittest, "openai:scripted-1").unwrap_err().message.contains("for pytest"));
    assert!(generate(TestStyle::Pytest, "abacus:7").unwrap_err().message.contains("names no model"));
}
