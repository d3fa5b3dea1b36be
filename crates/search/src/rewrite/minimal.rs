//! The smallest edits that make a match into its template.
//!
//! Where pattern and template agree, the file keeps its own bytes: spacing, comments, the order of keyword arguments.

use super::edit::Edit;
use super::template::{Filling, Template};
use crate::Pattern;
use crate::matching::Comparison;
use crate::pattern::{NodeId, Shape};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The edits of one match; none where pattern and template are too different to be aligned.
pub(super) fn edits(
    comparison: &Comparison<'_, '_, '_>,
    template: &Pattern,
    filling: &Filling<'_, '_, '_>,
) -> Option<Vec<Edit>> {
    let pattern = comparison.pattern;
    let places = comparison.pairs.iter().map(|(id, node)| (*id, node.byte_range())).collect();
    let mut alignment = Alignment { pattern, template, filling, places, edits: Vec::new() };
    let aligned = alignment.lists(&pattern.roots, &template.roots);
    aligned.then_some(alignment.edits)
}

struct Alignment<'a, 'p, 't, 's> {
    pattern: &'a Pattern,
    template: &'a Pattern,
    filling: &'a Filling<'p, 't, 's>,
    places: FxHashMap<NodeId, Range<usize>>,
    edits: Vec<Edit>,
}

impl Alignment<'_, '_, '_, '_> {
    fn lists(&mut self, pattern: &[NodeId], template: &[NodeId]) -> bool {
        pattern.len() == template.len() && pattern.iter().zip(template).all(|(p, t)| self.nodes(*p, *t))
    }

    fn nodes(&mut self, p: NodeId, t: NodeId) -> bool {
        let (from, to) = (self.pattern.node(p), self.template.node(t));
        let kept = self.edits.len();
        let aligned = match (&from.shape, &to.shape) {
            (Shape::One(Some(a)), Shape::One(Some(b))) | (Shape::Many(Some(a)), Shape::Many(Some(b)))
                if a == b =>
            {
                return true;
            }
            (Shape::One(None), Shape::One(None)) | (Shape::Many(None), Shape::Many(None)) => return true,
            (Shape::Leaf(a), Shape::Leaf(b)) if a == b && from.kind == to.kind => return true,
            (Shape::Token(a), Shape::Token(b)) if a == b => return true,
            (Shape::Inner(a), Shape::Inner(b)) if from.kind == to.kind => {
                let (a, b) = (a.clone(), b.clone());
                from.path.is_some() && from.path == to.path || self.lists(&a, &b)
            }
            _ => false,
        };
        if aligned {
            return true;
        }
        self.edits.truncate(kept);
        // A list cannot be replaced where it was only looked at as its members.
        if matches!(from.shape, Shape::Many(_)) || matches!(to.shape, Shape::Many(_)) {
            return false;
        }
        let Some(place) = self.places.get(&p).cloned() else { return false };
        let Some(text) = self.template.text().get(to.written.clone()) else { return false };
        let text = Template::new(text).fill(self.filling, place.start);
        self.edits.push(Edit { range: place, text });
        true
    }
}
