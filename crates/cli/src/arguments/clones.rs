//! Options of `clones`.

use clap::Args;
use formicary_model::clones::CloneType;
use std::path::PathBuf;

const HELP: &str = "\
Type 1 clones are exact, type 2 differ in names and constants, type 3 in added, removed or changed
statements, type 4 do the same work in another form (also in another language).

With --new, only clones are reported of which the change edited some instances and not the others.

Exit code 0, or 1 if more is cloned than --fail-above allows.

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
    /// Files and directories [default: the current directory]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Report only these types: 1, 2, 3, 4
    #[arg(long, value_name = "TYPE,…", value_delimiter = ',', value_parser = clone_type)]
    pub types: Vec<CloneType>,
    /// Minimum lines of a clone
    #[arg(long, value_name = "N")]
    pub min_lines: Option<u32>,
    /// Minimum tokens of a clone
    #[arg(long, value_name = "N")]
    pub min_tokens: Option<usize>,
    /// Minimum similarity, from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub similarity: Option<f32>,
    /// Skip test files
    #[arg(long)]
    pub no_tests: bool,
    /// Report clones that a change missed: a git range or revision, a directory with the old
    /// version, or a diff file
    #[arg(long, value_name = "RANGE|FOLDER|DIFF")]
    pub new: Option<String>,
    /// The baseline file [default: .formicary/clones.json]
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write all groups to the baseline
    #[arg(long, conflicts_with = "new")]
    pub write_baseline: bool,
    /// Fail if more than this percentage of lines is cloned
    #[arg(long, value_name = "PERCENT")]
    pub fail_above: Option<f64>,
    /// Show at most this many groups
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
}

fn clone_type(word: &str) -> Result<CloneType, String> {
    CloneType::from_word(word).ok_or_else(|| "known: 1, 2, 3, 4".to_owned())
}

fn share(word: &str) -> Result<f32, String> {
    word.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| "from 0 to 1".to_owned())
}
