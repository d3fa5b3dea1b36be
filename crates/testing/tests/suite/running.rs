//! One run of each framework on its project; every test by name with how it ended.

use super::ground::{is_there, made_by_test, program, project, run};
use super::projects;
use formicary_model::TestStatus::{self, Crashed, Errored, Failed, Passed, Skipped, TimedOut};
use formicary_model::{Environment, ExecutionRequest, TestReport};
use formicary_testing::{TestRunner, Wanted, junit_xml};

fn report(
    files: projects::Files,
    base: &ExecutionRequest,
    modules: Option<String>,
    seconds: Option<f64>,
) -> TestReport {
    let mut project = project(files);
    project.node_modules = modules;
    let wanted = Wanted { test_seconds: seconds, ..Wanted::default() };
    TestRunner { run: &run, base }.run_tests(&project, &wanted).unwrap()
}

/// Every test with its ending; those that failed or crashed say why.
fn check(report: &TestReport, framework: &str, expected: &[(&str, TestStatus)]) {
    assert_eq!(report.framework, framework);
    let mut found: Vec<(&str, TestStatus)> =
        report.tests.iter().map(|test| (test.name.as_str(), test.status)).collect();
    let mut expected = expected.to_vec();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{}\n{:?}", report.output, report.notes);
    assert!(!report.passed);
    for test in report.tests.iter().filter(|test| test.status.is_bad()) {
        assert!(test.message.is_some(), "{test:?}");
    }
    let again = junit_xml::read(&junit_xml::write(report));
    assert_eq!(again.len(), report.tests.len(), "all tests are in the XML");
    let failed = again.iter().filter(|test| test.status == Failed).count() as u64;
    assert_eq!(failed, report.totals.failed, "{again:?}");
}

fn place(report: &TestReport, name: &str) -> String {
    let test = report.tests.iter().find(|test| test.name == name).unwrap();
    test.place.as_ref().map(|place| format!("{}:{}", place.file, place.line)).unwrap_or_default()
}

#[test]
fn pytest_is_read() {
    let Some(venv) = made_by_test("FORMICARY_TEST_VENV", "bin/pytest", "pytest_is_read") else { return };
    let base = ExecutionRequest {
        environment: Environment { venv: Some(venv), ..Environment::default() },
        ..ExecutionRequest::default()
    };
    let report = report(projects::PYTEST, &base, None, Some(1.0));
    check(
        &report,
        "pytest",
        &[
            ("test_broken.py", Errored),
            ("test_add", Passed),
            ("test_wrong", Failed),
            ("test_error", Errored),
            ("test_skip", Skipped),
            ("test_slow", TimedOut),
            ("test_crash", Crashed),
            ("test_exit", Crashed),
            ("test_param[1]", Passed),
            ("test_param[2]", Passed),
        ],
    );
    assert_eq!(place(&report, "test_wrong"), "test_calc.py:10");
}

#[test]
fn unittest_is_read_without_any_package() {
    let report = report(projects::UNITTEST, &ExecutionRequest::default(), None, Some(1.0));
    check(
        &report,
        "unittest",
        &[
            ("S)", Errored),
            ("test_bad", Failed),
            ("test_crash", Crashed),
            ("test_err", Errored),
            ("test_ok", Passed),
            ("test_skip", Skipped),
            ("test_slow", TimedOut),
            ("test_sub", Failed),
        ],
    );
    assert_eq!(place(&report, "test_err"), "test_u.py:5");
}

#[test]
fn coverage_of_python_names_the_lines_that_are_missed() {
    let files = [
        ("calc.py", "def f(a):\n    if a:\n        return 1\n    return 2\n"),
        (
            "test_f.py",
            "import unittest, calc\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(calc.f(1), 1)\n",
        ),
    ];
    let wanted = Wanted { coverage: true, ..Wanted::default() };
    let base = ExecutionRequest::default();
    let report = TestRunner { run: &run, base: &base }.run_tests(&project(&files), &wanted).unwrap();
    assert!(report.passed, "{report:?}");
    let [file] = report.coverage.as_slice() else { panic!("{:?}", report.coverage) };
    assert_eq!((file.file.as_str(), file.lines, file.covered, &file.missed[..]), ("calc.py", 4, 3, &[4][..]));
}

#[test]
fn a_test_that_meets_the_recursion_limit_takes_no_coverage_from_the_next() {
    let files = [
        ("calc.py", "def deep(n):\n    return deep(n + 1)\ndef add(a, b):\n    c = a + b\n    return c\n"),
        (
            "test_f.py",
            "import unittest, calc\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertRaises(RecursionError, calc.deep, 0)\n    def test_b(self):\n        self.assertEqual(calc.add(1, 2), 3)\n",
        ),
    ];
    let wanted = Wanted { coverage: true, ..Wanted::default() };
    let base = ExecutionRequest::default();
    let report = TestRunner { run: &run, base: &base }.run_tests(&project(&files), &wanted).unwrap();
    assert!(report.passed, "{report:?}");
    let [file] = report.coverage.as_slice() else { panic!("{:?}", report.coverage) };
    assert_eq!((file.lines, file.covered), (5, 5), "{file:?}");
}

/// Everything in it runs, some of it where no further call is left.
const AT_THE_LIMIT: &str = "def deep(n):\n    try:\n        return deep(n + 1)\n    except RecursionError:\n        found = n\n        if found > 10:\n            found = 10\n        return found\ndef forever(n):\n    return forever(n + 1)\ndef top():\n    try:\n        return forever(0)\n    except RecursionError:\n        message = 'caught'\n        message += '!'\n        return message\ndef by_key(n):\n    try:\n        return sorted([1], key=lambda one: by_key(n + 1))\n    except RecursionError:\n        n = -n\n        return n\ndef close():\n    done = []\n    try:\n        return forever(0)\n    except ValueError:\n        return 'never'\n    finally:\n        done.append(1)\n";
const ITS_TESTS: &str = "import unittest, calc\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual((calc.deep(0), calc.top(), calc.by_key(0)), (10, 'caught!', [1]))\n    def test_b(self):\n        self.assertRaises(RecursionError, calc.close)\n";

#[test]
fn what_runs_at_the_recursion_limit_is_covered() {
    let files = [("calc.py", AT_THE_LIMIT), ("test_f.py", ITS_TESTS)];
    let base = ExecutionRequest::default();
    let runner = TestRunner { run: &run, base: &base };
    let wanted = Wanted { coverage: true, ..Wanted::default() };
    let report = runner.run_tests(&project(&files), &wanted).unwrap();
    assert!(report.passed, "{report:?}");
    let [file] = report.coverage.as_slice() else { panic!("{:?}", report.coverage) };
    // `except ValueError` is asked, its body never runs.
    let never = AT_THE_LIMIT.lines().position(|line| line.contains("never")).unwrap() as u32 + 1;
    assert_eq!(file.missed, [never], "{file:?}");
}

#[test]
fn coverage_of_go_and_javascript_names_the_lines_that_are_missed() {
    let test = "coverage_of_go_and_javascript_names_the_lines_that_are_missed";
    let script = "function f(a) {\n  if (a) {\n    return 1;\n  }\n  // else\n  return 2;\n}\nmodule.exports = { f };\n";
    let go: projects::Files = &[
        ("go.mod", "module example.com/calc\n\ngo 1.19\n"),
        ("calc.go", "package calc\n\nfunc F(a int) int {\n\tif a > 0 {\n\t\treturn 1\n\t}\n\treturn 2\n}\n"),
        (
            "calc_test.go",
            "package calc\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\tif F(1) != 1 {\n\t\tt.Fatal()\n\t}\n}\n",
        ),
    ];
    let node = [
        ("calc.js", script),
        (
            "calc.test.mjs",
            "import test from \"node:test\";\nimport calc from \"./calc.js\";\ntest(\"f\", () => { calc.f(1); });\n",
        ),
    ];
    let jest = [
        ("package.json", "{\"devDependencies\":{\"jest\":\"29\"}}\n"),
        ("calc.js", script),
        ("calc.test.js", "const { f } = require(\"./calc\");\ntest(\"f\", () => { f(1); });\n"),
    ];
    let mut cases = vec![("go", go, None, "calc.go", 7), ("node", &node[..], None, "calc.js", 6)];
    if let Some(folder) = made_by_test("FORMICARY_TEST_NODE", "node_modules/jest", test) {
        cases.push(("jest", &jest[..], Some(format!("{folder}/node_modules")), "calc.js", 6));
    }
    for (framework, files, modules, file, missed) in cases {
        let mut project = project(files);
        project.node_modules = modules;
        let wanted = Wanted { coverage: true, ..Wanted::default() };
        let base = ExecutionRequest::default();
        let report = TestRunner { run: &run, base: &base }.run_tests(&project, &wanted).unwrap();
        assert!(report.passed && report.framework == framework, "{report:?}");
        let [told] = report.coverage.as_slice() else { panic!("{framework}: {:?}", report.coverage) };
        assert_eq!((told.file.as_str(), &told.missed[..]), (file, &[missed][..]), "{framework}");
        assert_eq!(told.covered + 1, told.lines, "{framework}");
    }
}

/// The time of the whole suite ends while a test runs: that test is named. Building takes long on a busy machine.
#[test]
fn cargo_names_the_test_that_does_not_end() {
    if std::env::var_os("FORMICARY_LONG").is_none_or(|value| value == "0") {
        return;
    }
    let files = [
        ("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        (
            "src/lib.rs",
            "#[test]\nfn a() {}\n#[test]\nfn b() { std::thread::sleep(std::time::Duration::from_secs(600)); }\n",
        ),
    ];
    let base = ExecutionRequest::default();
    let wanted = Wanted { seconds: Some(60.0), ..Wanted::default() };
    let report = TestRunner { run: &run, base: &base }.run_tests(&project(&files), &wanted).unwrap();
    check(&report, "cargo", &[("a", Passed), ("b", TimedOut)]);
}

#[test]
fn node_is_read() {
    let report = report(projects::NODE, &ExecutionRequest::default(), None, None);
    check(
        &report,
        "node",
        &[
            ("adds", Passed),
            ("wrong", Failed),
            ("throws", Errored),
            ("later", Skipped),
            ("slow", TimedOut),
            ("group > inner", Passed),
            ("group > inner bad", Failed),
            ("(the whole file)", Crashed),
        ],
    );
    assert_eq!(place(&report, "wrong"), "a.test.mjs:4");
}

#[test]
fn jest_and_vitest_are_read() {
    let name = "jest_and_vitest_are_read";
    let Some(folder) = made_by_test("FORMICARY_TEST_NODE", "node_modules/jest", name) else { return };
    let modules = Some(format!("{folder}/node_modules"));
    let common = [
        ("adds", Passed),
        ("wrong", Failed),
        ("later", Skipped),
        ("slow", TimedOut),
        ("group > inner", Passed),
        ("(the whole file)", Errored),
    ];
    let jest = report(projects::JEST, &ExecutionRequest::default(), modules.clone(), None);
    check(&jest, "jest", &[&common[..], &[("throws", Errored), ("(the whole file)", Crashed)]].concat());
    assert_eq!(place(&jest, "wrong"), "a.test.js:2");
    let vitest = report(projects::VITEST, &ExecutionRequest::default(), modules, None);
    check(&vitest, "vitest", &[&common[..], &[("throws", Failed), ("kills", Crashed)]].concat());
    assert_eq!(place(&vitest, "wrong"), "a.test.js:3");
}

#[test]
fn go_is_read() {
    let report = report(projects::GO, &ExecutionRequest::default(), None, Some(2.0));
    check(
        &report,
        "go",
        &[
            ("TestAdd", Passed),
            ("TestWrong", Failed),
            ("TestSkip", Skipped),
            ("TestSub/a", Passed),
            ("TestSub/b", Failed),
            ("TestSlow", TimedOut),
            ("TestBoom", Crashed),
            ("(build)", Errored),
        ],
    );
    assert_eq!(place(&report, "TestWrong"), "calc_test.go:5");
}

#[test]
fn cargo_is_read() {
    let report = report(projects::CARGO, &ExecutionRequest::default(), None, None);
    check(
        &report,
        "cargo",
        &[
            ("tests::adds", Passed),
            ("tests::wrong", Failed),
            ("tests::later", Skipped),
            ("tests::aborts", Crashed),
            ("tests::panics", Passed),
            ("tests::zeros", Passed),
            ("src/lib.rs - add (line 1)", Passed),
        ],
    );
    assert_eq!(place(&report, "tests::wrong"), "src/lib.rs:8");
}

#[test]
fn nextest_is_read() {
    let Some(program) = program("cargo-nextest", "nextest_is_read") else { return };
    let mut files = projects::CARGO.to_vec();
    files.push((".config/nextest.toml", ""));
    files.push((
        "tests/slow.rs",
        "#[test]\nfn sleeps() { std::thread::sleep(std::time::Duration::from_secs(60)); }\n",
    ));
    let base = ExecutionRequest::default();
    let report_of = |files: &[(&str, &str)], wanted: &Wanted| {
        let mut project = project(files);
        project.nextest = Some(program.clone());
        TestRunner { run: &run, base: &base }.run_tests(&project, wanted).unwrap()
    };
    let report = report_of(&files, &Wanted { test_seconds: Some(2.0), ..Wanted::default() });
    check(
        &report,
        "nextest",
        &[
            ("tests::adds", Passed),
            ("tests::wrong", Failed),
            ("tests::later", Skipped),
            ("tests::aborts", Crashed),
            ("tests::panics", Passed),
            ("tests::zeros", Passed),
            ("sleeps", TimedOut),
        ],
    );
    assert_eq!(place(&report, "tests::wrong"), "src/lib.rs:8");
    assert!(report.tests.iter().all(|test| test.status == Skipped || test.seconds.is_some()), "{report:?}");
    let broken: projects::Files = &[
        ("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\n"),
        ("src/lib.rs", "fn f() -> i32 { \"\" }\n"),
    ];
    let wanted = Wanted { framework: Some("nextest".into()), ..Wanted::default() };
    check(&report_of(broken, &wanted), "nextest", &[("(build)", Errored)]);
}

#[test]
fn cargo_tells_what_does_not_build() {
    let files: projects::Files = &[
        ("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\n"),
        ("src/lib.rs", "fn f() -> i32 { \"\" }\n"),
    ];
    let report = report(files, &ExecutionRequest::default(), None, None);
    check(&report, "cargo", &[("(build)", Errored)]);
    assert_eq!(place(&report, "(build)"), "src/lib.rs:1");
}

#[test]
fn junit_is_read() {
    if !is_there("/usr/share/java/junit4.jar", "junit_is_read") {
        return;
    }
    let common = [
        ("adds", Passed),
        ("wrong", Failed),
        ("error", Errored),
        ("slow", TimedOut),
        ("ignored", Skipped),
        ("exits", Crashed),
    ];
    let four = report(projects::JUNIT4, &ExecutionRequest::default(), None, None);
    check(&four, "junit", &common);
    assert_eq!(place(&four, "wrong"), "CalcTest.java:5");
    if !is_there("/usr/share/java/junit-jupiter-api.jar", "junit_is_read") {
        return;
    }
    let five = report(projects::JUNIT5, &ExecutionRequest::default(), None, None);
    let twice = [("twice repetition 1 of 2", Passed), ("twice repetition 2 of 2", Passed)];
    check(&five, "junit", &[&common[..], &twice].concat());
    assert_eq!(place(&five, "wrong"), "src/test/java/CalcTest.java:6");
}

#[test]
fn ctest_is_read() {
    if !is_there("/usr/bin/ctest", "ctest_is_read") {
        return;
    }
    let report = report(projects::CTEST, &ExecutionRequest::default(), None, None);
    check(
        &report,
        "ctest",
        &[
            ("adds", Passed),
            ("wrong", Failed),
            ("crashes", Crashed),
            ("slow", TimedOut),
            ("later", Skipped),
            ("missing", Errored),
        ],
    );
}

#[test]
fn what_is_no_project_is_refused_with_a_remedy() {
    let base = ExecutionRequest::default();
    let runner = TestRunner { run: &run, base: &base };
    let none = runner.run_tests(&project(&[("README", "nothing")]), &Wanted::default()).unwrap_err();
    assert!(none.hint.is_some_and(|hint| hint.contains("--framework")), "{}", none.message);
    let wanted = Wanted { framework: Some("pytes".into()), ..Wanted::default() };
    let wrong = runner.run_tests(&project(projects::UNITTEST), &wanted).unwrap_err();
    assert_eq!(wrong.hint.as_deref(), Some("did you mean pytest?"));
}
