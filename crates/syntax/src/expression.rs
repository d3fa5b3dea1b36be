//! Expressions of every language in one shape.

use crate::lines::Span;
use crate::statement::{Block, StmtId};
use crate::unit::FunctionId;
use std::borrow::Cow;

/// The number of an expression in [`crate::Unit::expressions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// One expression.
#[derive(Debug, Clone)]
pub struct Expr<'a> {
    /// What it is.
    pub kind: ExprKind<'a>,
    /// Where it stands.
    pub span: Span,
    /// Within which function it is evaluated; none at the top of the file.
    pub function: Option<FunctionId>,
}

/// What an expression is. Parentheses are gone; the tree says how things group.
#[derive(Debug, Clone)]
pub enum ExprKind<'a> {
    /// A variable, a type, a module: anything that is called by one word. `self`, `this`, Bash's `$x` (without the
    /// dollar) too; a Rust path `a::b` is an attribute of `a`.
    Name(&'a str),
    /// A constant.
    Literal(Literal<'a>),
    /// Text with values in it: f-strings, template literals, Bash's double quotes, `format!` is a call.
    Template(Vec<Part<'a>>),
    /// `base.name`, `base->name`, `base::name`.
    Attribute {
        /// Of what.
        base: ExprId,
        /// Which.
        name: &'a str,
        /// Where the name stands.
        name_span: Span,
        /// `a?.b`.
        optional: bool,
    },
    /// `base[index]`; the index may be a slice, a tuple, or a literal key.
    Subscript {
        /// Of what.
        base: ExprId,
        /// Which; none in `a[]`.
        index: Option<ExprId>,
    },
    /// `lower:upper:step` inside a subscript.
    Slice(Vec<ExprId>),
    /// A call, a construction, a macro, a shell command.
    Call {
        /// What is called; `a.b` for methods (an [`ExprKind::Attribute`], its base is the receiver).
        callee: ExprId,
        /// With what.
        arguments: Vec<Argument<'a>>,
        /// How.
        kind: CallKind,
    },
    /// Arithmetic and bits: `left operator right`.
    Binary {
        /// Which.
        operator: Operator,
        /// The left side.
        left: ExprId,
        /// The right side.
        right: ExprId,
    },
    /// `a and b`, `a || b`, `a ?? b`.
    Logical {
        /// And, Or or Coalesce.
        operator: Operator,
        /// The left side.
        left: ExprId,
        /// The right side.
        right: ExprId,
    },
    /// `a < b`, and Python's `a < b < c`.
    Compare {
        /// The first operand.
        left: ExprId,
        /// Each operator with the operand after it.
        rest: Vec<(Operator, ExprId)>,
    },
    /// `-a`, `not a`, `*a`, `&a`, `typeof a`.
    Unary {
        /// Which.
        operator: Operator,
        /// Of what.
        operand: ExprId,
    },
    /// `a ? b : c`, `b if a else c`.
    Conditional {
        /// The question.
        test: ExprId,
        /// The value when it holds.
        then: ExprId,
        /// The value otherwise.
        otherwise: ExprId,
    },
    /// A function without a name, or one that is a value.
    Lambda(FunctionId),
    /// Lists, tuples, sets, dictionaries, objects, struct literals.
    Collection {
        /// Which.
        kind: CollectionKind,
        /// What is in it.
        items: Vec<Item<'a>>,
    },
    /// Python's comprehensions and generator expressions.
    Comprehension {
        /// What is built.
        kind: CollectionKind,
        /// The element; for dictionaries the key, then the value.
        elements: Vec<ExprId>,
        /// The `for … in … if …` parts.
        clauses: Vec<Clause>,
    },
    /// An assignment that is a value: `(a = b)`, `(a := b)`, `i += 1` inside of something.
    Assign {
        /// What is written.
        target: ExprId,
        /// The operator of `+=` and its kin.
        operator: Option<Operator>,
        /// What is assigned.
        value: ExprId,
    },
    /// `i++`, `--i`.
    Update {
        /// What is written.
        target: ExprId,
        /// Up or down.
        increment: bool,
    },
    /// `await a`, `a.await`, Go's `<-a`.
    Await(ExprId),
    /// `yield`, `yield from`.
    Yield(Option<ExprId>),
    /// `*a`, `**a`, `...a` in calls and collections.
    Spread(ExprId),
    /// A conversion or an assertion of type.
    Cast {
        /// Of what.
        value: ExprId,
        /// The type as it is written.
        to: &'a str,
    },
    /// Statements whose value counts: Rust's blocks, `if`, `match`, loops; Java's `switch`; Bash's `$( … )`. The value
    /// is that of the last [`crate::StmtKind::Expression`] in them.
    Block(Block),
    /// One statement as a value.
    Statement(StmtId),
    /// A type as it is written, where a value could stand.
    Type(&'a str),
    /// Anything else, with the expressions that are in it.
    Other(Vec<ExprId>),
}

/// A constant as it is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal<'a> {
    /// Text, without quotes, escapes resolved.
    Text(Cow<'a, str>),
    /// Bytes, as text without quotes.
    Bytes(&'a str),
    /// A single character of C, Java, Go, Rust.
    Character(&'a str),
    /// A whole number; none when it does not fit.
    Integer(Option<i128>),
    /// Any other number, as written.
    Float(&'a str),
    /// A truth value.
    Boolean(bool),
    /// `None`, `null`, `nil`, `nullptr`, `undefined`.
    Null,
    /// `...`.
    Ellipsis,
    /// A regular expression between slashes.
    Regex(&'a str),
}

/// A part of a [`ExprKind::Template`].
#[derive(Debug, Clone)]
pub enum Part<'a> {
    /// Fixed text as written.
    Text(&'a str),
    /// A value that is put in.
    Value(ExprId),
}

/// One argument of a call.
#[derive(Debug, Clone)]
pub struct Argument<'a> {
    /// The keyword, where there is one.
    pub name: Option<&'a str>,
    /// The value; [`ExprKind::Spread`] for `*a`, `**a` and `...a`.
    pub value: ExprId,
}

/// An item of a collection.
#[derive(Debug, Clone)]
pub struct Item<'a> {
    /// The key of a dictionary or object; plain names of objects and structs are [`ItemKey::Name`].
    pub key: Option<ItemKey<'a>>,
    /// The value.
    pub value: ExprId,
}

/// What an item is filed under.
#[derive(Debug, Clone)]
pub enum ItemKey<'a> {
    /// A fixed word: `{a: 1}`, `Point { x: 1 }`.
    Name(&'a str),
    /// A computed key, literals of dictionaries included.
    Value(ExprId),
}

/// One `for` of a comprehension.
#[derive(Debug, Clone)]
pub struct Clause {
    /// What is bound.
    pub target: ExprId,
    /// What is gone through.
    pub iterable: ExprId,
    /// The `if`s.
    pub conditions: Vec<ExprId>,
}

/// How something is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    /// A function or method.
    Call,
    /// `new T(…)`.
    New,
    /// A Rust macro; its arguments are what could be read of them.
    Macro,
    /// A shell command; its words are the arguments.
    Command,
}

/// What a collection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CollectionKind {
    /// A list, array, vector, slice literal.
    List,
    /// A tuple.
    Tuple,
    /// A set.
    Set,
    /// A dictionary or map.
    Dict,
    /// A JavaScript object, a struct literal.
    Object,
    /// A lazy sequence.
    Generator,
}

/// Operators of all languages, by what they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Power,
    MatrixMultiply,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
    Coalesce,
    Equal,
    NotEqual,
    StrictEqual,
    StrictNotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn,
    Is,
    IsNot,
    InstanceOf,
    Not,
    Negate,
    Plus,
    BitNot,
    Dereference,
    AddressOf,
    TypeOf,
    Void,
    Delete,
    SizeOf,
    Try,
    Range,
    Match,
    Other,
}

impl Operator {
    /// Whether it compares.
    pub fn compares(self) -> bool {
        use Operator::*;
        matches!(
            self,
            Equal
                | NotEqual
                | StrictEqual
                | StrictNotEqual
                | Less
                | LessEqual
                | Greater
                | GreaterEqual
                | In
                | NotIn
                | Is
                | IsNot
                | InstanceOf
                | Match
        )
    }

    /// Whether it decides by truth.
    pub fn is_logical(self) -> bool {
        matches!(self, Self::And | Self::Or | Self::Coalesce)
    }
}
