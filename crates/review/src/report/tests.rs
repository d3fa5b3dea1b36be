//! Reports, judged by programs of others.

use super::Format;
use super::hostile::written;

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
