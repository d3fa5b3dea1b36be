//! Refactorings of Java.
//!
//! | module | what it holds |
//! |---|---|
//! | [`names`] | every name of a file that stands by itself, with what it stands for |
//! | `project` | the types of all files, and the types of expressions |
//! | `members`, `classes` | another name for methods and fields, for types |
//! | [`rename`] | another name, in every file that uses it |

mod classes;
mod members;
pub(super) mod names;
mod project;
pub(super) mod rename;
#[cfg(test)]
mod tests;
