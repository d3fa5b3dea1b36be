//! Commands of a caller's own in a project: the tools that they need, the packages beside the sources, the error that is read.

use crate::agent::Bench;
use formicary_model::use_case::{Code, Number};
use formicary_model::{
    DiagnoseInput, DiagnoseReport, ErrorCategory, ExecutionRequest, FixInput, FixStatus, Source, SourceFile,
    Status,
};
use formicary_platform::Live;
use formicary_platform::debugging::{Diagnose, Fix};
use formicary_testkit::skips::Skips;
use std::path::Path;

pub(crate) static SKIPS: Skips = Skips::new();

fn request(bench: &Bench, files: &[(&str, &str)], command: &str) -> ExecutionRequest {
    let file = |(path, text): &(&str, &str)| SourceFile {
        path: (*path).into(),
        content: text.as_bytes().to_vec(),
        executable: false,
    };
    let mut request = bench.platform.new_request();
    request.source = Source::Files { files: files.iter().map(file).collect(), entry: None };
    request.command = Some(["/bin/sh", "-c", command].map(str::to_owned).to_vec());
    request
}

fn diagnose(bench: &Bench, root: &Path, files: &[(&str, &str)], command: &str) -> DiagnoseReport {
    let mut program = request(bench, files, command);
    bench.platform.complete(root, &mut program);
    bench.platform.perform::<Diagnose>(&bench.context(), DiagnoseInput { program, text: None }).unwrap()
}

pub(crate) fn is_here(bench: &Bench, language: &str) -> bool {
    let languages = bench.platform.languages();
    languages.iter().any(|known| known.id == language && known.availability.is_available())
}

const NODE_TEST: &str = "const test = require('node:test');\nconst assert = require('node:assert');\ntest('adds', () => { assert.equal(require('./add').add(1, 2), 3) });\n";
const ADD: &str = "exports.add = (a, b) => a - b;\n";

#[test]
fn a_command_gets_the_tools_of_its_language_and_its_error_is_read() {
    let bench = Bench::new("openai", Vec::new(), &[]);
    let cargo = "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let rust = "#[test]\nfn adds() { assert_eq!(1 - 2, 3) }\n";
    let go =
        "package p\nimport \"testing\"\nfunc TestAdd(t *testing.T) { var m map[string]int; m[\"a\"] = 1 }\n";
    let python = "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(1 - 2, 3)\n";
    let package = r#"{"scripts": {"test": "node --test"}}"#;
    for (language, files, command, place) in [
        ("python", &[("test_a.py", python)][..], "python3 -m unittest", "test_a.py:4"),
        ("javascript", &[("add.js", ADD), ("add.test.js", NODE_TEST)], "node --test", "add.test.js:3"),
        (
            "javascript",
            &[("package.json", package), ("add.js", ADD), ("add.test.js", NODE_TEST)],
            "npm test",
            "add.test.js:3",
        ),
        ("rust", &[("Cargo.toml", cargo), ("src/lib.rs", rust)], "cargo test", "src/lib.rs:2"),
        ("go", &[("go.mod", "module p\ngo 1.18\n"), ("a_test.go", go)], "go test ./...", "a_test.go:3"),
    ] {
        let has_npm = Path::new("/usr/bin/npm").exists() || Path::new("/usr/local/bin/npm").exists();
        if !is_here(&bench, language) || (command.starts_with("npm") && !has_npm) {
            SKIPS.note("a_command_gets_the_tools_of_its_language", &format!("{command} cannot run here"));
            continue;
        }
        let bench = Bench::new("openai", Vec::new(), &[]);
        let root = bench.folder(files);
        let diagnosed = diagnose(&bench, &root, files, command);
        let error = diagnosed.diagnosis.main().unwrap_or_else(|| panic!("{command}: {diagnosed:?}"));
        let found = error.place.as_ref().unwrap_or_else(|| panic!("{command}: {diagnosed:?}"));
        assert_eq!(format!("{}:{}", found.file, found.line), place, "{command}: {error:?}");
        assert_eq!(diagnosed.diagnosis.language.as_deref(), Some(language), "{command}");
        assert_ne!(diagnosed.result.as_ref().unwrap().status, Status::Timeout, "{command}");
        // Word by word, as programs send it, it is the same.
        let mut program = request(&bench, files, "");
        program.command = Some(command.split(' ').map(str::to_owned).collect());
        let input = DiagnoseInput { program, text: None };
        let words = bench.platform.perform::<Diagnose>(&bench.context(), input).unwrap();
        let error = words.diagnosis.main().unwrap_or_else(|| panic!("{command}: {words:?}"));
        let found = error.place.as_ref().map(|found| format!("{}:{}", found.file, found.line));
        assert_eq!(found.as_deref(), Some(place), "{command}: {error:?}");
    }
}

#[test]
fn packages_beside_the_sources_are_there_and_their_directory_can_be_written() {
    let bench = Bench::new("openai", Vec::new(), &[]);
    if !is_here(&bench, "javascript") {
        SKIPS.note("packages_beside_the_sources_are_there", "node is not here");
        return;
    }
    let program = "#!/usr/bin/env node\nconst { word } = require('tool');\nrequire('fs').mkdirSync('node_modules/.vite');\nif (word !== 'right') throw new TypeError(word);\n";
    let own = [("package.json", "{}"), ("check.js", program)];
    let root = bench.folder(&[
        own[0],
        own[1],
        ("node_modules/tool/index.js", "exports.word = require('inner').word;\n"),
        ("node_modules/inner/index.js", "exports.word = 'right';\n"),
    ]);
    let fine = diagnose(&bench, &root, &own, "node check.js");
    assert_eq!(
        (fine.result.as_ref().unwrap().status, fine.diagnosis.errors.len()),
        (Status::Success, 0),
        "{fine:?}"
    );
    assert!(!root.join("node_modules/.vite").exists());
    // A workspace's own packages stand there as links to its directories.
    std::fs::create_dir_all(root.join("node_modules/@own")).unwrap();
    std::os::unix::fs::symlink("../packages/lib", root.join("node_modules/lib")).unwrap();
    std::os::unix::fs::symlink("../../packages/lib", root.join("node_modules/@own/lib")).unwrap();
    let uses =
        "for (const name of ['lib', '@own/lib', 'tool']) if (!require(name).word) throw new Error(name);\n";
    let linked =
        [("package.json", "{}"), ("packages/lib/index.js", "exports.word = 'own';\n"), ("uses.js", uses)];
    let workspace = diagnose(&bench, &root, &linked, "node uses.js");
    assert_eq!(workspace.result.as_ref().unwrap().status, Status::Success, "{workspace:?}");
    std::fs::write(root.join("node_modules/inner/index.js"), "exports.word = 'wrong';\n").unwrap();
    let wrong = diagnose(&bench, &root, &own, "node check.js");
    assert_eq!(wrong.diagnosis.main().unwrap().category, ErrorCategory::Type, "{wrong:?}");
    // Without a command too.
    let mut plain = request(&bench, &own, "");
    plain.command = None;
    plain.language = Some("javascript".into());
    plain.source = Source::Files {
        files: vec![SourceFile {
            path: "main.js".into(),
            content: b"console.log(require('tool').word)".to_vec(),
            executable: false,
        }],
        entry: None,
    };
    assert!(bench.platform.complete(&root, &mut plain).is_empty());
    let result =
        bench.platform.execute_as(&formicary_platform::local_caller(), plain, Live::default()).unwrap();
    assert_eq!(result.stdout, "wrong\n", "{result:?}");
}

#[test]
fn what_leads_out_of_the_project_is_left_out_and_said() {
    let bench = Bench::new("openai", Vec::new(), &[]);
    let root = bench.folder(&[("main.js", "1")]);
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), root.join("node_modules")).unwrap();
    let mut request = request(&bench, &[("main.js", "1")], "npm test");
    let notes = bench.platform.complete(&root, &mut request);
    assert!(request.mounts.is_empty() && notes.len() == 1, "{notes:?}");
    assert!(notes[0].contains("node_modules is left out"), "{notes:?}");
}

fn fix(bench: &Bench, root: &Path, target: &str) -> formicary_model::FixReport {
    let code =
        Code { paths: vec![target.into()], folder: Some(root.display().to_string()), ..Code::default() };
    let (candidates, seconds) = (Number::new(100.0).unwrap(), Number::new(40.0).unwrap());
    let input = FixInput { code, candidates, seconds, ..FixInput::default() };
    bench.platform.perform::<Fix>(&bench.context(), input).unwrap()
}

/// One recipe for every verb: what `debug` runs is built as `run` and `diagnose` build it.
#[test]
fn a_program_alone_is_built_by_its_recipe() {
    let bench = Bench::new("openai", Vec::new(), &[]);
    let segfault = "#include <stddef.h>\nint main(void) { int *p = NULL; return *p; }\n";
    let newer = "async fn f() {}\nfn main() { let _ = f(); let a = [1, 2]; for x in a.into_iter() { let y: i32 = x; println!(\"{}\", yy); } }\n";
    let overflow = "fn add(a: u8, b: u8) -> u8 { a + b }\nfn main() { let n = std::env::args().count() as u8; println!(\"{}\", add(255, n)); }\n";
    let typed = "function f(name: string): string { return nme; }\nconsole.log(f('x'));\n";
    let other = "int main(void) { return 3; }\n";
    for (language, files, error, status) in [
        ("c", &[("a.c", segfault), ("b.c", other)][..], "SIGSEGV|undefined-behavior", FixStatus::NotFixed),
        ("rust", &[("a.rs", newer)], "E0425", FixStatus::Suggested),
        ("rust", &[("a.rs", overflow)], "panic", FixStatus::NotFixed),
        ("typescript", &[("a.ts", typed)], "ReferenceError", FixStatus::Suggested),
    ] {
        if !is_here(&bench, language) {
            SKIPS.note("a_program_alone_is_built_by_its_recipe", &format!("{language} is not here"));
            continue;
        }
        let bench = Bench::new("openai", Vec::new(), &[]);
        let root = bench.folder(files);
        let report = fix(&bench, &root, files[0].0);
        let found = report.diagnosis.as_ref().and_then(|diagnosis| diagnosis.main());
        let kind = found.map_or("", |found| found.error_type.as_str());
        assert!(error.split('|').any(|error| error == kind), "{language}: {kind} {report:?}");
        if status == FixStatus::Suggested {
            assert_eq!(report.status, status, "{language}: {report:?}");
        }
    }
}

#[test]
fn what_a_project_brings_along_is_built_with_it() {
    let bench = Bench::new("openai", Vec::new(), &[]);
    if !is_here(&bench, "go") {
        SKIPS.note("what_a_project_brings_along_is_built_with_it", "go is not here");
        return;
    }
    let root = bench.folder(&[
        ("go.mod", "module p\n\ngo 1.18\n\nrequire example.com/x v1.0.0\n"),
        ("a.go", "package p\n\nimport \"example.com/x\"\n\nfunc Add(a, b int) int { return x.Same(a) - b }\n"),
        ("a_test.go", "package p\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tfor _, c := range [][3]int{{1, 2, 3}, {4, 5, 9}, {7, 1, 8}} {\n\t\tif Add(c[0], c[1]) != c[2] {\n\t\t\tt.Fatal(c)\n\t\t}\n\t}\n}\n"),
        ("vendor/example.com/x/x.go", "package x\n\nfunc Same(a int) int { return a }\n"),
        ("vendor/modules.txt", "# example.com/x v1.0.0\n## explicit; go 1.18\nexample.com/x\n"),
    ]);
    let report = fix(&bench, &root, ".");
    assert_eq!(report.status, FixStatus::Fixed, "{report:?}");
    assert!(report.patches[0].diff.contains("+ b"), "{report:?}");
}
