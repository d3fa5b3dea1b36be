//! Options of `search`, `rewrite`, `symbols`, `callers`, `callees` and `deps`.

use clap::Args;
use formicary_model::patterns::SymbolKind;
use std::path::PathBuf;

const SEARCH_HELP: &str = "\
A pattern is code of the language with metavariables: $X is any one node, $$$REST any number of
them, $_ and $$$ the same without being remembered. The same name twice asks for the same code.
Keyword arguments match in any order; names are followed through imports and their aliases.

Exit code 0 where something matches, 1 where nothing does.

Examples:
  formicary search 'subprocess.run($$$, shell=True)'
  formicary search -l go 'if err != nil { return $X }' ./pkg
  formicary search '$F = open($P)
$$$
$F.close()' --explain
  formicary search --rule anti-pattern src
  formicary search --rule my-rules/ --json";

/// Options of `search`.
#[derive(Debug, Args)]
#[command(after_help = SEARCH_HELP)]
pub struct SearchArguments {
    /// What to look for; a path, where --rule is given
    #[arg(value_name = "PATTERN")]
    pub pattern: Option<String>,
    /// Files and folders; the folder where you stand, if none is named
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The language of the pattern; every one that can read it, if none is named
    #[arg(long, short, value_name = "LANGUAGE")]
    pub language: Option<String>,
    /// Looks for rules in place of a pattern: a YAML file, a folder of them, the name of a
    /// shipped rule, anti-pattern, design-pattern, or all; may be given more than once
    #[arg(long, short, value_name = "RULE")]
    pub rule: Vec<String>,
    /// Tells why nothing matches: the nearest miss and what differs there
    #[arg(long)]
    pub explain: bool,
    /// Prints the names of the files alone
    #[arg(long)]
    pub files: bool,
    /// Prints at most so many matches
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

const REWRITE_HELP: &str = "\
Shows a diff; nothing is written without --write or --interactive. Where pattern and template agree,
the file keeps its own bytes. A file whose result would not parse is left alone and told.

Examples:
  formicary rewrite '$X == None' --to '$X is None' -l python
  formicary rewrite 'os.path.join($$$A)' --to 'Path($$$A)' src --write
  formicary rewrite --rule my-rules.yml --interactive
  formicary rewrite --undo";

/// Options of `rewrite`.
#[derive(Debug, Args)]
#[command(after_help = REWRITE_HELP)]
pub struct RewriteArguments {
    /// What to replace; a path, where --rule is given
    #[arg(value_name = "PATTERN")]
    pub pattern: Option<String>,
    /// Files and folders; the folder where you stand, if none is named
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// What takes its place
    #[arg(long, value_name = "TEMPLATE", allow_hyphen_values = true)]
    pub to: Option<String>,
    /// The language of the pattern; every one that can read it, if none is named
    #[arg(long, short, value_name = "LANGUAGE")]
    pub language: Option<String>,
    /// Applies the fixes of rules in place of a pattern
    #[arg(long, short, value_name = "RULE", conflicts_with = "to")]
    pub rule: Vec<String>,
    /// Writes the files
    #[arg(long, short)]
    pub write: bool,
    /// Asks for every file, then writes
    #[arg(long, short)]
    pub interactive: bool,
    /// Takes back the last change that was written, or the one of this name
    #[arg(long, value_name = "CHANGE", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with_all = ["pattern", "to", "rule", "write", "interactive"])]
    pub undo: Option<String>,
}

/// Which part of a project the index is of.
#[derive(Debug, Args)]
pub struct IndexScope {
    /// The project or a part of it; the folder where you stand, if none is named
    #[arg(long = "in", value_name = "PATH")]
    pub within: Vec<PathBuf>,
}

/// Options of `symbols`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  formicary symbols\n  formicary symbols src/core\n  formicary symbols parse src --kind function\n  formicary symbols Reader.read --references --json"
)]
pub struct SymbolsArguments {
    /// A name, a path such as Class.method, or a part of one; a file or folder where it is one
    pub name: Option<String>,
    /// Files and folders; the folder where you stand, if none is named
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub scope: IndexScope,
    /// Only symbols of this kind: function, method, class, interface, enum, module, alias, variable
    #[arg(long, value_name = "KIND", value_parser = symbol_kind)]
    pub kind: Option<SymbolKind>,
    /// Lists where they are named, too
    #[arg(long, short)]
    pub references: bool,
}

/// Options of `callers` and `callees`.
#[derive(Debug, Args)]
#[command(
    after_help = "A call is certain where scopes and imports prove it; the others share only the name.\n\nExamples:\n  formicary callers parse_header\n  formicary callers parse_header src tests\n  formicary callees Reader.read --depth 3"
)]
pub struct CallsArguments {
    /// The function: its name, or a path such as Class.method
    pub name: String,
    /// Files and folders; the folder where you stand, if none is named
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub scope: IndexScope,
    /// How many calls away
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub depth: usize,
    /// Only calls that are proven
    #[arg(long)]
    pub certain: bool,
}

/// Options of `deps`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  formicary deps\n  formicary deps src\n  formicary deps src/app.py\n  formicary deps src/util.py --reverse\n  formicary deps --external"
)]
pub struct DepsArguments {
    /// Only what this file, or the files of this folder, need
    #[arg(value_name = "PATH")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub scope: IndexScope,
    /// Who needs the file or folder, in place of what it needs
    #[arg(long, requires = "file")]
    pub reverse: bool,
    /// Modules that are not of this project, too
    #[arg(long)]
    pub external: bool,
}

fn symbol_kind(word: &str) -> Result<SymbolKind, String> {
    SymbolKind::from_word(word)
        .ok_or_else(|| format!("known: {}", SymbolKind::ALL.map(SymbolKind::word).join(", ")))
}
