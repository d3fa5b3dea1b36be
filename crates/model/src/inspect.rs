//! A look into a running program: where to stop, and what was seen there.

use crate::StackFrame;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a program is to stop, and what to look at there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct InspectRequest {
    /// The places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breakpoints: Vec<Breakpoint>,
    /// Whether exceptions that the program itself catches stop it too. What ends it always does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub every_exception: bool,
    /// Expressions to evaluate at every stop, in the language of the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub print: Vec<String>,
    /// After this many stops the program is ended; 0 for the default.
    pub most_stops: u32,
    /// The debugger, such as `lldb` or `debugpy`; absent: the one that suits the language and is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
}

/// A place to stop at: a line, or a function.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Breakpoint {
    /// The file, relative to the program's folder. Absent: the file that is run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The function, instead of a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Stops only where this holds, in the language of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Does not stop but notes this text, in which `{expression}` stands for its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
}

impl Breakpoint {
    /// The place as a person writes it.
    pub fn place(&self) -> String {
        match (&self.function, &self.file, self.line) {
            (Some(function), ..) => function.clone(),
            (None, Some(file), line) => format!("{file}:{}", line.unwrap_or_default()),
            (None, None, line) => line.unwrap_or_default().to_string(),
        }
    }

    /// Reads `FILE:LINE`, `LINE` or `FUNCTION`, each with ` if CONDITION` behind it where there is one.
    pub fn read(text: &str) -> Self {
        let (place, condition) = match text.split_once(" if ") {
            Some((place, condition)) => (place.trim(), Some(condition.trim().to_owned())),
            None => (text.trim(), None),
        };
        let empty = Self { condition, ..Self::default() };
        if let Ok(line) = place.parse() {
            return Self { line: Some(line), ..empty };
        }
        match place.rsplit_once(':').map(|(file, line)| (file, line.parse())) {
            Some((file, Ok(line))) => Self { file: Some(file.to_owned()), line: Some(line), ..empty },
            _ => Self { function: Some(place.to_owned()), ..empty },
        }
    }
}

/// Why a program stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// At a place that was asked for.
    Breakpoint,
    /// After a step.
    Step,
    /// An exception or a panic.
    Exception,
    /// A signal.
    Signal,
}

/// A program that stands still.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stop {
    /// Why.
    pub reason: StopReason,
    /// The exception or signal.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The calls under way, innermost first, with the variables of the program's own.
    pub frames: Vec<StackFrame>,
    /// What the expressions gave that were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Evaluated>,
    /// Where the program's other threads are (goroutines, with Go), as far as the debugger tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherThread>,
}

impl Stop {
    /// The program's own calls that led to it, at most so many.
    pub fn callers(&self, most: usize) -> impl Iterator<Item = &StackFrame> {
        self.frames.iter().skip(1).filter(|frame| frame.own).take(most)
    }
}

/// A thread that stands beside the one that stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OtherThread {
    /// Its name, as the debugger gives it.
    pub name: String,
    /// Its innermost call in the program's own code, without variables.
    pub at: StackFrame,
}

/// An expression with what it gave.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evaluated {
    /// The expression.
    pub expression: String,
    /// Its type, as the language names it.
    #[serde(rename = "type", default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Its value as text, cut to a bound.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub value: String,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A place that was asked for, and the line at which the program will really stop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlacedBreakpoint {
    /// What was asked for.
    #[serde(flatten)]
    pub asked: Breakpoint,
    /// The line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placed_at: Option<u32>,
}

/// What was seen in a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InspectReport {
    /// The language.
    pub language: String,
    /// The debugger that was taken.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub debugger: String,
    /// What is worth knowing of that choice, or of what the debugger could not do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The places.
    pub breakpoints: Vec<PlacedBreakpoint>,
    /// The stops, in order.
    pub stops: Vec<Stop>,
    /// What log points noted, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<String>,
    /// How the program ended; absent where it was ended at its last allowed stop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// What the program wrote to stdout and stderr, in the order of writing.
    pub output: String,
    /// The run, with what it used and what was enforced.
    pub run: crate::ExecutionResult,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read() {
        let read = |text: &str| {
            let point = Breakpoint::read(text);
            (point.file, point.line, point.function, point.condition)
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(read("app.py:12"), (some("app.py"), Some(12), None, None));
        assert_eq!(read("12 if x > 3"), (None, Some(12), None, some("x > 3")));
        assert_eq!(read("Shop.total if n == 2"), (None, None, some("Shop.total"), some("n == 2")));
        assert_eq!(read("std::sort"), (None, None, some("std::sort"), None));
        assert_eq!(Breakpoint::read("a/b.c:7").place(), "a/b.c:7");
    }
}
