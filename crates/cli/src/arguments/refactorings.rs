//! Options of `refactorings`.

use clap::Args;

const HELP: &str = "\
The lines that no refactoring explains are what changed the behaviour: read those.

Examples:
  formicary refactorings HEAD~1 HEAD
  formicary refactorings main
  formicary refactorings old/ new/ --json
  formicary refactorings before.py after.py";

/// Options of `refactorings`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct RefactoringsArguments {
    /// The version before: a git revision, a folder or a file
    #[arg(value_name = "BEFORE")]
    pub before: String,
    /// The version after; what is in the folder now, if none is named
    #[arg(value_name = "AFTER")]
    pub after: Option<String>,
}
