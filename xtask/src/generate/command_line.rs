//! The reference of the command line: what the binary itself says when asked for help.

use super::{Artefact, FOLDER};
use crate::cargo;
use std::ffi::OsString;
use std::fmt::Write;
use std::process::Command;

/// Names a binary that is fresh already; the test command sets it, so that nothing is built twice.
const BINARY_VARIABLE: &str = "FORMICARY_TEST_BINARY";

pub(super) fn artefacts() -> Result<Vec<Artefact>, String> {
    let binary = match std::env::var_os(BINARY_VARIABLE) {
        Some(binary) => binary,
        None => {
            cargo::build(&["--package", "formicary", "--bin", "formicary"])?.executable("formicary")?.into()
        }
    };
    let overview = help(&binary, None)?;
    let mut content = String::from("# The command line\n\nWhat `--help` says, verb by verb.\n\n");
    let _ = write!(content, "```text\n{overview}```\n");
    for verb in verbs(&overview) {
        let _ = write!(content, "\n## formicary {verb}\n\n```text\n{}```\n", help(&binary, Some(verb))?);
    }
    Ok(vec![Artefact { path: format!("{FOLDER}/command-line.md"), content }])
}

/// The long help, in the width that a pipe gets: terminal and environment must not show in a committed file.
fn help(binary: &OsString, verb: Option<&str>) -> Result<String, String> {
    let output = Command::new(binary)
        .args(verb)
        .arg("--help")
        .env_clear()
        .output()
        .map_err(|error| format!("{}: {error}", binary.display()))?;
    if !output.status.success() {
        return Err(format!("formicary {} --help: {}", verb.unwrap_or_default(), output.status));
    }
    let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    Ok(text.lines().fold(String::new(), |page, line| page + line.trim_end() + "\n"))
}

/// The verbs as the overview lists them.
fn verbs(overview: &str) -> impl Iterator<Item = &str> {
    let commands = overview.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = commands.take_while(|line| line.starts_with("  "));
    let names =
        listed.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|verb| *verb != "help")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_read_from_the_overview() {
        let overview = "Usage: x\n\nCommands:\n  run        Runs code\n             in a sandbox\n  exit-codes  Lists\n  \
                        help       Prints\n\nOptions:\n  -h\n";
        assert_eq!(verbs(overview).collect::<Vec<_>>(), ["run", "exit-codes"]);
    }
}
