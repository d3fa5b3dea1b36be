//! Programs judged against test cases: what is asked, and what came of it.

use crate::use_case::{Input, Judge, Purpose};
use crate::{
    CompileResult, Environment, ErrorCategory, Failure, FailureKind, LimitOverrides, SourceFile, Usage,
};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What a judge says of a program, or of one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As expected.
    Accepted,
    /// It ended well and wrote something else.
    WrongAnswer,
    /// It wrote what was expected, but for white space.
    PresentationError,
    /// Its wall-clock or CPU time ran out.
    TimeLimit,
    /// It wanted more memory than it may have.
    MemoryLimit,
    /// It wrote more than it may.
    OutputLimit,
    /// It ended with a non-zero exit code or by a signal, or hit another limit.
    RuntimeError,
    /// It did not compile.
    CompileError,
}

crate::words!(Verdict {
    Accepted => "accepted",
    WrongAnswer => "wrong_answer",
    PresentationError => "presentation_error",
    TimeLimit => "time_limit",
    MemoryLimit => "memory_limit",
    OutputLimit => "output_limit",
    RuntimeError => "runtime_error",
    CompileError => "compile_error",
});

/// How what a program wrote is compared with what was expected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Comparison {
    /// Byte by byte.
    Exact,
    /// White space at the end of lines and of the whole does not count.
    #[default]
    Trimmed,
    /// Only the words count, not the white space between them.
    Tokens,
    /// As tokens, and numbers may differ a little.
    Numeric {
        /// By this much.
        #[serde(default = "tolerance")]
        absolute: f64,
        /// Or by this share of the expected number.
        #[serde(default = "tolerance")]
        relative: f64,
    },
}

/// The tolerance where none is given.
const fn tolerance() -> f64 {
    1e-6
}

/// Programs to judge, and how.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields, extend("required" = ["items"]))]
pub struct JudgeInput {
    /// The programs with their cases.
    pub items: Vec<JudgeEntry>,
    /// The language of those that name none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// How outputs are compared where an item does not say.
    pub compare: Comparison,
    /// Where the programs run; its limits are those of each case where an item does not say.
    #[serde(flatten)]
    pub environment: Environment,
    /// Limits of the compile step that differ from the configured ones.
    pub compile_limits: LimitOverrides,
    /// Extra flags for the compiler where an item does not say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compiler_flags: Vec<String>,
    /// Whether a program's cases end with the first that is not accepted.
    pub fail_fast: bool,
    /// Programs at a time; as many as may be admitted if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jobs: Option<usize>,
    /// The k for which pass@k is wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pass_at: Vec<u64>,
}

impl Input for JudgeInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        if self.items.is_empty() {
            let failure =
                Failure::new(FailureKind::InvalidInput, "there is nothing to judge: items is empty");
            return Err(failure.hint("give items with code and cases"));
        }
        judge.count("items", self.items.len())?;
        judge.own("jobs", self.jobs.is_some())?;
        judge.environment(&mut self.environment, Purpose::Run)?;
        judge.limits(&mut self.compile_limits)?;
        for entry in &mut self.items {
            if let JudgeEntry::Item(item) = entry {
                item.limits = item.limits.clone().or(&self.environment.limits);
                judge.limits(&mut item.limits)?;
            }
        }
        Ok(())
    }
}

/// One program to be judged: of our own form, or of a data set's.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum JudgeEntry {
    /// Of HumanEval's form.
    DataSet(DataSetItem),
    /// Of our own.
    Item(Box<JudgeItem>),
}

impl<'de> Deserialize<'de> for JudgeEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Which form is meant, its fields say; then what is wrong is what is wrong with that form.
        let value = Value::deserialize(deserializer)?;
        let read = match value.get("task_id") {
            Some(_) => serde_json::from_value(value).map(Self::DataSet),
            None => serde_json::from_value(value).map(Self::Item),
        };
        read.map_err(serde::de::Error::custom)
    }
}

/// A sample of HumanEval's form; further fields are the data set's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataSetItem {
    /// The task that it answers.
    pub task_id: String,
    /// Prompt, completion, test and whatever the data set has.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

/// What came of all programs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeReport {
    /// Each program, in the order of the request.
    pub results: Vec<JudgeResult>,
    /// The figures.
    pub summary: JudgeSummary,
}

/// One program to be judged, as a line of JSON.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct JudgeItem {
    /// Names it in the results; the line's number where absent.
    #[serde(deserialize_with = "word", skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Several answers to one problem share a group: pass@k is counted over groups.
    #[serde(deserialize_with = "word", skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// A language's identifier or alias; found out from the code where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The code, where it is one file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Bytes>,
    /// The files, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<SourceFile>,
    /// The file to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// Code appended to the program: unit tests that end it with a non-zero exit code where they fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// The cases; none: the program is run once and must end with exit code 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<JudgeCase>,
    /// Limits of each case that differ from the configured ones.
    pub limits: LimitOverrides,
    /// Extra flags for the compiler.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compiler_flags: Vec<String>,
    /// How outputs are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compare: Option<Comparison>,
    /// A program that decides in the place of a comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checker: Option<CheckerProgram>,
}

/// One case: what goes in and what should come out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct JudgeCase {
    /// Its name; its number where absent.
    #[serde(deserialize_with = "word", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Standard input.
    #[serde(with = "crate::request::bytes", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "crate::request::bytes::Wire")]
    pub stdin: Vec<u8>,
    /// What must be written; absent: exit code 0 is enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Bytes>,
}

/// A program that is given the input, the output and the expected output as files, in this order, and says by its
/// exit code: 0 (or 42) accepted, 1 (or 43) wrong answer, 2 presentation error. It is confined as all others are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckerProgram {
    /// A language's identifier or alias; found out from the code where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Its code.
    pub code: String,
}

/// Bytes: a string where they are UTF-8, else `{"base64": "…"}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bytes(#[serde(with = "crate::request::bytes")] pub Vec<u8>);

impl JsonSchema for Bytes {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        crate::request::bytes::Wire::schema_name()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        crate::request::bytes::Wire::schema_id()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        crate::request::bytes::Wire::json_schema(generator)
    }
}

/// What came of one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseResult {
    /// The case's name.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Seconds from the program's start to its end.
    pub duration: f64,
    /// What it used.
    pub usage: Usage,
    /// Exit code, if it exited.
    pub exit_code: Option<i32>,
    /// The signal's number, if one ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// One line for people: what differs, what went wrong. Absent where it is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What the language calls the error that ended the program: `SyntaxError`, `AssertionError`, `panic`. Present beside
    /// `runtime_error`, where the program's error output names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_type: Option<String>,
    /// What kind of error that is, in whatever language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_category: Option<ErrorCategory>,
}

/// What came of one program: a line of the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeResult {
    /// The item's name.
    pub id: String,
    /// The line of the input, or the program's number.
    pub line: u64,
    /// The item's group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The language's identifier, where it got that far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Accepted, or the verdict of the first case that is not; absent where Formicary could not judge.
    pub verdict: Option<Verdict>,
    /// Cases that are accepted.
    pub passed: u64,
    /// Cases that there are.
    pub total: u64,
    /// Each case in order, up to the first failure where the rest was not wanted.
    pub cases: Vec<CaseResult>,
    /// The compile step, for languages that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compile: Option<CompileResult>,
    /// Why Formicary could not judge it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
}

/// A reason for which programs could not be judged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotJudged {
    /// The reason.
    pub reason: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// How many programs.
    pub count: u64,
    /// The line of the first of them.
    pub first_line: u64,
}

/// All results in figures.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeSummary {
    /// Programs with a result, those of an earlier run among them.
    pub items: u64,
    /// Of these, how many an earlier run had judged.
    pub resumed: u64,
    /// Programs by verdict.
    pub verdicts: BTreeMap<Verdict, u64>,
    /// Programs that could not be judged.
    pub errors: u64,
    /// Why these could not be judged, the most frequent reason first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_judged: Vec<NotJudged>,
    /// Cases judged, those of an earlier run among them.
    pub cases: u64,
    /// Seconds of this run.
    pub seconds: f64,
    /// Programs judged in a second of this run.
    pub items_per_second: f64,
    /// Cases judged in a second of this run.
    pub cases_per_second: f64,
    /// Groups, where there are some.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub groups: u64,
    /// The chance that one of k answers to a problem is accepted, by k: the unbiased estimate, over all groups that
    /// have at least k answers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pass_at: BTreeMap<u64, f64>,
}

impl JudgeSummary {
    /// Whether every program was judged and accepted.
    pub fn all_accepted(&self) -> bool {
        self.errors == 0 && self.verdicts.keys().all(|verdict| *verdict == Verdict::Accepted)
    }
}

const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Names in data sets are words or numbers.
fn word<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Wire {
        Word(String),
        Whole(i64),
        Real(f64),
    }
    Ok(Option::<Wire>::deserialize(deserializer)?.map(|wire| match wire {
        Wire::Word(word) => word,
        Wire::Whole(number) => number.to_string(),
        Wire::Real(number) => number.to_string(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_word_is_the_displayed_word() {
        for verdict in Verdict::ALL {
            assert_eq!(serde_json::to_string(&verdict).unwrap(), format!("\"{verdict}\""));
        }
    }

    #[test]
    fn items_are_read() {
        let item: JudgeItem = serde_json::from_str(
            r#"{"id": 7, "group": "a", "code": "print(1)", "cases": [{"expected": "1"}, {"stdin": {"base64": "/w=="}}],
                "compare": {"numeric": {"absolute": 0.5}}, "limits": {"wall_seconds": 2}}"#,
        )
        .unwrap();
        assert_eq!((item.id.as_deref(), item.group.as_deref()), (Some("7"), Some("a")));
        assert_eq!(item.cases[0].expected, Some(Bytes(b"1".to_vec())));
        assert_eq!(item.cases[1].stdin, [0xff]);
        assert_eq!(item.compare, Some(Comparison::Numeric { absolute: 0.5, relative: 1e-6 }));
        assert!(serde_json::from_str::<JudgeItem>(r#"{"cod": ""}"#).is_err());
    }

    #[test]
    fn items_of_both_forms_are_read_and_what_is_wrong_is_named() {
        let read =
            |items: Value| crate::use_case::read::<JudgeInput>(serde_json::json!({ "items": items }), None);
        let both = serde_json::json!([
            { "code": "print(1)", "cases": [{ "expected": "1" }] },
            { "task_id": "HumanEval/0", "completion": "1", "test": "", "difficulty": "easy" },
        ]);
        let input = read(both.clone()).unwrap();
        assert!(matches!(input.items[..], [JudgeEntry::Item(_), JudgeEntry::DataSet(_)]), "{input:?}");
        assert_eq!(serde_json::to_value(&input.items[1]).unwrap(), both[1]);
        for (item, named) in [
            (serde_json::json!({ "cod": "1" }), "items.0.cod"),
            (serde_json::json!({ "code": "1", "cases": [{ "expcted": "1" }] }), "items.0.cases.0.expcted"),
            (serde_json::json!({ "code": "1", "language": 7 }), "invalid type"),
        ] {
            let failure = read(serde_json::json!([item])).unwrap_err();
            assert!(failure.message.contains(named), "{failure}");
        }
    }
}
