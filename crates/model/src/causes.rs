//! Why a value was what it was, and where a program that does not end was: facts that a watched second run gives.

use crate::diagnosis::Variable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a step of a chain of causes follows from the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CauseRole {
    /// The value with which the failing operation could not work.
    Failing,
    /// The left side of a comparison that an assertion makes.
    Left,
    /// The right side of it.
    Right,
    /// The index of an item that is not there.
    Index,
    /// The key of an entry that is not there.
    Key,
    /// The collection in which an item was looked for.
    Collection,
    /// A condition that decided that this was reached, or that something else was not.
    Condition,
    /// A part of the expression before.
    Part,
    /// The argument that a parameter stands for.
    Passed,
    /// The default of a parameter that was not passed.
    Default,
    /// What a variable was assigned.
    Assigned,
    /// A statement that changed the variable in place, such as `+=`.
    Changed,
    /// What a function of the program returned.
    Returned,
    /// A function of the program that ended without returning anything.
    Ended,
    /// What a generator yielded.
    Yielded,
    /// What an attribute or an item was set to.
    Stored,
    /// What was added to a collection.
    Added,
    /// The removal of an item or attribute.
    Deleted,
    /// What a loop iterates over: the value is an item of it.
    Item,
    /// What a collection was made from.
    Iterated,
    /// A value that the source contains.
    Literal,
    /// An attribute that the class gives to its objects.
    Class,
    /// Where the value came in: standard input, a file, the environment, the network.
    Input,
    /// A mapping in which the key was not found.
    Absent,
    /// The call that made the value.
    Made,
    /// A call that returns nothing.
    Nothing,
    /// The only places that give a name its value, which did not run.
    Unbound,
    /// A name that exists in another function only.
    Elsewhere,
    /// What a `with` statement opened.
    Opened,
    /// An exception that was caught.
    Caught,
    /// An import.
    Imported,
    /// A definition of a function or a class.
    Defined,
}

/// One step from a failing value back to where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CauseStep {
    /// The file, relative to the working directory.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The expression as the source has it, in one line.
    pub expression: String,
    /// Its value, shown without running code of the program and cut to a bound; empty if it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub value: String,
    /// How it follows from the step before.
    pub role: CauseRole,
    /// Whether steps between the one before and this one were left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gap: bool,
}

impl CauseRole {
    /// The role in a few words, as a remark on a line.
    pub const fn remark(self) -> &'static str {
        match self {
            Self::Failing => "fails here",
            Self::Left => "left side",
            Self::Right => "right side",
            Self::Index => "index",
            Self::Key => "key",
            Self::Collection => "collection",
            Self::Condition => "condition",
            Self::Part => "",
            Self::Passed => "passed",
            Self::Default => "default of the parameter",
            Self::Assigned => "assigned",
            Self::Changed => "changed",
            Self::Returned => "returned",
            Self::Ended => "ends without return",
            Self::Yielded => "yielded",
            Self::Stored => "stored",
            Self::Added => "added",
            Self::Deleted => "deleted",
            Self::Item => "iterated",
            Self::Iterated => "made from",
            Self::Literal => "literal",
            Self::Class => "class attribute",
            Self::Input => "input",
            Self::Absent => "without this key",
            Self::Made => "made",
            Self::Nothing => "returns nothing",
            Self::Unbound => "not run",
            Self::Elsewhere => "defined in",
            Self::Opened => "opened",
            Self::Caught => "caught",
            Self::Imported => "imported",
            Self::Defined => "defined",
        }
    }
}

impl CauseStep {
    /// Whether the value says more than the expression: a literal is its own value, in whatever quotes and with whatever spaces.
    pub fn shows_value(&self) -> bool {
        let plain = |text: &str| -> String {
            let kept = text.chars().filter(|c| !c.is_whitespace());
            kept.map(|c| if c == '\'' { '"' } else { c }).collect()
        };
        !self.value.is_empty() && plain(&self.value) != plain(&self.expression)
    }
}

impl std::fmt::Display for CauseStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.expression)?;
        if self.shows_value() {
            write!(f, " = {}", self.value)?;
        }
        match self.role.remark() {
            "" => Ok(()),
            remark => write!(f, " ({remark})"),
        }
    }
}

/// What a program that does not end is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HangKind {
    /// It runs in a loop or a recursion that does not end.
    Loop,
    /// Threads wait for locks that the others of them hold.
    Deadlock,
    /// It waits for a lock or another signal of its own threads.
    Lock,
    /// It reads its standard input.
    Input,
    /// It waits for a queue.
    Queue,
    /// It waits for a thread to end.
    Join,
    /// It waits for a child process.
    Process,
    /// It waits for the network.
    Socket,
    /// It sleeps.
    Sleep,
    /// It waits for something else.
    Other,
}

impl HangKind {
    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Loop => "loop",
            Self::Deadlock => "deadlock",
            Self::Lock => "lock",
            Self::Input => "input",
            Self::Queue => "queue",
            Self::Join => "join",
            Self::Process => "process",
            Self::Socket => "socket",
            Self::Sleep => "sleep",
            Self::Other => "other",
        }
    }
}

impl std::fmt::Display for HangKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// A variable in several samples of a running program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SampledVariable {
    /// The variable with its value in the last sample.
    #[serde(flatten)]
    pub variable: Variable,
    /// Its value in the first sample, if it was another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
}

/// A thread that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WaitingThread {
    /// Its name.
    pub thread: String,
    /// The file of the line that waits.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What it waits for, as the source names it.
    pub waits_for: String,
    /// The thread that holds that, for a lock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_by: Option<String>,
    /// Where that thread took it, as `file:line`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_at: Option<String>,
}

/// Where a program was that did not end, from several samples of its stacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hang {
    /// What it was doing.
    pub kind: HangKind,
    /// The file.
    pub file: String,
    /// The line: the head of the loop, or the line that waits. From 1.
    pub line: u32,
    /// The last line of the loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// The function around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The condition of the loop, or the call that waits, as the source has it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub expression: String,
    /// Variables that changed between the samples.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changing: Vec<SampledVariable>,
    /// Variables of the condition that did not change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchanged: Vec<SampledVariable>,
    /// Threads that wait.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<WaitingThread>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_its_own_value() {
        for (expression, value, shown) in [
            ("{ name: \"cap\", price: 5 }", "{name: 'cap', price: 5}", false),
            ("[]", "[]", false),
            ("xs", "[]", true),
            ("'5'", "5", true),
            ("read()", "", false),
        ] {
            let step = CauseStep {
                file: "a.js".into(),
                line: 1,
                expression: expression.into(),
                value: value.into(),
                role: CauseRole::Literal,
                gap: false,
            };
            assert_eq!(step.shows_value(), shown, "{expression} {value}");
        }
    }
}
