//! Rewriting real code: a pattern that is its own template changes no byte of Python's standard library, and what does change
//! still parses. A sample of files, or all of them with `FORMICARY_LONG=1`.

use formicary_search::{ASTTransformer, Pattern, Rule, Source};
use formicary_syntax::{Dialect, parse};
use formicary_testkit::skips::Skips;
use std::path::{Path, PathBuf};

static SKIPS: Skips = Skips::new();
const SAMPLE: usize = 8;

const PATTERNS: &[&str] = &[
    "$F($$$A)",
    "$X.$Y",
    "$X = $Y",
    "if $C: $$$B",
    "def $F($$$P): $$$B",
    "for $X in $Y: $$$B",
    "return $X",
    "$F($$$A, $K=$V, $$$B)",
    "[$X for $Y in $Z]",
];

#[expect(clippy::disallowed_methods, reason = "a test asks whether it may take long")]
fn is_long() -> bool {
    std::env::var_os("FORMICARY_LONG").is_some_and(|value| value != "0")
}

/// Python's own modules, where this host keeps them.
fn modules() -> Vec<PathBuf> {
    let python = |path: &Path| path.extension().is_some_and(|ending| ending == "py");
    let mut folders: Vec<PathBuf> = entries(Path::new("/usr/lib"))
        .into_iter()
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("python3.")))
        .collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            match path.is_dir() {
                true if is_long() => folders.push(path),
                false if python(&path) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    let step = if is_long() { 1 } else { found.len() / SAMPLE + 1 };
    found.into_iter().step_by(step).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn sources(test: &str) -> Vec<Source> {
    let modules = modules();
    if modules.is_empty() {
        SKIPS.note(test, "no Python under /usr/lib");
    }
    let text = |path: PathBuf| Some((path.display().to_string(), std::fs::read_to_string(path).ok()?));
    let texts = modules.into_iter().filter_map(text);
    texts.map(|(path, text)| Source::new(path, Dialect::Python, text)).collect()
}

#[expect(clippy::unwrap_used, reason = "a test")]
fn transformer(pattern: &str, template: &str) -> ASTTransformer {
    let rule = Rule::of_pattern("r", Pattern::new(Dialect::Python, pattern).unwrap());
    ASTTransformer::new(vec![rule.with_fix(template).unwrap()])
}

#[test]
fn a_pattern_that_is_its_own_template_changes_nothing() {
    for source in sources("a_pattern_that_is_its_own_template_changes_nothing") {
        for pattern in PATTERNS {
            let done = transformer(pattern, pattern).rewrite(&source);
            let changed = done.map(|change| change.map(|change| change.report(&Default::default()).diff));
            assert_eq!(changed, Ok(None), "{pattern} in {}", source.path());
        }
    }
}

#[test]
fn what_changes_still_parses() {
    let rewrites = [
        ("$F($$$A)", "$F($$$A, added=1)"),
        ("if $C: $$$B", "if not ($C):\n    pass\nelse:\n    $$$B"),
        ("$X = $Y", "$X = wrapped($Y)"),
        ("return $X", "result = $X\nreturn result"),
    ];
    let errors = |text: &str| parse(Dialect::Python, text).notes.len();
    let mut changed = 0;
    for source in sources("what_changes_still_parses") {
        for (pattern, template) in rewrites {
            if let Ok(Some(change)) = transformer(pattern, template).rewrite(&source) {
                assert!(errors(&change.after) <= errors(source.text()), "{pattern} in {}", source.path());
                changed += 1;
            }
        }
    }
    assert!(changed > 0 || modules().is_empty());
}
