//! What is measured is the release build, and so is what measures: the library's share is timed in this very process.

use super::Options;
use crate::tree::Tree;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Builds the binary and the chores in release and runs the same chore again with them.
pub fn and_start_again(options: &Options) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--release", "--package", "formicary", "--package", "xtask"])
        .arg("--message-format=json-render-diagnostics")
        .current_dir(Tree::root())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo build: {error}"))?;
    if !output.status.success() {
        return Err("the release build failed".into());
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let mut again = Command::new(executable(&messages, "xtask")?);
    again.args(["bench", "--runs", &options.runs.to_string(), "--binary"]);
    again.arg(executable(&messages, "formicary")?);
    if let Some(path) = &options.json {
        again.arg("--json").arg(path);
    }
    let status = again.status().map_err(|error| format!("bench: {error}"))?;
    if status.success() { Ok(()) } else { Err("the measurement failed".into()) }
}

/// Where cargo put the executable of this target.
fn executable(messages: &str, target: &str) -> Result<PathBuf, String> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message.pointer("/target/name").and_then(Value::as_str) == Some(target))
        .find_map(|message| message.get("executable")?.as_str().map(PathBuf::from))
        .ok_or_else(|| format!("cargo built no executable {target}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_found_among_the_messages() {
        let messages = "{\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"formicary\"},\"executable\":null}\n\
                        {\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"formicary\"},\"executable\":\"/t/f\"}\n\
                        not json\n{\"reason\":\"build-finished\"}\n";
        assert_eq!(executable(messages, "formicary").unwrap(), PathBuf::from("/t/f"));
        assert!(executable(messages, "xtask").is_err());
    }
}
