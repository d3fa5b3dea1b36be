//! What debugging takes: a program that fails or what one wrote, a program to fix by its tests, a program to look into.

use crate::use_case::{Code, Input, Judge, Number, Purpose};
use crate::{
    Breakpoint, Diagnosis, Environment, ExecutionRequest, ExecutionResult, Failure, FailureKind,
    InspectRequest,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A program to run and to diagnose, or what one wrote elsewhere.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct DiagnoseInput {
    /// The program. Beside `text` its files are the sources that the text speaks of, and nothing is run.
    #[serde(flatten)]
    pub program: ExecutionRequest,
    /// What a program or a compiler wrote elsewhere: read in the place of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Input for DiagnoseInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        self.program.judge_path(judge)?;
        // Commands build and test.
        let purpose = if self.program.command.is_some() { Purpose::Tests } else { Purpose::Run };
        judge.environment(&mut self.program.environment, purpose)?;
        judge.limits(&mut self.program.compile_limits)?;
        judge.collect(&mut self.program.collect);
        Ok(())
    }
}

/// What went wrong, and the run if there was one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiagnoseReport {
    /// What went wrong; no errors if nothing did.
    pub diagnosis: Diagnosis,
    /// The run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ExecutionResult>,
}

/// A program to fix, and how it is tested.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct FixInput {
    /// The program: the file that may be changed, or the directory of all that may.
    #[serde(flatten)]
    pub code: Code,
    /// A snippet to fix, in the place of files.
    #[serde(rename = "code", skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    /// The language of the snippet; detected if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The test command, as in `python3 -m pytest test_gcd.py`: it fails if a test fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// A file of tests, or of JSON cases, in the place of `test`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<String>,
    /// The output that the program should give, in the place of `test`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect: Option<String>,
    /// The input that goes with the expected output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    /// A file with the expected output, in the place of `expect`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect_file: Option<String>,
    /// A file with the input, in the place of `stdin`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin_file: Option<String>,
    /// Seconds in all.
    pub seconds: Number<60, 1, 3600>,
    /// Candidates that are judged, at most.
    pub candidates: Number<60_000, 1, 10_000_000>,
    /// Whether the best verified patch is written.
    pub write: bool,
    /// Whether Python packages that the program imports and that are missing are installed for its runs.
    pub install: bool,
    /// A language model that is asked where rules and search find nothing, as in `openai:gpt-4o`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// A file that keeps the model's answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// How often the model is asked, at most.
    pub rounds: Number<4, 1, 50>,
    /// Tokens that the model may read and write.
    pub tokens: Number<200_000, 1, 100_000_000>,
    /// Money that the model may cost, in the currency of `llm.prices`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub money: Option<f64>,
    /// Where the program and its tests run.
    #[serde(flatten)]
    pub environment: Environment,
}

impl Input for FixInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        self.check()?;
        if self.snippet.is_none() {
            judge.code(&mut self.code)?;
        }
        for (field, path) in [
            ("tests", &mut self.tests),
            ("expect_file", &mut self.expect_file),
            ("stdin_file", &mut self.stdin_file),
        ] {
            if let Some(path) = path {
                judge.project_path(field, path)?;
            }
        }
        judge.environment(&mut self.environment, Purpose::Tests)?;
        judge.own("model", self.model.is_some())?;
        judge.own("record", self.record.is_some())?;
        judge.write(self.write)?;
        judge.seconds("seconds", self.seconds.get())
    }
}

impl FixInput {
    fn check(&self) -> Result<(), Failure> {
        let wrong = |message: &str, hint: &str| {
            Err(Failure::new(FailureKind::InvalidInput, message).code("input.fix").hint(hint))
        };
        let given = |fields: &[bool]| fields.iter().filter(|given| **given).count();
        let expected = self.expect.is_some() || self.expect_file.is_some();
        if given(&[self.test.is_some(), self.tests.is_some(), expected]) > 1 {
            return wrong("several of test, tests and expect are given", "give one of them");
        }
        if given(&[self.expect.is_some(), self.expect_file.is_some()]) > 1
            || given(&[self.stdin.is_some(), self.stdin_file.is_some()]) > 1
        {
            return wrong("a text and a file are given for the same", "give one of both");
        }
        if !expected && (self.stdin.is_some() || self.stdin_file.is_some()) {
            return wrong("stdin is given without expect", "say which output goes with that input");
        }
        if self.snippet.is_some() && !(self.code.files.is_empty() && self.code.paths.is_empty()) {
            return wrong("code and files or paths are given together", "give one of them");
        }
        if self.snippet.is_some() && self.write {
            return wrong("a snippet has no file that could be written", "take the patch of the report");
        }
        if self.language.is_some() && self.snippet.is_none() {
            return wrong("language is given without code", "leave it out: files tell theirs by their names");
        }
        if self.code.paths.len() > 1 {
            return wrong(
                "several paths are given",
                "name one file, or the directory of all that may be changed",
            );
        }
        Ok(())
    }
}

/// A program to look into while it runs, where it stops, and what to look at there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct InspectInput {
    /// The program.
    #[serde(flatten)]
    pub program: ExecutionRequest,
    /// Where to stop: `FILE:LINE`, `LINE` or `FUNCTION`, each with ` if CONDITION` behind it if need be. What ends the
    /// program stops it in any case.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breakpoints: Vec<BreakpointInput>,
    /// `PLACE=TEXT`: notes the text without stopping; `{expression}` in it stands for its value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<String>,
    /// Expressions to evaluate at every stop, in the language of the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub print: Vec<String>,
    /// Whether exceptions that the program itself catches stop it too.
    pub every_exception: bool,
    /// After so many stops the program is ended.
    pub stops: Number<20, 1, 1000>,
    /// The debugger: `bdb`, `debugpy`, `gdb`, `lldb` or `delve`; the one that suits the language and is there if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
}

/// A place to stop at, as text or by its parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "a breakpoint is FILE:LINE, LINE, FUNCTION, or an object with line or function"
)]
pub enum BreakpointInput {
    /// `FILE:LINE`, `LINE` or `FUNCTION`, each with ` if CONDITION` behind it if need be.
    Text(String),
    /// By its parts.
    Parts(Breakpoint),
}

/// Places to stop at, and expressions to evaluate at each.
const MOST_PLACES: usize = 200;

impl Input for InspectInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        self.request()?;
        self.program.parts(judge)
    }
}

impl InspectInput {
    /// What is looked for.
    pub fn request(&self) -> Result<InspectRequest, Failure> {
        let lengths =
            [("breakpoints", self.breakpoints.len()), ("logs", self.logs.len()), ("print", self.print.len())];
        if let Some((name, count)) = lengths.iter().find(|(_, count)| *count > MOST_PLACES) {
            return Err(invalid(
                format!("{name} holds {count}, it may hold at most {MOST_PLACES}"),
                "leave some out",
            ));
        }
        let mut breakpoints = Vec::new();
        for (at, point) in self.breakpoints.iter().enumerate() {
            breakpoints.push(match point {
                BreakpointInput::Text(text) => checked(Breakpoint::read(text), &format!("{text:?}"))?,
                BreakpointInput::Parts(point) => checked(point.clone(), &format!("breakpoints.{at}"))?,
            });
        }
        for text in &self.logs {
            let Some((place, log)) = text.split_once('=') else {
                return Err(invalid(format!("log {text:?} has no text"), "write it as FILE:LINE=TEXT"));
            };
            let point = checked(Breakpoint::read(place), &format!("{place:?}"))?;
            breakpoints.push(Breakpoint { log: Some(log.to_owned()), ..point });
        }
        Ok(InspectRequest {
            breakpoints,
            every_exception: self.every_exception,
            print: self.print.clone(),
            most_stops: self.stops.count() as u32,
            adapter: self.adapter.clone(),
        })
    }
}

/// A breakpoint that names one place.
fn checked(point: Breakpoint, shown: &str) -> Result<Breakpoint, Failure> {
    let right = match (&point.function, &point.file, point.line) {
        (Some(function), None, None) => !function.trim().is_empty(),
        (None, _, Some(line)) => line > 0,
        _ => false,
    };
    if right {
        return Ok(point);
    }
    Err(invalid(
        format!("breakpoint {shown} names no place, or two"),
        "write FILE:LINE, a line from 1, or a function; behind it, if need be, \" if CONDITION\"",
    ))
}

fn invalid(message: impl Into<String>, hint: &str) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).code("input.inspect").hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::use_case::read;
    use serde_json::{Value, json};

    #[test]
    fn places_are_read_and_refused() {
        let request = |value: Value| read::<InspectInput>(value, None).and_then(|input| input.request());
        let found = request(json!({
            "code": "x", "breakpoints": ["a.py:3 if x == 1", { "function": "f" }], "logs": ["f=n is {n == 1}"],
        }));
        let InspectRequest { breakpoints, most_stops, .. } = found.unwrap();
        let [stop, function, log] = breakpoints.as_slice() else { panic!("{breakpoints:?}") };
        assert_eq!((stop.line, stop.condition.as_deref()), (Some(3), Some("x == 1")));
        assert_eq!(function.function.as_deref(), Some("f"));
        assert_eq!((log.function.as_deref(), log.log.as_deref()), (Some("f"), Some("n is {n == 1}")));
        assert_eq!(most_stops, 20);
        let many: Vec<String> = (1..=201).map(|line| line.to_string()).collect();
        for (wrong, expected) in [
            (json!({ "breakpoints": [""] }), "names no place"),
            (json!({ "breakpoints": ["a.py:0"] }), "names no place"),
            (json!({ "breakpoints": [" if x"] }), "names no place"),
            (json!({ "breakpoints": [{}] }), "names no place"),
            (json!({ "breakpoints": [{ "line": 1, "function": "f" }] }), "names no place, or two"),
            (json!({ "breakpoints": [{ "lines": 1 }] }), "lines"),
            (json!({ "breakpoints": many }), "holds 201"),
            (json!({ "logs": ["a.py:3"] }), "has no text"),
            (json!({ "logs": ["=text"] }), "names no place"),
            (json!({ "stops": 0 }), "stops is 0"),
            (json!({ "stops": 1001 }), "stops is 1001"),
        ] {
            let failure = request(wrong.clone()).unwrap_err();
            assert!(failure.message.contains(expected) && failure.hint.is_some(), "{wrong}: {failure:?}");
        }
    }

    #[test]
    fn one_way_to_tell_right_from_wrong_is_given() {
        let checked = |value: Value| read::<FixInput>(value, None).and_then(|input| input.check());
        for right in [
            json!({}),
            json!({ "paths": ["a.py"], "test": "pytest" }),
            json!({ "code": "print(1)", "expect": "2\n", "stdin": "" }),
            json!({ "expect_file": "out.txt", "stdin_file": "in.txt" }),
        ] {
            assert!(checked(right.clone()).is_ok(), "{right}");
        }
        for wrong in [
            json!({ "test": "a", "tests": "b" }),
            json!({ "test": "a", "expect": "b" }),
            json!({ "expect": "a", "expect_file": "b" }),
            json!({ "stdin": "a" }),
            json!({ "language": "python", "paths": ["a.py"] }),
            json!({ "code": "a", "paths": ["b"] }),
            json!({ "code": "a", "write": true }),
            json!({ "paths": ["a", "b"] }),
            json!({ "seconds": 0 }),
        ] {
            assert!(checked(wrong.clone()).unwrap_err().hint.is_some(), "{wrong}");
        }
    }
}
