//! Everything that one file says.

use crate::dialect::Dialect;
use crate::expression::{Expr, ExprId, ExprKind, Literal};
use crate::lines::{Lines, Span};
use crate::statement::{Block, Stmt, StmtId};

/// The number of a function in [`Unit::functions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// The number of a class in [`Unit::classes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u32);

/// The number of an import in [`Unit::imports`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImportId(pub u32);

/// One file in the language-neutral form.
#[derive(Debug)]
pub struct Unit<'a> {
    /// The grammar that read it.
    pub dialect: Dialect,
    /// The whole text.
    pub source: &'a str,
    /// Where its lines begin.
    pub lines: Lines,
    /// The statements at the top of the file, in order.
    pub body: Block,
    /// All statements of the file, nested ones included.
    pub statements: Vec<Stmt<'a>>,
    /// All expressions of the file.
    pub expressions: Vec<Expr<'a>>,
    /// All functions, methods and lambdas.
    pub functions: Vec<Function<'a>>,
    /// All classes and what resembles them.
    pub classes: Vec<Class<'a>>,
    /// All imports.
    pub imports: Vec<Import<'a>>,
    /// All comments.
    pub comments: Vec<Comment>,
    /// Lines that hold code, sorted; for the line metrics.
    pub code_lines: Vec<u32>,
    /// Java's `package`, Go's `package`.
    pub package: Option<&'a str>,
    /// Spans of text where a preprocessor or a macro hides what is there.
    pub macros: Vec<Span>,
    /// What could not be read as it should.
    pub notes: Vec<Note>,
}

/// Something that limits what is known about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What.
    pub kind: NoteKind,
    /// Where.
    pub span: Span,
}

/// What could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NoteKind {
    /// The grammar does not understand this part.
    Syntax,
    /// Something is missing here.
    Missing,
    /// Nested more deeply than [`crate::Bounds`] allow; the inside was left out.
    TooDeep,
    /// The file is larger than [`crate::Bounds`] allow and was not read.
    TooLarge,
    /// A few lines carry most of the file: machine-made, not read.
    Minified,
    /// Reading took longer than [`crate::Bounds`] allow.
    TooSlow,
}

impl NoteKind {
    /// One sentence for people.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Syntax => "this part cannot be parsed",
            Self::Missing => "something is missing here",
            Self::TooDeep => "nested too deeply; what is inside was not analysed",
            Self::TooLarge => "the file is too large and was not analysed",
            Self::Minified => "the file is minified and was not analysed",
            Self::TooSlow => "parsing took too long; the file was not analysed",
        }
    }
}

/// A comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comment {
    /// Where, with its marks.
    pub span: Span,
    /// Whether it documents what follows (`/** */`, `///`).
    pub documents: bool,
}

/// Who holds a function or class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The file.
    File,
    /// A class; for Rust an `impl`, for Go the receiver's type where it is in the file.
    Class(ClassId),
    /// Another function.
    Function(FunctionId),
}

/// A function, method or lambda.
#[derive(Debug, Clone)]
pub struct Function<'a> {
    /// Its name; empty for lambdas that nothing names. A JavaScript function that is assigned to a name has that name.
    pub name: &'a str,
    /// Where the name stands.
    pub name_span: Span,
    /// Where it stands, decorators excluded.
    pub span: Span,
    /// Who holds it.
    pub owner: Owner,
    /// Go's and C++'s `T` of `func (t T) f` and `T::f`.
    pub receiver: Option<&'a str>,
    /// What it takes.
    pub parameters: Vec<Parameter<'a>>,
    /// The return type as it is written.
    pub returns: Option<&'a str>,
    /// Decorators, annotations and attributes, as calls where they have arguments.
    pub decorators: Vec<ExprId>,
    /// What it does; a lambda of one expression returns it.
    pub body: Block,
    /// Whether there is a body at all.
    pub has_body: bool,
    /// Where the body stands.
    pub body_span: Span,
    /// What is said about it.
    pub modifiers: Modifiers,
    /// Whether it is a lambda, arrow function, closure or function expression.
    pub lambda: bool,
    /// Whether documentation stands with it.
    pub documented: bool,
    /// Whether it yields.
    pub generator: bool,
}

/// What stands before a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(clippy::struct_excessive_bools, reason = "these are independent words of the languages")]
pub struct Modifiers {
    /// `async`.
    pub is_async: bool,
    /// `static`, `@staticmethod`.
    pub is_static: bool,
    /// `public`, `pub`, `export`, Go's capital letter; for C what is not `static`.
    pub public: bool,
    /// `private`, `#name`, Python's leading underscore, C's `static`.
    pub private: bool,
    /// `abstract`, `virtual … = 0`, trait and interface methods without a body.
    pub is_abstract: bool,
    /// `override`, `@Override`.
    pub overrides: bool,
    /// `const fn`, `final`, `constexpr`.
    pub constant: bool,
    /// `unsafe`.
    pub is_unsafe: bool,
    /// `extern`, `native`: called or made from elsewhere.
    pub external: bool,
    /// `inline`.
    pub inline: bool,
    /// `get x()`, `set x()`, `@property`.
    pub accessor: bool,
}

/// One parameter.
#[derive(Debug, Clone)]
pub struct Parameter<'a> {
    /// Its name; empty for a pattern.
    pub name: &'a str,
    /// Where the name stands.
    pub span: Span,
    /// What it is.
    pub kind: ParameterKind,
    /// The type as it is written.
    pub annotation: Option<&'a str>,
    /// The default.
    pub default: Option<ExprId>,
    /// The pattern that it is taken apart by.
    pub pattern: Option<ExprId>,
    /// Annotations and decorators of the parameter (Spring's `@RequestParam`).
    pub decorators: Vec<ExprId>,
}

/// What a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// By place (and in Python by name).
    Normal,
    /// By name alone.
    KeywordOnly,
    /// `*args`, `...rest`, varargs.
    Rest,
    /// `**kwargs`.
    KeywordRest,
    /// `self`, `cls`, Go's receiver.
    Receiver,
}

/// A class, or what resembles one.
#[derive(Debug, Clone)]
pub struct Class<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where the name stands.
    pub name_span: Span,
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: ClassKind,
    /// Who holds it.
    pub owner: Owner,
    /// What it extends and implements.
    pub bases: Vec<ExprId>,
    /// Keyword arguments of Python's class statement (`metaclass=`).
    pub keywords: Vec<(&'a str, ExprId)>,
    /// Decorators, annotations and attributes.
    pub decorators: Vec<ExprId>,
    /// What is in it.
    pub body: Block,
    /// Its own methods.
    pub methods: Vec<FunctionId>,
    /// Its declared fields with their types.
    pub fields: Vec<(&'a str, Option<&'a str>)>,
    /// What is said about it.
    pub modifiers: Modifiers,
    /// Whether documentation stands with it.
    pub documented: bool,
}

/// What a class is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassKind {
    /// A class.
    Class,
    /// A struct or record.
    Struct,
    /// An interface or trait.
    Interface,
    /// An enumeration.
    Enum,
    /// A union.
    Union,
    /// Rust's `impl`; its name is the type's.
    Implementation,
    /// A Rust module, a C++ namespace.
    Module,
    /// A type alias.
    Alias,
}

/// One import.
#[derive(Debug, Clone)]
pub struct Import<'a> {
    /// What is imported from, as written: `a.b`, `./c`, `stdio.h`, `crate::x`; empty for `from . import a`.
    pub module: &'a str,
    /// All segments of a Rust path, from its first to the name that it brings; empty in other languages.
    pub path: Vec<&'a str>,
    /// The leading dots of a Python import.
    pub level: u32,
    /// The names; empty when only the module's effect is wanted.
    pub names: Vec<ImportedName<'a>>,
    /// Whether everything is imported: `*`, C's `#include`.
    pub star: bool,
    /// For types alone.
    pub types_only: bool,
    /// `#include "x"` rather than `<x>`; Java's `static`; `export … from`; Rust's `pub use` and `mod x;`.
    pub kind: ImportKind,
    /// Where it stands.
    pub span: Span,
    /// The statement.
    pub statement: StmtId,
    /// Within which function.
    pub function: Option<FunctionId>,
    /// Whether it stands in a `try` or an `if`: it may fail by design.
    pub conditional: bool,
}

/// How something is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportKind {
    /// `import`, `use`, `#include <x>`, `require`, `source`.
    Normal,
    /// `#include "x"`.
    Local,
    /// `export … from`, `pub use`.
    Reexport,
    /// Rust's `mod x;`.
    Submodule,
    /// Java's `import static`.
    Static,
}

/// A name that an import brings.
#[derive(Debug, Clone)]
pub struct ImportedName<'a> {
    /// As it is called there; `default` and `*` as JavaScript has them.
    pub name: &'a str,
    /// As it is called here.
    pub local: &'a str,
    /// Whether `as` was written.
    pub renamed: bool,
    /// Where it stands.
    pub span: Span,
}

impl<'a> Unit<'a> {
    /// An expression by its number.
    pub fn expr(&self, id: ExprId) -> &Expr<'a> {
        &self.expressions[id.0 as usize]
    }

    /// What an expression is.
    pub fn kind(&self, id: ExprId) -> &ExprKind<'a> {
        &self.expr(id).kind
    }

    /// A statement by its number.
    pub fn stmt(&self, id: StmtId) -> &Stmt<'a> {
        &self.statements[id.0 as usize]
    }

    /// A function by its number.
    pub fn function(&self, id: FunctionId) -> &Function<'a> {
        &self.functions[id.0 as usize]
    }

    /// A class by its number.
    pub fn class(&self, id: ClassId) -> &Class<'a> {
        &self.classes[id.0 as usize]
    }

    /// An import by its number.
    pub fn import(&self, id: ImportId) -> &Import<'a> {
        &self.imports[id.0 as usize]
    }

    /// The functions with their numbers.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionId, &Function<'a>)> {
        self.functions.iter().enumerate().map(|(index, function)| (FunctionId(index as u32), function))
    }

    /// The classes with their numbers.
    pub fn classes(&self) -> impl Iterator<Item = (ClassId, &Class<'a>)> {
        self.classes.iter().enumerate().map(|(index, class)| (ClassId(index as u32), class))
    }

    /// The expressions with their numbers.
    pub fn exprs(&self) -> impl Iterator<Item = (ExprId, &Expr<'a>)> {
        self.expressions.iter().enumerate().map(|(index, expr)| (ExprId(index as u32), expr))
    }

    /// The statements with their numbers.
    pub fn stmts(&self) -> impl Iterator<Item = (StmtId, &Stmt<'a>)> {
        self.statements.iter().enumerate().map(|(index, stmt)| (StmtId(index as u32), stmt))
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &'a str {
        span.text(self.source)
    }

    /// `a`, for a plain name.
    pub fn name_of(&self, id: ExprId) -> Option<&'a str> {
        match self.kind(id) {
            ExprKind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// `a.b.c` for names and attributes of names; none for anything computed.
    pub fn dotted(&self, id: ExprId) -> Option<String> {
        let mut parts = Vec::new();
        let mut at = id;
        loop {
            match self.kind(at) {
                ExprKind::Name(name) => {
                    parts.push(*name);
                    parts.reverse();
                    return Some(parts.join("."));
                }
                ExprKind::Attribute { base, name, .. } => {
                    parts.push(name);
                    at = *base;
                }
                _ => return None,
            }
        }
    }

    /// The last word of a name or attribute: `c` of `a.b.c`, also when `a` is computed.
    pub fn last_name(&self, id: ExprId) -> Option<&'a str> {
        match self.kind(id) {
            ExprKind::Name(name) | ExprKind::Attribute { name, .. } => Some(name),
            _ => None,
        }
    }

    /// The text of a literal.
    pub fn literal_text(&self, id: ExprId) -> Option<&str> {
        match self.kind(id) {
            ExprKind::Literal(Literal::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The class that a method belongs to.
    pub fn class_of(&self, id: FunctionId) -> Option<ClassId> {
        match self.function(id).owner {
            Owner::Class(class) => Some(class),
            _ => None,
        }
    }

    /// Whether the file was read at all.
    pub fn was_read(&self) -> bool {
        !self
            .notes
            .iter()
            .any(|note| matches!(note.kind, NoteKind::TooLarge | NoteKind::Minified | NoteKind::TooSlow))
    }
}
