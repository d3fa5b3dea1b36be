//! Source text of eight languages as one language-neutral form.
//!
//! | module | what it holds |
//! |---|---|
//! | [`dialect`] | the grammars, and which file is read by which |
//! | [`unit`] | [`Unit`]: everything that one file says: functions, classes, imports, comments, notes |
//! | [`statement`] | statements of every language in one shape |
//! | [`expression`] | expressions of every language in one shape |
//! | [`walk`] | going through statements and expressions without recursion |
//! | [`scopes`] | [`Scopes`]: which name is defined where, and who reads it |
//! | [`graph`] | [`Graph`]: control flow of one function |
//! | [`lines`] | [`Lines`]: byte offsets to lines and columns |
//! | [`place`] | places and full names as reports quote them |
//! | [`tree`](mod@tree) | the grammar's own tree, for engines that compare structure |
//!
//! [`parse`] never fails: broken code gives its sound parts and a [`Note`]. Depth and size are bounded by [`Bounds`].
//! Everything borrows from the source text and refers to its parts by small numbers into flat lists, so that a rule
//! may look at all expressions of a file by iterating, and nothing recurses when it is dropped.

pub mod dialect;
pub mod expression;
pub mod graph;
mod lang;
pub mod lines;
mod lower;
pub mod place;
pub mod scopes;
pub mod statement;
pub mod tree;
pub mod unit;
pub mod walk;

pub use dialect::Dialect;
pub use expression::{
    Argument, CallKind, Clause, CollectionKind, Expr, ExprId, ExprKind, Item, Literal, Operator, Part,
};
pub use graph::Graph;
pub use lines::{Lines, Position, Span};
#[cfg(feature = "parsers")]
pub use lower::is_shallow;
pub use lower::{Bounds, parse, parse_bounded};
pub use scopes::Scopes;
pub use statement::{Arm, Block, Declares, Handler, LoopKind, Stmt, StmtId, StmtKind, SwitchKind, WithKind};
pub use unit::{
    Class, ClassId, ClassKind, Comment, Function, FunctionId, Import, ImportId, ImportedName, Modifiers,
    Note, NoteKind, Owner, Parameter, ParameterKind, Unit,
};
