//! Java's files: named in one place, tested in a second, used in a third.

use super::calls::{Site, is_resolving};
use super::engine::{Engine, Resolved};
use super::models::Place;
use formicary_syntax::{ExprId, ExprKind, StmtKind};

impl<'a> Engine<'_, '_, 'a> {
    /// Whether a file of Java is only named here: one that is resolved afterwards may be tested before it is used, and
    /// counts where it is used; any other counts where it is named.
    pub(super) fn is_used_later(&mut self, site: &Site<'_, 'a>, places: &[Place]) -> bool {
        match (places, site.base) {
            // `file.exists()`.
            ([Place::Receiver], Some(base)) if site.word != "transferTo" => !self.is_resolved(base),
            _ => {
                let naming = matches!(site.word, "get" | "of" | "getPath") || site.word.ends_with("File");
                naming && self.is_resolved(site.id)
            }
        }
    }

    /// Whether a file is asked where it really is, itself or by the name of the variable that it becomes.
    fn is_resolved(&mut self, id: ExprId) -> bool {
        let unit = self.unit;
        if self.resolved.is_none() {
            let mut found = Resolved::default();
            for (_, expr) in unit.exprs() {
                if let ExprKind::Call { callee, .. } = &expr.kind
                    && let ExprKind::Attribute { base, name, .. } = unit.kind(*callee)
                    && (is_resolving(name) && *name != "resolve" || *name == "toPath")
                {
                    found.expressions.insert(*base);
                    found.names.extend(unit.name_of(*base).map(|name| (expr.function, name)));
                }
            }
            self.resolved = Some(found);
        }
        let Some(resolved) = &self.resolved else { return false };
        let expr = unit.expr(id);
        if resolved.expressions.contains(&id) || resolved.names.is_empty() {
            return resolved.expressions.contains(&id);
        }
        if let Some(name) = unit.name_of(id) {
            return resolved.names.contains(&(expr.function, name));
        }
        unit.stmts().any(|(_, stmt)| match &stmt.kind {
            StmtKind::Assign { targets, value: Some(value), .. } if *value == id => targets
                .iter()
                .filter_map(|target| unit.name_of(*target))
                .any(|name| resolved.names.contains(&(expr.function, name))),
            _ => false,
        })
    }
}
