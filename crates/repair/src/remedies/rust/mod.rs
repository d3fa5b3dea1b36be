//! Rust, where the compiler's own suggestions end: names, ownership, types, what cannot be read, panics.

mod derive;
mod names;
mod ownership;
mod runtime;
mod shape;
mod syntax;
mod types;

use super::remedy::Remedy;

/// Names of the language and its library.
const COMMON: &str = "String Vec Option Some None Result Ok Err println print format vec len push push_str pop iter iter_mut \
    into_iter collect map filter unwrap expect clone to_string to_owned as_str chars bytes lines split trim parse contains \
    contains_key insert remove get get_mut is_empty is_some is_none sort reverse sum max min abs pow sqrt first last swap \
    i32 u32 i64 u64 usize f64 bool char str self Self mut return";

pub(super) const FAMILIES: &[&[Remedy]] = &[
    names::REMEDIES,
    syntax::REMEDIES,
    ownership::REMEDIES,
    types::REMEDIES,
    derive::REMEDIES,
    shape::REMEDIES,
    runtime::REMEDIES,
];
