//! Reports, judged by programs of others.

use super::hostile::written;
use super::{Format, counted, decimal};

#[test]
fn a_page_begins_with_its_verdict() {
    let page = written(Format::Html);
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is not in the page"));
    assert!(place("<h2>Verdict</h2>") < place("<h2>Gate</h2>"));
    for chart in ["<h2>Score</h2>", "<h2>By category</h2>", "<svg"] {
        assert!(place("<h2>Gate</h2>") < place(chart), "{chart}");
    }
    assert!(page.contains("Gate failed") || page.contains("Gate passed"));
}

#[test]
fn numbers_have_no_sign_where_they_are_nothing() {
    for (value, shown) in
        [(-0.0, "0.00"), (-0.001, "0.00"), (-0.01, "-0.01"), (1.005, "1.00"), (80.0, "80.00")]
    {
        assert_eq!(decimal(value), shown);
    }
}

/// The official schema, which `./test` fetches, and the validator of its Python environment.
#[test]
#[expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "a test asks a validator")]
fn sarif_is_valid_against_its_schema() {
    use formicary_testkit::skips::Skips;
    static SKIPS: Skips = Skips::new();
    const VALIDATE: &str = "
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
errors = list(jsonschema.validators.validator_for(schema)(schema).iter_errors(json.load(sys.stdin)))
sys.exit('\\n'.join(f'{list(error.path)}: {error.message}' for error in errors) or None)
";
    let venv = std::path::PathBuf::from(std::env::var_os("FORMICARY_TEST_VENV").unwrap_or_default());
    let schema = venv.join("sarif-2.1.0.json");
    if !schema.exists() {
        SKIPS.note("sarif_is_valid_against_its_schema", "the schema is not in the test environment");
        return;
    }
    let mut child = std::process::Command::new(venv.join("bin/python3"))
        .args(["-c", VALIDATE])
        .arg(schema)
        .stdin(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), written(Format::Sarif).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn counts_have_their_noun() {
    for (count, noun, expected) in
        [(0, "file", "0 files"), (1, "file", "1 file"), (2, "match", "2 matches"), (1, "match", "1 match")]
    {
        assert_eq!(counted(count as u64, noun), expected);
    }
}
