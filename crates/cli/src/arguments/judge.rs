//! The options of `formicary judge`.

use super::cluster::ClusterArguments;
use super::environment::IsolationArguments;
use super::limits::LimitArguments;
use super::packages::PackageArguments;
use clap::{Args, ValueEnum};
use formicary_model::Comparison;
use std::path::PathBuf;

/// Options of `judge`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct JudgeArguments {
    /// Programs (files or directories), or one file of items (*.jsonl, or - for stdin)
    #[arg(value_name = "PROGRAM|ITEMS.jsonl|-", required = true)]
    pub paths: Vec<PathBuf>,
    /// A directory of cases: *.in with *.out or *.ans, also in sample/ and secret/
    #[arg(long, value_name = "DIR")]
    pub cases: Option<PathBuf>,
    /// A unit-test file to run with each program; exit code 0 passes
    #[arg(long, value_name = "FILE", conflicts_with = "cases")]
    pub test: Option<PathBuf>,
    /// The problems file for samples without tests, such as HumanEval.jsonl
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cases", "test"])]
    pub problems: Option<PathBuf>,
    /// The language [default: detected from name and content]
    #[arg(long, short = 'l', value_name = "LANG")]
    pub language: Option<String>,
    /// A compiler flag, as in --flag=-std=c++20; repeatable
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    pub flags: Vec<String>,

    /// How to compare output: exact, trimmed, tokens or numeric
    #[arg(
        long,
        value_name = "MODE",
        default_value = "trimmed",
        hide_possible_values = true,
        help_heading = "Verdicts"
    )]
    pub compare: Mode,
    /// Absolute or relative tolerance for numbers; implies --compare numeric
    #[arg(long, value_name = "NUMBER", value_parser = tolerance, help_heading = "Verdicts")]
    pub tolerance: Option<f64>,
    /// A checker program: gets the files input, output, expected; exits with 0, 1 or 2
    #[arg(long, value_name = "FILE", help_heading = "Verdicts")]
    pub checker: Option<PathBuf>,
    /// Stop a program's cases at the first that is not accepted
    #[arg(long, help_heading = "Verdicts")]
    pub fail_fast: bool,
    /// The values of k for pass@k, if items have groups
    #[arg(
        long = "pass-at",
        value_name = "K,...",
        value_delimiter = ',',
        default_value = "1,10,100",
        help_heading = "Verdicts"
    )]
    pub pass_at: Vec<u64>,

    /// Programs at a time [default and maximum: the number of cores]
    #[arg(long, short = 'j', value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Input and output")]
    pub jobs: Option<u16>,
    /// Write results to a new file, one JSON line each
    #[arg(long, short = 'o', value_name = "FILE", help_heading = "Input and output")]
    pub out: Option<PathBuf>,
    /// Resume from a results file: skip what it already holds
    #[arg(long, value_name = "FILE", conflicts_with = "out", help_heading = "Input and output")]
    pub resume: Option<PathBuf>,
    /// The order of results: input or completion
    #[arg(
        long,
        value_name = "ORDER",
        default_value = "input",
        hide_possible_values = true,
        help_heading = "Input and output"
    )]
    pub order: ResultOrder,
    /// Print only errors on stderr
    #[arg(long, short = 'q', help_heading = "Input and output")]
    pub quiet: bool,
    /// Compile without reading or writing the cache
    #[arg(long, help_heading = "Input and output")]
    pub no_cache: bool,

    #[command(flatten)]
    pub isolation: IsolationArguments,
    #[command(flatten)]
    pub cluster: ClusterArguments,
    #[command(flatten)]
    pub packages: PackageArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// How output is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    Exact,
    Trimmed,
    Tokens,
    Numeric,
}

/// In which order results come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ResultOrder {
    Input,
    Completion,
}

impl JudgeArguments {
    /// How output is compared.
    pub fn comparison(&self) -> Comparison {
        let numeric = |tolerance| Comparison::Numeric { absolute: tolerance, relative: tolerance };
        match (self.tolerance, self.compare) {
            (Some(tolerance), _) => numeric(tolerance),
            (None, Mode::Exact) => Comparison::Exact,
            (None, Mode::Trimmed) => Comparison::Trimmed,
            (None, Mode::Tokens) => Comparison::Tokens,
            (None, Mode::Numeric) => numeric(1e-6),
        }
    }
}

const EXAMPLES: &str = "\
Verdicts: accepted, wrong_answer, presentation_error, time_limit, memory_limit, output_limit,
runtime_error, compile_error.

An item is a line like this:
  {\"id\": \"a\", \"language\": \"python\", \"code\": \"print(int(input()) * 2)\",
   \"cases\": [{\"stdin\": \"2\", \"expected\": \"4\"}], \"group\": \"double\"}
with \"files\" and \"entry\" instead of \"code\", \"test\" to append unit tests, and \"limits\",
\"compare\", \"checker\" to override. HumanEval's format (task_id, prompt, completion, test,
entry_point) is accepted too; samples with only task_id and completion need --problems.

Examples:
  formicary judge solve.py --cases tests/
  formicary judge a.cpp b.cpp c.cpp --cases tests/ --fail-fast --timeout 2s --memory 256MiB
  formicary judge solve.py --cases tests/ --checker check.cpp
  formicary judge solution.py --test test_solution.py
  formicary judge solution.py --test test_solution.py --requirements numpy
  formicary judge items.jsonl --out results.jsonl
  formicary judge items.jsonl --resume results.jsonl
  formicary judge items.jsonl --out results.jsonl --cluster nats://127.0.0.1:4222
  formicary judge samples.jsonl --problems HumanEval.jsonl --out results.jsonl --pass-at 1,5,10

Exit code 0 where every program is accepted, 1 where some is not or could not be judged.";

fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number >= 0.0 && number.is_finite());
    number.ok_or_else(|| "give a number such as 1e-6".into())
}
