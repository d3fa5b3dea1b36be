//! How each live language is started, how a cell is put to it, and what it answers.

use formicary_guest::message::session::OrdersOn;
use formicary_model::{CellException, Language, MimeBundle};
use serde::Deserialize;

const PYTHON: &str = include_str!("drivers/driver.py");
const JAVASCRIPT: &str = include_str!("drivers/driver.js");
const BASH: &str = include_str!("drivers/driver.bash");

/// Bytes of values and displays that a cell may answer with.
const MOST_BYTES: usize = 48 * 1024 * 1024;
const MOST_DISPLAYS: usize = 100;

/// A language whose interpreter lives on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driver {
    /// CPython.
    Python,
    /// Node.js.
    JavaScript,
    /// GNU Bash.
    Bash,
}

/// What a driver answers after a cell.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// The exit code that the cell would have as a program.
    pub exit: i32,
    /// Which cell this answers; 0 before the first.
    pub count: u64,
    /// Whether an interrupt ended it.
    pub interrupted: bool,
    /// The last expression's value.
    pub value: Option<MimeBundle>,
    /// What was displayed.
    pub displays: Vec<MimeBundle>,
    /// What was raised.
    pub exception: Option<CellException>,
}

impl Driver {
    /// The driver of a language that has one.
    pub fn of(language: Language) -> Option<Self> {
        match language {
            Language::Python => Some(Self::Python),
            Language::JavaScript => Some(Self::JavaScript),
            Language::Bash => Some(Self::Bash),
            _ => None,
        }
    }

    /// The interpreter's command, from the one that would run a script (its last word).
    pub fn command(self, script: &[String]) -> Vec<String> {
        let mut command: Vec<String> = script[..script.len().saturating_sub(1)].to_vec();
        let words: &[&str] = match self {
            Self::Python => &[
                "-c",
                "import sys;exec(compile(sys.argv.pop(),'<formicary>','exec'),{'__name__':'formicary'})",
            ],
            Self::JavaScript => &["-e"],
            Self::Bash => &["--noprofile", "--norc", "--noediting", "-i"],
        };
        command.extend(words.iter().map(ToString::to_string));
        match self {
            Self::Python => command.push(PYTHON.into()),
            Self::JavaScript => command.push(JAVASCRIPT.into()),
            Self::Bash => {}
        }
        command
    }

    /// Where its driver takes orders.
    pub fn orders(self) -> OrdersOn {
        match self {
            Self::Bash => OrdersOn::StandardInput,
            Self::Python | Self::JavaScript => OrdersOn::Descriptor,
        }
    }

    /// Whether the first answer says that what the interpreter before it knew was handed on.
    pub fn is_restored(self, first: &[u8]) -> bool {
        self == Self::Bash && self.answer(first).is_some_and(|answer| answer.exit == 1)
    }

    /// Bytes that the interpreter is given at its start.
    pub fn opening(self) -> &'static [u8] {
        match self {
            Self::Bash => BASH.as_bytes(),
            Self::Python | Self::JavaScript => b"",
        }
    }

    /// A cell as its driver wants it.
    pub fn cell(self, code: &str, count: u64) -> Vec<u8> {
        match self {
            Self::Python | Self::JavaScript => {
                let body = serde_json::json!({ "code": code, "count": count }).to_string();
                let mut bytes = (body.len() as u32).to_le_bytes().to_vec();
                bytes.extend_from_slice(body.as_bytes());
                bytes
            }
            // The second line is read after the first has ended, in whatever way.
            Self::Bash => format!(
                "{{ eval '{}'; }} 0</dev/null 1>&98 2>&99 97>&- 98>&- 99>&-\n__formicary_say $? {count}\n",
                code.replace('\'', "'\\''")
            )
            .into_bytes(),
        }
    }

    /// What an answer says, within bounds. The cell may have forged it: it is data of the cell's.
    pub fn answer(self, bytes: &[u8]) -> Option<Answer> {
        if bytes.len() > MOST_BYTES {
            return None;
        }
        // By way of an object: a list would do for a structure whose fields may all be absent.
        let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(bytes).ok()?;
        let mut answer: Answer = serde_json::from_value(fields.into()).ok()?;
        answer.displays.truncate(MOST_DISPLAYS);
        answer.exit &= 0xff;
        if self == Self::Bash {
            answer.interrupted = answer.exit == 130;
        }
        Some(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_bounded_and_checked() {
        let answer = Driver::Python.answer(br#"{"exit": 257, "value": {"text/plain": "2"}}"#).unwrap();
        assert_eq!((answer.exit, answer.value.unwrap()["text/plain"].as_str()), (1, "2"));
        for broken in [&b"{"[..], b"[]", br#"{"exit":"x"}"#, br#"{"displays":[1]}"#, b"\xff"] {
            assert!(Driver::Python.answer(broken).is_none(), "{broken:?}");
        }
        assert!(Driver::Bash.answer(br#"{"exit":130}"#).unwrap().interrupted);
    }

    #[test]
    fn quotes_of_a_shell_cell_stay_inside_it() {
        let cell = String::from_utf8(Driver::Bash.cell("echo 'a'; }", 1)).unwrap();
        assert!(cell.starts_with(r"{ eval 'echo '\''a'\''; }'; } 0<"), "{cell}");
    }
}
