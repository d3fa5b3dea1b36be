//! Statements of every language in one shape.

use crate::expression::{ExprId, Operator};
use crate::lines::Span;
use crate::unit::{ClassId, FunctionId, ImportId};

/// The number of a statement in [`crate::Unit::statements`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(pub u32);

/// Statements one after the other.
pub type Block = Vec<StmtId>;

/// One statement.
#[derive(Debug, Clone)]
pub struct Stmt<'a> {
    /// What it is.
    pub kind: StmtKind<'a>,
    /// Where it stands.
    pub span: Span,
    /// Within which function; none at the top of the file.
    pub function: Option<FunctionId>,
}

/// What a statement is.
#[derive(Debug, Clone)]
pub enum StmtKind<'a> {
    /// An expression for its effect, or as the value of the block that it ends.
    Expression(ExprId),
    /// `targets = value`. Destructuring is a collection as target. Every declaration with or without value is one too.
    Assign {
        /// What is written; several for Python's `a = b = c`.
        targets: Vec<ExprId>,
        /// The operator of `+=` and its kin.
        operator: Option<Operator>,
        /// What is assigned; none for a declaration without value.
        value: Option<ExprId>,
        /// Whether names come into being here.
        declares: Declares,
        /// The type as it is written.
        annotation: Option<&'a str>,
    },
    /// `return`.
    Return(Option<ExprId>),
    /// `raise`, `throw`; `exit` is a call.
    Raise(Vec<ExprId>),
    /// `break`, with the label or the value's place.
    Break(Option<&'a str>),
    /// `continue`.
    Continue(Option<&'a str>),
    /// `goto`.
    Goto(&'a str),
    /// `name:` before the statements of the block.
    Label {
        /// The name.
        name: &'a str,
        /// What is labelled.
        body: Block,
    },
    /// `if`.
    If {
        /// The question.
        test: ExprId,
        /// What happens then.
        then: Block,
        /// What happens otherwise; `elif` and `else if` are one `If` in here.
        otherwise: Block,
        /// Whether this is the `elif` of another.
        elif: bool,
    },
    /// Any loop.
    Loop {
        /// Which.
        kind: LoopKind,
        /// What is done before (`for (init; …)`).
        init: Block,
        /// The question before (or after) each round.
        test: Option<ExprId>,
        /// What a for-each binds.
        target: Option<ExprId>,
        /// What a for-each goes through.
        iterable: Option<ExprId>,
        /// What is done after each round.
        update: Vec<ExprId>,
        /// What is repeated.
        body: Block,
        /// Python's `else`.
        otherwise: Block,
        /// The label of Rust's loops.
        label: Option<&'a str>,
    },
    /// `switch`, `match`, `case`, `select`.
    Switch {
        /// Which.
        kind: SwitchKind,
        /// What is looked at.
        subject: Option<ExprId>,
        /// The cases in order.
        arms: Vec<Arm>,
    },
    /// `try`.
    Try {
        /// What is tried.
        body: Block,
        /// The `except`s and `catch`es.
        handlers: Vec<Handler<'a>>,
        /// Python's `else`.
        otherwise: Block,
        /// `finally`.
        finally: Block,
    },
    /// Something held while the body runs.
    With {
        /// Which.
        kind: WithKind,
        /// What is held, and what it is bound to.
        items: Vec<(ExprId, Option<ExprId>)>,
        /// What runs meanwhile.
        body: Block,
    },
    /// A function is defined.
    Function(FunctionId),
    /// A class, struct, interface, trait, enum is defined.
    Class(ClassId),
    /// Something is imported.
    Import(ImportId),
    /// `global`, `nonlocal`.
    Global(Vec<&'a str>),
    /// `del`, `unset`.
    Delete(Vec<ExprId>),
    /// `assert`.
    Assert {
        /// What must hold.
        test: ExprId,
        /// What is said otherwise.
        message: Option<ExprId>,
    },
    /// `defer`, `go`.
    Deferred {
        /// What is called later or elsewhere.
        call: ExprId,
        /// `go` rather than `defer`.
        concurrent: bool,
    },
    /// Nothing: `pass`, `;`.
    Pass,
    /// Statements in braces of their own.
    Block(Block),
    /// Statements that a preprocessor may leave out: `#if`, `#ifdef`; the branches one after the other.
    Preprocessor(Vec<Block>),
    /// Anything else, with the expressions and statements that are in it.
    Other {
        /// The expressions.
        expressions: Vec<ExprId>,
        /// The statements.
        body: Block,
    },
}

/// Whether and how an assignment brings names into being.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declares {
    /// It writes what is there (in Python and Bash it may still define).
    Nothing,
    /// A variable of the function: `var`.
    Function,
    /// A variable of the block: `let`, `int x`, `:=`.
    Variable,
    /// A constant of the block.
    Constant,
    /// A field of the class around.
    Field,
}

/// How a loop goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopKind {
    /// While the test holds.
    While,
    /// The body first, then the test. [`crate::StmtKind::Loop`]'s test.
    DoWhile,
    /// `for (init; test; update)`.
    For,
    /// Over the elements of something.
    ForEach,
    /// Until the test holds.
    Until,
    /// Without a question.
    Endless,
}

/// Which kind of choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwitchKind {
    /// Cases fall through unless they break: C, C++, JavaScript, Java's old form.
    Falling,
    /// Each case stands alone: Go, Rust, Python, Bash, Java's arrows.
    Separate,
    /// Go's `select`.
    Select,
}

/// One case.
#[derive(Debug, Clone)]
pub struct Arm {
    /// The patterns; none for the default.
    pub patterns: Vec<ExprId>,
    /// The `if` of a pattern.
    pub guard: Option<ExprId>,
    /// What is done.
    pub body: Block,
    /// Whether this takes what no other takes: `default`, `_`.
    pub default: bool,
    /// Where it stands.
    pub span: Span,
}

/// One `except` or `catch`.
#[derive(Debug, Clone)]
pub struct Handler<'a> {
    /// The types; none takes everything.
    pub types: Vec<ExprId>,
    /// What the exception is called.
    pub name: Option<&'a str>,
    /// What is done.
    pub body: Block,
    /// Where it stands.
    pub span: Span,
}

/// What is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithKind {
    /// Python's `with`, Java's `try (…)`.
    Resource,
    /// Java's `synchronized`.
    Lock,
    /// Rust's `unsafe`.
    Unsafe,
    /// A shell's group or subshell with redirections, a C++ namespace, anything that only wraps.
    Group,
}
