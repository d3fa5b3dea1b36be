//! Building with cargo and finding what it built, wherever the target folder is.

use crate::tree::Tree;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a build gave.
pub struct Built {
    messages: String,
}

/// Runs `cargo build` with these arguments; compiler messages go to the developer.
pub fn build(arguments: &[&str]) -> Result<Built, String> {
    build_with("build", &[&["--quiet"], arguments].concat(), &[])
}

/// Runs a subcommand of cargo that builds, with these variables in its environment.
pub fn build_with(
    subcommand: &str,
    arguments: &[&str],
    environment: &[(&str, String)],
) -> Result<Built, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([subcommand, "--message-format=json-render-diagnostics"])
        .args(arguments)
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .current_dir(Tree::root())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo {subcommand}: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo {subcommand} {} failed", arguments.join(" ")));
    }
    Ok(Built { messages: String::from_utf8_lossy(&output.stdout).into_owned() })
}

impl Built {
    /// Where cargo put the executable of this target.
    pub fn executable(&self, target: &str) -> Result<PathBuf, String> {
        self.messages
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|message| message.pointer("/target/name").and_then(Value::as_str) == Some(target))
            .find_map(|message| message.get("executable")?.as_str().map(PathBuf::from))
            .ok_or_else(|| format!("cargo built no executable {target}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_found_among_the_messages() {
        let messages = "{\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"formicary\"},\"executable\":null}\n\
                        {\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"formicary\"},\"executable\":\"/t/f\"}\n\
                        not json\n{\"reason\":\"build-finished\"}\n";
        let built = Built { messages: messages.into() };
        assert_eq!(built.executable("formicary").unwrap(), PathBuf::from("/t/f"));
        assert!(built.executable("xtask").is_err());
    }
}
