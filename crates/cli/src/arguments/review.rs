//! Options of `review`, `gate`, `metrics` and `rules`.

use clap::{Args, ValueEnum};
use formicary_model::review::{Category, Severity};
use formicary_platform::review::Format;
use std::path::PathBuf;

/// What is reviewed; `review`, `gate` and `metrics` share it.
#[derive(Debug, Args)]
pub struct ScopeArguments {
    /// Files and directories [default: the current directory]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Judge only what a change made worse: a git range or revision, a directory with the old
    /// version, or a diff file
    #[arg(long, value_name = "RANGE|FOLDER|DIFF", allow_hyphen_values = false)]
    pub new: Option<String>,
    /// The baseline file [default: the project's]
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// The history file [default: the project's]
    #[arg(long, value_name = "FILE")]
    pub history: Option<PathBuf>,
    /// Also run external tools if installed: ruff, eslint, …, or all
    #[arg(long, value_name = "TOOL,…", value_delimiter = ',')]
    pub tools: Vec<String>,
    /// A gate, replacing the project's: score=75, findings.high=0; repeatable
    #[arg(long, value_name = "METRIC=NUMBER", value_parser = threshold)]
    pub gate: Vec<(String, f64)>,
    /// Do not use the incremental cache
    #[arg(long)]
    pub no_cache: bool,
    /// Show no progress and no warnings
    #[arg(long, short)]
    pub quiet: bool,
}

const REVIEW_HELP: &str = "\
Exit code 0 if nothing reaches --fail-on, 1 if something does. With --new, only findings that the
change introduced count.

Examples:
  formicary review
  formicary review src --types security,lint --severity medium
  formicary review --new main...HEAD --format github
  formicary review --new HEAD -o report.html -o report.sarif
  formicary review --fix
  formicary review --write-baseline";

/// Options of `review`.
#[derive(Debug, Args)]
#[command(after_help = REVIEW_HELP)]
pub struct ReviewArguments {
    #[command(flatten)]
    pub scope: ScopeArguments,
    /// Show only these kinds of findings
    #[arg(long, value_name = "TYPE,…", value_delimiter = ',', value_parser = category)]
    pub types: Vec<Category>,
    /// Show findings from this severity up: info, low, medium, high, critical
    #[arg(long, value_name = "SEVERITY", value_parser = severity)]
    pub severity: Option<Severity>,
    /// Show at most this many findings
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// The severity from which findings fail the review, or never [default: high, or the
    /// project's setting]
    #[arg(long, value_name = "SEVERITY", value_parser = fail_on)]
    pub fail_on: Option<FailOn>,
    /// The format on stdout
    #[arg(long, value_name = "FORM", conflicts_with = "json")]
    pub format: Option<Form>,
    /// Write the report to a file; its extension selects the format (json, sarif, html, md, xml,
    /// csv, txt); repeatable
    #[arg(long, short, value_name = "FILE")]
    pub output: Vec<PathBuf>,
    /// Apply safe fixes, which do not change what the program does
    #[arg(long)]
    pub fix: bool,
    /// Also apply fixes that may change what the program does
    #[arg(long = "unsafe", requires = "fix")]
    pub unsafe_fixes: bool,
    /// Show fixes as a diff without writing them
    #[arg(long, requires = "fix")]
    pub dry_run: bool,
    /// Write all open findings to the baseline
    #[arg(long, conflicts_with_all = ["new", "fix"])]
    pub write_baseline: bool,
    /// Append this review to the history
    #[arg(long)]
    pub record: bool,
}

const GATE_HELP: &str = "\
Gates are set under [review.gate] in formicary.toml. By default no new finding may be high or worse
and every file must parse. A change (--new) is judged by the gates from before it; files that it
breaks, hides or deletes, new suppressions and loosened settings count against it.

Exit code 0 if every gate passes, 1 if one fails.

Examples:
  formicary gate
  formicary gate --new origin/main...HEAD";

/// Options of `gate`.
#[derive(Debug, Args)]
#[command(after_help = GATE_HELP)]
pub struct GateArguments {
    #[command(flatten)]
    pub scope: ScopeArguments,
}

/// Options of `metrics`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  formicary metrics src\n  formicary metrics --by function --limit 20\n  formicary metrics --json"
)]
pub struct MetricsArguments {
    #[command(flatten)]
    pub scope: ScopeArguments,
    /// The unit of a row
    #[arg(long, value_name = "WHAT", default_value = "file")]
    pub by: By,
    /// Show at most this many rows
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: usize,
}

/// Options of `rules`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  formicary rules\n  formicary rules unused-import\n  formicary rules --json\n  formicary rules test\n  formicary rules test my-rules/"
)]
pub struct RulesArguments {
    /// A rule to explain, with examples; `test` runs the tests of pattern rules
    pub rule: Option<String>,
    /// With `test`: files and directories of pattern rules, or names of shipped ones [default:
    /// all shipped]
    #[arg(value_name = "PATTERN RULE")]
    pub tested: Vec<String>,
    /// Only rules of these kinds
    #[arg(long, value_name = "TYPE,…", value_delimiter = ',', value_parser = category)]
    pub types: Vec<Category>,
}

/// What a line of `metrics` is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum By {
    File,
    Function,
    Class,
    Module,
}

/// The forms of a report, as clap knows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form(pub Format);

impl ValueEnum for Form {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Form; 8] = {
            let mut all = [Form(Format::Terminal); 8];
            let mut index = 0;
            while index < all.len() {
                all[index] = Form(Format::ALL[index]);
                index += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.0.word()))
    }
}

/// From which severity on a review fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailOn {
    /// From this one.
    From(Severity),
    /// Whatever was found.
    Never,
}

fn threshold(text: &str) -> Result<(String, f64), String> {
    let (metric, number) = text.split_once('=').ok_or("write METRIC=NUMBER")?;
    let number = number.trim().parse().map_err(|_| format!("{number} is not a number"))?;
    Ok((metric.trim().to_owned(), number))
}

fn category(word: &str) -> Result<Category, String> {
    Category::from_word(word).ok_or_else(|| unknown(word, &Category::ALL.map(Category::word)))
}

fn severity(word: &str) -> Result<Severity, String> {
    Severity::from_word(word).ok_or_else(|| unknown(word, &Severity::ALL.map(Severity::word)))
}

fn fail_on(word: &str) -> Result<FailOn, String> {
    if word == "never" { Ok(FailOn::Never) } else { severity(word).map(FailOn::From) }
}

fn unknown(word: &str, known: &[&str]) -> String {
    match formicary_model::suggest::nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("known: {}", known.join(", ")),
    }
}
