//! Java: names and imports, what cannot be read, types, members, exceptions.

mod members;
mod names;
mod runtime;
mod syntax;
mod types;

use super::remedy::Remedy;

/// Names of the language and its library.
const COMMON: &str = "String System Integer Double Boolean Math println print printf length size charAt substring equals \
    add get put remove contains containsKey isEmpty toString indexOf public static void return int double boolean char \
    long class append parseInt valueOf out toUpperCase toLowerCase getOrDefault StringBuilder Object push pop peek set \
    sort trim split replace max min abs sqrt pow main args private final new while for import";

pub(super) const FAMILIES: &[&[Remedy]] =
    &[names::REMEDIES, syntax::REMEDIES, types::REMEDIES, members::REMEDIES, runtime::REMEDIES];
