//! Who is defined where, who names whom, which module needs which.

use crate::review::Span;
use crate::use_case::{Code, Input, Judge, Number};
use crate::{Failure, Language};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which symbols.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct SymbolsInput {
    /// Where to look.
    #[serde(flatten)]
    pub code: Code,
    /// Only those of this name, or of this path as in `Class.method`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Only those of this kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<SymbolKind>,
    /// Whether each comes with the places that name it.
    pub references: bool,
}

/// Symbols.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SymbolList {
    /// Each of them.
    pub items: Vec<FoundSymbol>,
}

/// A symbol, and where it is named.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FoundSymbol {
    /// The symbol.
    pub symbol: Symbol,
    /// The places that name it, if they were asked for.
    pub references: Vec<Reference>,
}

/// Which calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CallsInput {
    /// Where to look.
    #[serde(flatten)]
    pub code: Code,
    /// The function, by name or path as in `Class.method`.
    pub name: String,
    /// Who calls it, or whom it calls.
    pub side: Side,
    /// Calls of calls, so many deep.
    #[serde(default)]
    pub depth: Number<1, 1, 32>,
    /// Only calls that scopes and imports prove.
    #[serde(default)]
    pub certain: bool,
}

/// An end of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Who calls.
    Callers,
    /// Who is called.
    Callees,
}

/// Calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallList {
    /// Each of them.
    pub items: Vec<Call>,
}

/// Which dependencies.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct DependenciesInput {
    /// Where to look.
    #[serde(flatten)]
    pub code: Code,
    /// Only those of this file or directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Of the file: who needs it, rather than what it needs.
    pub reverse: bool,
    /// Whether modules that are not of the project are listed, too.
    pub external: bool,
}

/// Dependencies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DependencyList {
    /// Each of them.
    pub items: Vec<Dependency>,
}

impl Input for SymbolsInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        judge.code(&mut self.code)
    }
}

impl Input for CallsInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        judge.code(&mut self.code)
    }
}

impl Input for DependenciesInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        judge.code(&mut self.code)?;
        self.file.iter_mut().try_for_each(|file| judge.project_path("file", file))
    }
}

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

crate::words!(SymbolKind, from_word {
    Function => "function",
    Method => "method",
    Class => "class",
    Interface => "interface",
    Enum => "enum",
    Module => "module",
    Alias => "alias",
    Variable => "variable",
});

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
