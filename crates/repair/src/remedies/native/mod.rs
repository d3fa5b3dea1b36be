//! C and C++: headers and names, what cannot be read, members and arguments, what sanitizers and the run report.

mod names;
mod runtime;
mod syntax;
mod types;
mod usage;

use super::remedy::Remedy;

/// Names of the languages and their libraries.
const COMMON: &str = "int char double float void long short unsigned const static struct return while for if else switch \
    case break continue sizeof printf malloc strlen main include size push_back begin end length empty insert find substr \
    back front pop_back first second clear erase at count cout endl string vector auto public private virtual";

pub(super) const FAMILIES: &[&[Remedy]] =
    &[names::REMEDIES, syntax::REMEDIES, usage::REMEDIES, types::REMEDIES, runtime::REMEDIES];
