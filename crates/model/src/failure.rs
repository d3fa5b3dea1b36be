//! Formicary's own failures. A program's failure is never one of these.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Codes that other code tells failures apart by. A code never changes its meaning; the message may.
pub mod code {
    /// Nobody holds a session of this name.
    pub const UNKNOWN_SESSION: &str = "session.unknown";
    /// The machine that held the session is gone, and the session with it.
    pub const LOST_SESSION: &str = "session.lost";
    /// There is a session of this name already.
    pub const TAKEN_SESSION: &str = "session.taken";
    /// The caller has as many sessions as one caller may have.
    pub const TOO_MANY_SESSIONS: &str = "session.too_many";
    /// The audit log is not there: nothing was logged yet.
    pub const EMPTY_AUDIT: &str = "audit.empty";
}

/// The kinds of failure; exit codes and HTTP statuses hang on them (see the platform's table).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The request is wrong: unknown language, bad path, limit out of bounds, misspelt flag.
    InvalidInput,
    /// The caller may not have what it asks for.
    Forbidden,
    /// There is no such thing, or it is not the caller's: nobody learns which.
    NotFound,
    /// The configuration is wrong.
    InvalidConfiguration,
    /// The language's tools are not on this host.
    ToolchainMissing,
    /// The host cannot give the protection that was asked for.
    IsolationUnavailable,
    /// The sandbox could not be set up.
    SandboxFailed,
    /// The caller cancelled.
    Cancelled,
    /// Anything else: a fault of Formicary or of the host.
    Internal,
}

impl FailureKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::InvalidInput,
        Self::Forbidden,
        Self::NotFound,
        Self::InvalidConfiguration,
        Self::ToolchainMissing,
        Self::IsolationUnavailable,
        Self::SandboxFailed,
        Self::Cancelled,
        Self::Internal,
    ];
}

/// A failure as people and programs see it: what, why, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The kind.
    pub kind: FailureKind,
    /// Which failure it is, for programs: stable where the message is for people and may change. Empty where the kind says all.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub code: Cow<'static, str>,
    /// One line that names the input.
    pub message: String,
    /// One line that names the remedy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Failure {
    /// The same for a caller who has fields in the place of a command line's options.
    #[must_use]
    pub fn by_fields(mut self) -> Self {
        self.hint = self.hint.map(|hint| by_fields(&hint));
        self
    }

    /// The same for a caller who has no command line: the commands that a hint names become what the caller has in their
    /// place, and the part of a hint that names any other is left out. What only an operator can do stays.
    #[must_use]
    pub fn by_names(mut self, names: &[(&str, &str)]) -> Self {
        self.hint = self.hint.map(|hint| by_names(&hint, names)).filter(|hint| !hint.is_empty());
        self
    }

    /// A failure without a hint.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, code: Cow::Borrowed(""), message: message.into(), hint: None }
    }

    /// The same with the code by which programs know it.
    #[must_use]
    pub fn code(mut self, code: &'static str) -> Self {
        self.code = Cow::Borrowed(code);
        self
    }

    /// Whether it is the failure of this code.
    pub fn is(&self, code: &str) -> bool {
        self.code == code
    }

    /// The same with a remedy.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
/// Options that are for who starts a server, and have no field.
const OF_THE_OPERATOR: [&str; 3] = ["allow-write", "root", "set"];
/// Commands that are for who starts a server.
const COMMANDS_OF_THE_OPERATOR: [&str; 7] = ["keys", "serve", "mcp", "images", "cache", "config", "audit"];
/// Options whose fields are called otherwise.
const OTHERWISE: [(&str, &str); 4] = [
    ("max-attempts", "candidates"),
    ("time", "seconds"),
    ("timeout", "limits.wall_seconds"),
    ("break", "breakpoints"),
];

/// A hint with the names of fields in the place of options: `--test` is `test`.
fn by_fields(hint: &str) -> String {
    let mut pieces = hint.split("--");
    let mut shown = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(piece.len());
        let (name, rest) = piece.split_at(end);
        let other =
            OTHERWISE.iter().find(|(option, _)| *option == name).map(|(_, field)| (*field).to_owned());
        if name.is_empty() || OF_THE_OPERATOR.contains(&name) {
            shown.push_str("--");
            shown.push_str(piece);
        } else {
            shown.push_str(&other.unwrap_or_else(|| name.replace('-', "_")));
            shown.push_str(rest);
        }
    }
    shown
}

fn by_names(hint: &str, names: &[(&str, &str)]) -> String {
    let named = names
        .iter()
        .fold(hint.to_owned(), |hint, (command, name)| hint.replace(&format!("`formicary {command}`"), name));
    let is_command = |part: &&str| {
        part.split("formicary ").skip(1).any(|rest| {
            let word = rest.split(|c: char| !c.is_ascii_lowercase()).next().unwrap_or_default();
            !word.is_empty() && !COMMANDS_OF_THE_OPERATOR.contains(&word)
        })
    };
    let parts = named.split("; ").flat_map(|part| {
        // Of what may be done instead of the other, the other remains.
        let parts: Vec<&str> = part.split(", or ").collect();
        let kept: Vec<&str> = parts.into_iter().filter(|part| !is_command(part)).collect();
        (!kept.is_empty()).then(|| kept.join(", or "))
    });
    parts.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_name_no_commands_to_who_has_no_command_line() {
        let names = [("languages", "list_languages"), ("session list", "session_list")];
        for (hint, expected) in [
            (
                "did you mean \"go\"? `formicary languages` lists them all",
                Some("did you mean \"go\"? list_languages lists them all"),
            ),
            (
                "`formicary session list` lists them; one that was idle too long is gone",
                Some("session_list lists them; one that was idle too long is gone"),
            ),
            ("correct it; `formicary diagnose` shows the place", Some("correct it")),
            (
                "close one with `formicary session close ID`, or raise sessions.most",
                Some("raise sessions.most"),
            ),
            ("write tests first: formicary tests generate FILE --write", None),
            (
                "send a key; `formicary keys create` makes one",
                Some("send a key; `formicary keys create` makes one"),
            ),
            (
                "the profile that comes with formicary (deploy)",
                Some("the profile that comes with formicary (deploy)"),
            ),
        ] {
            let failure = Failure::new(FailureKind::InvalidInput, "x").hint(hint).by_names(&names);
            assert_eq!(failure.hint.as_deref(), expected, "{hint}");
        }
    }

    #[test]
    fn hints_name_fields_to_who_has_no_options() {
        for (hint, expected) in [
            (
                "give the test command with --test, or name the file",
                "give the test command with test, or name the file",
            ),
            ("name it with --language: python, go", "name it with language: python, go"),
            ("what was written by `--write`", "what was written by `write`"),
            ("start it with --allow-write", "start it with --allow-write"),
            ("use --stdin-file or --time 9", "use stdin_file or seconds 9"),
            ("a -- b", "a -- b"),
            ("", ""),
        ] {
            let failure = Failure::new(FailureKind::InvalidInput, "x").hint(hint).by_fields();
            assert_eq!(failure.hint.as_deref(), Some(expected));
        }
    }
}
