//! Whether a name may come where another one stood: it must mean nothing there, and must not come to mean something else.

use super::scoped::{Names, Role, ScopeId, ScopeKind, Space};
use super::{Refused, unsure};
use formicary_search::Source;

/// The new name must mean nothing where the old one stands, and must not come to mean something else.
pub(super) fn free(
    source: &Source,
    names: &Names<'_>,
    scope: ScopeId,
    old: &str,
    new: &str,
) -> Result<(), Refused> {
    for taken in names.occurrences.iter().filter(|one| one.name == new) {
        let defined = names.resolve(taken.scope, new, Space::Both);
        let beside = defined.is_some_and(|defined| {
            // A function's parameters and the names of its outermost block exclude each other.
            let (a, b) = (&names.scopes[defined], &names.scopes[scope]);
            a.kind == ScopeKind::Body && a.parent == Some(scope)
                || b.kind == ScopeKind::Body && b.parent == Some(defined)
        });
        if defined == Some(scope) || beside {
            return Err(unsure(source, taken.range.start, format!("{new} is taken here already")));
        }
        if !matches!(taken.role, Role::Bind(_)) && names.is_within(taken.scope, scope) {
            let outside = defined.is_none_or(|defined| !names.is_within(defined, scope));
            if outside {
                let why = format!("{new} means something from outside here; it would be captured");
                return Err(unsure(source, taken.range.start, why));
            }
        }
    }
    for one in names.of(scope, old) {
        if let Some(between) = names.resolve(one.scope, new, Space::Both)
            && between != scope
            && names.is_within(between, scope)
        {
            let why = format!("{new} means something else here: it would be shadowed");
            return Err(unsure(source, one.range.start, why));
        }
    }
    Ok(())
}

/// A new name must not occur in the file at all: it could be meant there.
pub(super) fn unused(source: &Source, names: &Names<'_>, name: &str) -> Result<(), Refused> {
    match names.occurrences.iter().find(|one| one.name == name) {
        Some(taken) => Err(unsure(source, taken.range.start, format!("{name} is taken already"))),
        None => Ok(()),
    }
}
