//! Options of `search`, `rewrite`, `symbols`, `callers`, `callees` and `deps`.

use clap::Args;
use formicary_model::patterns::SymbolKind;
use std::path::PathBuf;

const SEARCH_HELP: &str = "\
A pattern is code with metavariables: $X matches one node, $$$REST any number of nodes, $_ and $$$
the same without capturing. The same name twice must match the same code. Keyword arguments match in
any order; names are resolved through imports and their aliases.

Exit code 0 if something matches, 1 if nothing does.

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
    /// The pattern; a path if --rule is given
    #[arg(value_name = "PATTERN")]
    pub pattern: Option<String>,
    /// Files and directories [default: the current directory]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The language of the pattern [default: every language that can parse it]
    #[arg(long, short, value_name = "LANGUAGE")]
    pub language: Option<String>,
    /// Search by rules instead of a pattern: a YAML file, a directory of them, the name of a
    /// shipped rule, anti-pattern, design-pattern, or all; repeatable
    #[arg(long, short, value_name = "RULE")]
    pub rule: Vec<String>,
    /// Explain why nothing matches: the nearest miss and how it differs
    #[arg(long)]
    pub explain: bool,
    /// Print only file names
    #[arg(long)]
    pub files: bool,
    /// Print at most this many matches
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

const REWRITE_HELP: &str = "\
Shows a diff; nothing is written without --write or --interactive. Where pattern and template agree,
the file keeps its bytes. A file whose result would not parse is left alone and reported.

Examples:
  formicary rewrite '$X == None' --to '$X is None' -l python
  formicary rewrite 'os.path.join($$$A)' --to 'Path($$$A)' src --write
  formicary rewrite --rule my-rules.yml --interactive
  formicary rewrite --undo";

/// Options of `rewrite`.
#[derive(Debug, Args)]
#[command(after_help = REWRITE_HELP)]
pub struct RewriteArguments {
    /// The pattern to replace; a path if --rule is given
    #[arg(value_name = "PATTERN")]
    pub pattern: Option<String>,
    /// Files and directories [default: the current directory]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The replacement
    #[arg(long, value_name = "TEMPLATE", allow_hyphen_values = true)]
    pub to: Option<String>,
    /// The language of the pattern [default: every language that can parse it]
    #[arg(long, short, value_name = "LANGUAGE")]
    pub language: Option<String>,
    /// Apply the fixes of rules instead of a pattern
    #[arg(long, short, value_name = "RULE", conflicts_with = "to")]
    pub rule: Vec<String>,
    /// Write the files
    #[arg(long, short)]
    pub write: bool,
    /// Confirm each file, then write
    #[arg(long, short)]
    pub interactive: bool,
    /// Undo the last written change, or the one of this name
    #[arg(long, value_name = "CHANGE", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with_all = ["pattern", "to", "rule", "write", "interactive"])]
    pub undo: Option<String>,
}

/// Which part of a project the index is of.
#[derive(Debug, Args)]
pub struct IndexScope {
    /// The project or a part of it [default: the current directory]
    #[arg(long = "in", value_name = "PATH")]
    pub within: Vec<PathBuf>,
}

/// Options of `symbols`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  formicary symbols\n  formicary symbols src/core\n  formicary symbols parse src --kind function\n  formicary symbols Reader.read --references --json"
)]
pub struct SymbolsArguments {
    /// A name, a path such as Class.method, or a part of one; or a file or directory
    pub name: Option<String>,
    /// Files and directories [default: the current directory]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub scope: IndexScope,
    /// Only this kind: function, method, class, interface, enum, module, alias, variable
    #[arg(long, value_name = "KIND", value_parser = symbol_kind)]
    pub kind: Option<SymbolKind>,
    /// Also list references
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
    /// Files and directories [default: the current directory]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub scope: IndexScope,
    /// The depth of calls to follow
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub depth: usize,
    /// Only calls that are certain
    #[arg(long)]
    pub certain: bool,
}

/// Options of `deps`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  formicary deps\n  formicary deps src\n  formicary deps src/app.py\n  formicary deps src/util.py --reverse\n  formicary deps --external"
)]
pub struct DepsArguments {
    /// Only the dependencies of this file or directory
    #[arg(value_name = "PATH")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub scope: IndexScope,
    /// List what depends on it instead
    #[arg(long, requires = "file")]
    pub reverse: bool,
    /// Include modules from outside the project
    #[arg(long)]
    pub external: bool,
}

fn symbol_kind(word: &str) -> Result<SymbolKind, String> {
    SymbolKind::from_word(word)
        .ok_or_else(|| format!("known: {}", SymbolKind::ALL.map(SymbolKind::word).join(", ")))
}
