//! Metrics against radon on the Python standard library.
//!
//! Where the definitions agree the figures are equal. The known differences: radon counts a comment line inside of
//! brackets as a source line, and tells operands apart by value where we go by spelling.

use formicary_lint::{Options, SourceFile, analyze_file};
use formicary_testkit::skips::Skips;
use std::collections::BTreeMap;
#[expect(clippy::disallowed_types, reason = "the peer is asked by a test")]
use std::process::Command;

pub(super) static SKIPS: Skips = Skips::new();

const FOLDER: &str = "/usr/lib/python3.11";

/// Prints one line of JSON a file: functions with their complexity by line, Halstead's counts, lines.
const RADON: &str = r#"
import json, sys, warnings
warnings.simplefilter("ignore")
from radon.complexity import cc_visit
from radon.metrics import h_visit
from radon.raw import analyze
from radon.visitors import Function
for path in sys.argv[1:]:
    text = open(path, encoding="utf-8").read()
    blocks = []
    def take(block):
        if isinstance(block, Function):
            blocks.append([block.lineno, block.name, block.complexity])
            for inner in block.closures: take(inner)
        else:
            for method in block.methods: take(method)
            for inner in block.inner_classes: take(inner)
    for block in cc_visit(text): take(block)
    h = h_visit(text).total
    raw = analyze(text)
    print(json.dumps([path, blocks, [h.h1, h.h2, h.N1, h.N2], [raw.loc, raw.sloc, raw.blank]]))
"#;

#[expect(clippy::disallowed_methods, reason = "the test command says where its Python is")]
pub(super) fn python(module: &str) -> Option<std::path::PathBuf> {
    let python = std::path::Path::new(&std::env::var_os("FORMICARY_TEST_VENV")?).join("bin/python3");
    #[expect(clippy::disallowed_types, reason = "the peer is asked by a test")]
    let found = Command::new(&python).args(["-c", &format!("import {module}")]).status().ok()?.success();
    found.then_some(python)
}

/// What radon says of a file: path; line, name and complexity of functions; Halstead's counts; lines.
type Told = (String, Vec<(u32, String, u32)>, [u32; 4], [u32; 3]);

fn sample() -> Vec<String> {
    let mut files: Vec<String> = std::fs::read_dir(FOLDER)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().to_string_lossy().into_owned())
        .filter(|path| path.ends_with(".py"))
        .collect();
    files.sort();
    // Every fifth: enough to see a difference, and quick.
    files.into_iter().step_by(5).collect()
}

#[test]
fn python_metrics_equal_radons() {
    let (files, Some(python)) = (sample(), python("radon")) else {
        SKIPS.note("python_metrics_equal_radons", "radon is not in the test environment");
        return;
    };
    if files.len() < 30 {
        SKIPS.note("python_metrics_equal_radons", "Debian's Python 3.11 is not there");
        return;
    }
    #[expect(clippy::disallowed_types, reason = "the peer is asked by a test")]
    let output = Command::new(python).arg("-c").arg(RADON).args(&files).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (mut functions, mut different) = (0, Vec::new());
    let (mut measured, mut lines_off, mut halstead_off) = (0, Vec::new(), Vec::new());
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let (path, blocks, halstead, lines): Told = serde_json::from_str(line).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let analysis = analyze_file(&SourceFile::new(&*path, text), &Options::default()).unwrap();
        let metrics = analysis.metrics;
        // radon gives the line of `def`; decorators stand above it.
        let mut ours: BTreeMap<(String, u32), u32> = BTreeMap::new();
        for function in &metrics.functions {
            let name = function.name.rsplit('.').next().unwrap().to_owned();
            for line in function.span.start_line..=function.span.end_line.min(function.span.start_line + 12) {
                ours.entry((name.clone(), line)).or_insert(function.cyclomatic);
            }
        }
        for (line, name, complexity) in blocks {
            functions += 1;
            if ours.get(&(name.clone(), line)) != Some(&complexity) {
                different.push(format!(
                    "{path}:{line} {name}: {complexity}, ours {:?}",
                    ours.get(&(name.clone(), line))
                ));
            }
        }
        measured += 1;
        let counts = metrics.halstead;
        let found = [counts.distinct_operators, counts.distinct_operands, counts.operators, counts.operands];
        if found[0] != halstead[0]
            || found[2..] != halstead[2..]
            || found[1].abs_diff(halstead[1]) > 1 + halstead[1] / 50
        {
            halstead_off.push(format!("{path}: {halstead:?}, ours {found:?}"));
        }
        let found = [metrics.lines.physical, metrics.lines.source, metrics.lines.blank];
        // A comment line inside of brackets is source to radon.
        if found[0] != lines[0] || found[2] != lines[2] || found[1].abs_diff(lines[1]) * 20 > lines[1].max(20)
        {
            lines_off.push(format!("{path}: {lines:?}, ours {found:?}"));
        }
    }
    assert!(functions > 500, "{functions}");
    assert!(different.is_empty(), "{} of {functions}: {different:#?}", different.len());
    assert!(halstead_off.is_empty(), "{} of {measured}: {halstead_off:#?}", halstead_off.len());
    assert!(lines_off.is_empty(), "{} of {measured}: {lines_off:#?}", lines_off.len());
}
