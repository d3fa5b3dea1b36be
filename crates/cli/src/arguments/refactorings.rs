//! Options of `refactorings`.

use clap::Args;

const HELP: &str = "\
The lines that no refactoring explains are those that may change behavior: review them.

Examples:
  formicary refactorings HEAD~1 HEAD
  formicary refactorings main
  formicary refactorings old/ new/ --json
  formicary refactorings before.py after.py";

/// Options of `refactorings`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct RefactoringsArguments {
    /// The old version: a git revision, a directory or a file
    #[arg(value_name = "BEFORE")]
    pub before: String,
    /// The new version [default: the working tree]
    #[arg(value_name = "AFTER")]
    pub after: Option<String>,
}
