//! Options of `clones`.

use clap::Args;
use formicary_model::clones::CloneType;
use std::path::PathBuf;

const HELP: &str = "\
Type 1 are exact copies, type 2 differ in names and constants, type 3 in statements that were
added, removed or changed, type 4 do the same work in another form (also in another language).

With --new, copies are told of which the change edited some and not the others.

Exit code 0, or 1 where more is copied than --fail-above allows.

Examples:
  formicary clones
  formicary clones src --types 1,2 --min-lines 10
  formicary clones --new main...HEAD
  formicary clones --fail-above 5 --no-tests
  formicary clones one.java other.java --json";

/// Options of `clones`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct ClonesArguments {
    /// Files and folders; the folder where you stand, if none is named
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Only these types: 1, 2, 3, 4
    #[arg(long, value_name = "TYPE,…", value_delimiter = ',', value_parser = clone_type)]
    pub types: Vec<CloneType>,
    /// The fewest lines of a copy
    #[arg(long, value_name = "N")]
    pub min_lines: Option<u32>,
    /// The fewest tokens of a copy
    #[arg(long, value_name = "N")]
    pub min_tokens: Option<usize>,
    /// The least likeness of what is told, from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub similarity: Option<f32>,
    /// Leaves files with tests out
    #[arg(long)]
    pub no_tests: bool,
    /// Tells which copies a change forgot: a git range or revision, a folder with the state
    /// before, or a diff file
    #[arg(long, value_name = "RANGE|FOLDER|DIFF")]
    pub new: Option<String>,
    /// The file of known groups, in place of .formicary/clones.json
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Writes all groups as known
    #[arg(long, conflicts_with = "new")]
    pub write_baseline: bool,
    /// Fails where more than so many percent of the lines are copied
    #[arg(long, value_name = "PERCENT")]
    pub fail_above: Option<f64>,
    /// Shows at most so many groups on the terminal
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
}

fn clone_type(word: &str) -> Result<CloneType, String> {
    CloneType::from_word(word).ok_or_else(|| "known: 1, 2, 3, 4".to_owned())
}

fn share(word: &str) -> Result<f32, String> {
    word.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| "from 0 to 1".to_owned())
}
