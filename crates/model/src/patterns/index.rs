//! Who is defined where, who names whom, which module needs which.

use crate::Language;
use crate::review::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SymbolKind {
    /// A function.
    Function,
    /// A function of a class.
    Method,
    /// A class, struct, record or union.
    Class,
    /// An interface or trait.
    Interface,
    /// An enumeration.
    Enum,
    /// A module or namespace.
    Module,
    /// A type alias.
    Alias,
    /// A variable of a file's top.
    Variable,
}

impl SymbolKind {
    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Class => "class",
            Self::Interface => "interface",
            Self::Enum => "enum",
            Self::Module => "module",
            Self::Alias => "alias",
            Self::Variable => "variable",
        }
    }
}

/// Something that is defined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Its name with the names around it: `Class.method`.
    pub path: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The file.
    pub file: String,
    /// Its language.
    pub language: Language,
    /// Where the name stands.
    pub span: Span,
    /// The last line of the definition.
    pub end_line: u32,
    /// The first line of the definition, as it is written.
    pub signature: String,
    /// How often the project names it, other than by defining it; an upper bound where names are ambiguous.
    pub references: usize,
}

/// A place where a symbol is named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reference {
    /// The file.
    pub file: String,
    /// Where.
    pub span: Span,
    /// The function or class around it; empty at the top of a file.
    pub within: String,
    /// Whether scopes and imports prove that it is this symbol; otherwise only the name is the same.
    pub certain: bool,
}

/// One function calls another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Call {
    /// The caller's path; empty at the top of a file.
    pub caller: String,
    /// The callee's path, or what is written where it is not of this project.
    pub callee: String,
    /// The file of the call.
    pub file: String,
    /// Where the call stands.
    pub span: Span,
    /// The file of the callee; absent where it is not of this project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callee_file: Option<String>,
    /// Whether scopes and imports prove it; otherwise only the name is the same.
    pub certain: bool,
}

/// One file needs another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Dependency {
    /// The file that imports.
    pub from: String,
    /// The file that is imported, or the module's name where it is not of this project.
    pub to: String,
    /// Whether it is of this project.
    pub internal: bool,
    /// The line of the import.
    pub line: u32,
}
