//! Broken programs that rules and the tools' own suggestions repair: each runs in the sandbox, fails, and one of the first
//! candidates makes it print what it should.

use crate::NATIVE;
use formicary_diagnose::failures;
use formicary_execution::Live;
use formicary_model::{ExecutionRequest, ExecutionResult, Language, Source};
use formicary_repair::remedies::Remedies;
use formicary_repair::{Case, CaseFile, Strategy as _};

/// Candidates that are run for one program.
const TRIED: usize = 12;

fn run(language: Language, text: &str) -> ExecutionResult {
    let mut request = ExecutionRequest {
        language: Some(language.id().into()),
        source: Source::code(text),
        compiler_flags: failures::telling_flags(language).iter().map(|flag| (*flag).to_owned()).collect(),
        ..ExecutionRequest::default()
    };
    request.limits.wall_seconds = Some(20.0);
    NATIVE.execute(request, Live::default()).unwrap()
}

/// How many candidates it took, or what was proposed.
fn repaired(language: Language, text: &str, wanted: &str) -> Result<usize, String> {
    let mut text = text.to_owned();
    let mut tried = 0;
    // A compiler may tell the next error only when the first is gone.
    for _ in 0..2 {
        let evidence = run(language, &text);
        let ending = language.extensions()[0];
        let file = CaseFile { path: format!("main.{ending}"), text: text.clone(), editable: true };
        let case = Case { language, files: vec![file], evidence: Some(evidence), suspects: Vec::new() };
        let candidates = Remedies.candidates(&case);
        for candidate in candidates.iter().take(TRIED) {
            let changed = case.applied(&candidate.edits).unwrap().remove(0).1;
            tried += 1;
            if run(language, &changed).stdout.trim() == wanted {
                return Ok(tried);
            }
        }
        let told =
            candidates.iter().take(TRIED).map(|c| format!("    {} {} {}", c.origin, c.cost, c.explanation));
        let told: Vec<String> = told.collect();
        match candidates.first().and_then(|candidate| case.applied(&candidate.edits)) {
            Some(mut changed) if language != Language::Python => text = changed.remove(0).1,
            _ => return Err(told.join("\n")),
        }
    }
    Err("not after two errors either".into())
}

fn check(wanted: &[Language]) {
    let mut failed = Vec::new();
    for part in include_str!("remedies.txt").split("=== ").skip(1) {
        let (head, text) = part.split_once('\n').unwrap();
        let (name, output) = head.split_once(" | ").unwrap();
        let language = Language::from_word(name.split(' ').next().unwrap()).unwrap();
        if !wanted.contains(&language) {
            continue;
        }
        if let Err(proposed) = repaired(language, text, output) {
            failed.push(format!("{name}:\n{proposed}"));
        }
    }
    assert!(failed.is_empty(), "{} not repaired\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn scripts_are_repaired() {
    check(&[Language::Python, Language::JavaScript, Language::Bash]);
}

#[test]
fn native_programs_are_repaired() {
    check(&[Language::C, Language::Cpp, Language::Rust]);
}

#[test]
fn go_and_java_programs_are_repaired() {
    check(&[Language::Go, Language::Java]);
}
