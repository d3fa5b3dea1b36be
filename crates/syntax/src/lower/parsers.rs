//! Which languages have a parser of their own for sound code: it is quicker than the grammar.

use super::{Bounds, oxc, ruff};
use crate::{Dialect, Unit};

/// Reads a file by the parser of its language, if it has one and the code is sound.
pub(super) fn read(dialect: Dialect, source: &str, bounds: Bounds) -> Option<Unit<'_>> {
    match dialect {
        Dialect::Python => ruff::read(source, bounds),
        Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx => oxc::read(dialect, source, bounds),
        _ => None,
    }
}
