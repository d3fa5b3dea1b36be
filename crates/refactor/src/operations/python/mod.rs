//! Refactorings of Python.
//!
//! | module | what it holds |
//! |---|---|
//! | [`names`] | every name of a file, with what it stands for |
//! | [`rename`] | another name, in every file that uses it |
//! | [`extract`] | an expression becomes a variable, statements become a function |
//! | [`inline`] | a variable becomes what it stands for |

pub(super) mod extract;
pub(super) mod inline;
mod names;
pub(super) mod rename;
#[cfg(test)]
mod tests;
