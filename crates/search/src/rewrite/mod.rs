//! Changing code by its shape.
//!
//! | module | what it holds |
//! |---|---|
//! | [`template`] | text with metavariables, filled from a match |
//! | [`transform`] | what can be done to a captured text on the way |
//! | [`edit`] | replacing parts of a text: never two over the same bytes |
//! | [`transformer`] | [`ASTTransformer`]: rules that change code |
//! | [`fixes`] | which rules change code, and what they make of many files |
//! | [`journal`] | writing whole files or nothing, and taking it back |

pub mod edit;
pub mod fixes;
pub mod journal;
mod minimal;
pub mod template;
#[cfg(test)]
mod tests;
pub mod transform;
pub mod transformer;

pub use edit::{Edit, EditGroup};
pub use journal::Journal;
pub use template::Template;
pub(crate) use template::{capture_text, fill};
pub use transform::Transform;
pub use transformer::{ASTTransformer, Change, Fix, still_parses, unified};
