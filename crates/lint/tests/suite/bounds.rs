//! Broken, hostile and huge input: findings and notes, never a panic, never for long.

use formicary_lint::{FileAnalysis, Options, SourceFile, analyze_file};
use formicary_model::review::NoteKind;
use formicary_syntax::Dialect;

#[expect(clippy::unwrap_used, reason = "a test")]
fn run(dialect: Dialect, text: String) -> FileAnalysis {
    let source = SourceFile { path: "a".to_owned(), text, dialect: Some(dialect) };
    analyze_file(&source, &Options::default()).unwrap()
}

#[test]
fn deep_nesting_is_noted_and_bounded() {
    let cases: [(Dialect, &str, &str); 10] = [
        (Dialect::Python, "(", ")"),
        (Dialect::Python, "-", "1"),
        (Dialect::JavaScript, "[", "]"),
        (Dialect::TypeScript, "{", "}"),
        (Dialect::Java, "(", ")"),
        (Dialect::C, "{", "}"),
        (Dialect::Cpp, "a<", ">"),
        (Dialect::Go, "[", "]"),
        (Dialect::Rust, "(", ")"),
        (Dialect::Bash, "$(", ")"),
    ];
    for (dialect, open, close) in cases {
        let analysis = run(dialect, format!("{}{}", open.repeat(10_000), close.repeat(10_000)));
        assert!(!analysis.notes.is_empty(), "{dialect:?} {open}");
    }
}

#[test]
fn long_chains_are_no_nesting() {
    let sum = format!("x = {}1\n", "a + ".repeat(4_000));
    assert!(run(Dialect::Python, sum).notes.is_empty());
    let mut chain = String::from("if a == 0:\n    f()\n");
    for number in 1..3_000 {
        chain.push_str(&format!("elif a == {number}:\n    f()\n"));
    }
    assert!(run(Dialect::Python, chain).notes.is_empty());
}

#[test]
fn huge_and_minified_files_are_left_out_with_a_note() {
    let huge = run(Dialect::JavaScript, "var a = 1;\n".repeat(500_000));
    assert_eq!(huge.notes[0].kind, NoteKind::TooLarge);
    let minified = run(Dialect::JavaScript, "var a=1;function f(){return a};".repeat(5_000));
    assert_eq!(minified.notes[0].kind, NoteKind::TooLarge);
    assert!(!minified.metrics.parsed);
}

#[test]
fn fifty_megabytes_of_minified_code_cost_next_to_nothing() {
    // Nothing but a look at its size and its lines: no parser ever sees it.
    #[expect(clippy::disallowed_methods, reason = "the test command says how much is wanted")]
    let long = std::env::var_os("FORMICARY_LONG").is_some_and(|value| value != "0");
    let times = if long { 800_000 } else { 80_000 };
    let start = std::time::Instant::now();
    let text = "var a=1;function f(b){return a+b.c[\"d\"](function(e){return e*2})};".repeat(times);
    assert!(text.len() > times * 60);
    let analysis = run(Dialect::JavaScript, text);
    assert_eq!(analysis.notes[0].kind, NoteKind::TooLarge);
    assert!(analysis.findings.is_empty() && !analysis.metrics.parsed);
    // Nobody's clock is exact, but a parser would take minutes in a debug build.
    assert!(start.elapsed() < std::time::Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn sound_parts_of_broken_code_are_found() {
    let text = "def f(a):\n    return a == a\n\ndef g(:\n    x =\n\ndef h(b):\n    return b is 'x'\n";
    let analysis = run(Dialect::Python, text.to_owned());
    assert!(!analysis.notes.is_empty() && !analysis.metrics.parsed);
    let rules: Vec<&str> = analysis.findings.iter().map(|finding| &*finding.rule).collect();
    assert!(rules.contains(&"self-comparison"), "{rules:?}");
}
