//! Commands to a driver and what comes back: one JSON object a line.

use formicary_model::{Breakpoint, StackFrame, StopReason, Variable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a program may do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Move {
    /// To the next stop.
    Continue,
    /// Over calls, to the next line.
    Next,
    /// Into calls.
    Step,
    /// Out of this function.
    Out,
}

/// A command.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Order<'a> {
    /// A place to stop at.
    Break(&'a Breakpoint),
    /// Which exceptions stop it.
    Catch {
        /// `raised` for all of them, `uncaught` for those that end the program.
        what: &'static str,
    },
    /// An expression in a frame.
    Evaluate {
        /// The frame, 0 for the innermost.
        frame: u32,
        /// The expression.
        expression: &'a str,
    },
    /// The end.
    Quit,
}

/// An order or a move, with the number by which its answer is known.
#[derive(Debug, Serialize)]
pub struct Numbered<T> {
    /// The number.
    pub id: u32,
    /// What to do.
    #[serde(flatten)]
    pub order: T,
}

/// A move as an order.
#[derive(Debug, Serialize)]
pub struct MoveOrder {
    /// Which.
    #[serde(rename = "do")]
    pub way: Move,
}

/// What a driver says: the answer to a command, or something that happened.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Message {
    /// The command that is answered.
    pub id: Option<u32>,
    /// Why it could not be done.
    pub error: Option<String>,
    /// The line of a breakpoint.
    pub line: Option<u32>,
    /// The value of an expression.
    pub value: Option<String>,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// `debugger`, `missing`, `ready`, `stopped`, `log` or `exited`.
    pub event: Option<String>,
    /// What the start tells of the place where it runs.
    pub told: BTreeMap<String, String>,
    /// Why it stopped.
    pub reason: Option<StopReason>,
    /// The exception, the signal, the log's text.
    pub text: Option<String>,
    /// The calls under way.
    pub frames: Vec<StackFrame>,
    /// The exit code.
    pub code: Option<i32>,
}

/// Bounds of what is believed of a driver: the program stands beside it and could speak in its place.
const FRAMES: usize = 100;
const VARIABLES: usize = 60;
const TEXT: usize = 700;
/// A line that is longer is no message.
pub const MOST_LINE: usize = 4 * 1024 * 1024;

/// Reads one line; none where it is no message.
pub fn read(line: &[u8]) -> Option<Message> {
    let mut message: Message = serde_json::from_slice(line).ok()?;
    let cut = |text: String| text.chars().take(TEXT).collect::<String>();
    message.error = message.error.map(cut);
    message.text = message.text.map(cut);
    message.value = message.value.map(cut);
    message.kind = message.kind.map(cut);
    message.frames = std::mem::take(&mut message.frames).into_iter().take(FRAMES).map(bounded).collect();
    Some(message)
}

/// A frame within the bounds.
pub fn bounded(mut frame: StackFrame) -> StackFrame {
    let cut = |text: String| text.chars().take(TEXT).collect::<String>();
    frame.function = frame.function.map(cut);
    frame.file = frame.file.map(cut);
    let variables = frame.variables.into_iter().take(VARIABLES);
    frame.variables = variables
        .map(|variable| Variable {
            name: cut(variable.name),
            kind: cut(variable.kind),
            value: cut(variable.value),
        })
        .collect();
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_flat() {
        let point = Breakpoint { file: Some("a.py".into()), line: Some(3), ..Breakpoint::default() };
        let text = serde_json::to_string(&Numbered { id: 7, order: Order::Break(&point) }).unwrap();
        assert_eq!(text, r#"{"id":7,"do":"break","file":"a.py","line":3}"#);
        let text = serde_json::to_string(&Numbered { id: 8, order: MoveOrder { way: Move::Out } }).unwrap();
        assert_eq!(text, r#"{"id":8,"do":"out"}"#);
    }

    #[test]
    fn what_is_said_is_bounded() {
        let long = "x".repeat(10_000);
        let variable = serde_json::json!({"name": long, "value": long});
        let frame = serde_json::json!({"function": long, "line": 1, "variables": vec![variable; 100]});
        let said = serde_json::json!({"event": "stopped", "reason": "step", "frames": vec![frame; 200]});
        let message = read(&serde_json::to_vec(&said).unwrap()).unwrap();
        assert_eq!((message.frames.len(), message.frames[0].variables.len()), (FRAMES, VARIABLES));
        assert_eq!(message.frames[0].variables[0].value.len(), TEXT);
        assert!(read(b"hello").is_none() && read(br#"{"reason": 5}"#).is_none());
    }
}
