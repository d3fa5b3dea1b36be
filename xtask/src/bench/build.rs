//! What is measured is built as users get it, and so is what measures: the library's share is timed in this very process.

use super::Options;
use crate::cargo;
use std::process::Command;

/// Builds the binary and the chores with the profile of releases and runs the same chore again with them.
pub fn and_start_again(options: &Options) -> Result<(), String> {
    let built = cargo::build(&["--profile", "dist", "--package", "formicary", "--package", "xtask"])?;
    let mut again = Command::new(built.executable("xtask")?);
    again.arg("bench").args(&options.parts);
    again.args(["--runs", &options.runs.to_string(), "--judged", &options.judged.to_string()]);
    again.arg("--binary");
    again.arg(built.executable("formicary")?);
    if let Some(path) = &options.json {
        again.arg("--json").arg(path);
    }
    let status = again.status().map_err(|error| format!("bench: {error}"))?;
    if status.success() { Ok(()) } else { Err("the measurement failed".into()) }
}
