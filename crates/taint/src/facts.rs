//! What a file tells the project about where data goes: small, owned, fit to be kept.

use formicary_model::review::Span;
use serde::{Deserialize, Serialize};

/// What one file tells.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct TaintFacts {
    /// Its functions, and the file's own statements as the last.
    pub(crate) functions: Vec<FunctionFact>,
    /// First bytes of calls that would be dangerous with foreign data and get none, with the class.
    pub(crate) harmless: Vec<(u32, u8)>,
    /// Names of constants from which weak algorithms were chosen: where, and which rule.
    pub(crate) weak: Vec<(Span, bool)>,
    /// The same where the name stands in a settings file: its key, and what holds without it.
    pub(crate) chosen: Vec<ChosenFact>,
    /// Whether some function was too much to look at to the end.
    pub(crate) cut: bool,
}

/// An algorithm that a settings file chooses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChosenFact {
    pub span: Span,
    pub is_hash: bool,
    pub key: String,
    pub otherwise: Option<String>,
}

/// One function.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct FunctionFact {
    pub name: String,
    pub class: Option<String>,
    /// Whether a frame calls it: then its parameters are what the frame says, and no caller adds to them.
    pub entry: bool,
    /// The names of its parameters, the receiver left out.
    pub parameters: Vec<String>,
    /// What reaches its result.
    pub returns: Vec<MarkFact>,
    /// What reaches fields of its receiver.
    pub stores: Vec<MarkFact>,
    pub sinks: Vec<SinkFact>,
    pub calls: Vec<CallFact>,
    pub sources: Vec<SourceFact>,
}

/// Where a value may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum LabelFact {
    Source(u32),
    Param(u16),
    Call(u32),
}

/// A label with the classes for which it is harmless.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct MarkFact {
    pub label: LabelFact,
    pub cleared: u32,
    /// The steps on the way, first to last.
    pub trail: Vec<StepFact>,
}

/// One step.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StepFact {
    pub span: Span,
    pub message: String,
}

/// A dangerous place.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SinkFact {
    pub class: u8,
    pub span: Span,
    pub what: String,
    pub marks: Vec<MarkFact>,
}

/// A call that the project may resolve.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CallFact {
    pub name: String,
    pub target: TargetFact,
    pub span: Span,
    pub receiver: Vec<MarkFact>,
    pub arguments: Vec<(Option<String>, Vec<MarkFact>)>,
}

/// Whom a call may mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TargetFact {
    /// A function of the same file; in languages that leave `this` out, also a method of the same class.
    Here,
    /// A function of a module: its dotted name or path.
    Module(String),
    /// A method of something of this type.
    Method(String),
    /// A method of something.
    Unknown,
    /// The constructor of a class.
    New,
    /// A method of the same class or of one that it extends, asked of `self` or `this`.
    Own,
}

/// Where foreign data comes in.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SourceFact {
    pub span: Span,
    pub what: String,
    pub classes: u32,
}
