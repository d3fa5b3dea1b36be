//! Python: names, attributes, values, calls, what cannot be read, and what looks wrong although nothing was raised.

mod attributes;
mod brackets;
mod calls;
mod imports;
mod layout;
mod names;
mod quiet;
mod results;
mod syntax;
mod types;
mod values;

use super::remedy::Remedy;

pub(super) const FAMILIES: &[&[Remedy]] = &[
    syntax::REMEDIES,
    brackets::REMEDIES,
    layout::REMEDIES,
    names::REMEDIES,
    imports::REMEDIES,
    attributes::REMEDIES,
    types::REMEDIES,
    calls::REMEDIES,
    results::REMEDIES,
    values::REMEDIES,
    quiet::REMEDIES,
];
