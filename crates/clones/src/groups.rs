//! From pairs to groups in which every two places are alike.
//!
//! Chains would do if likeness were transitive; it is not: a long chain of small edits ends at another function. So a
//! group takes in only what is alike to all its members, and a pair that fits no group begins one of its own.

use super::similarity::Likeness;
use rustc_hash::{FxHashMap, FxHashSet};

/// Two things that are alike.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    /// The one, with the smaller number.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// How alike.
    pub likeness: Likeness,
}

/// Things that are all alike, and how alike the two most unlike of them are.
#[derive(Debug, Clone)]
pub struct Group {
    /// The members, sorted.
    pub members: Vec<u32>,
    /// The weakest likeness.
    pub likeness: Likeness,
}

/// Covers every pair by a group.
pub fn cover(mut pairs: Vec<Pair>) -> Vec<Group> {
    pairs.sort_by(|x, y| {
        (x.likeness.kind, y.likeness.similarity, x.a, x.b)
            .partial_cmp(&(y.likeness.kind, x.likeness.similarity, y.a, y.b))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let mut neighbours: FxHashMap<u32, FxHashMap<u32, Likeness>> = FxHashMap::default();
    for pair in &pairs {
        neighbours.entry(pair.a).or_default().insert(pair.b, pair.likeness);
        neighbours.entry(pair.b).or_default().insert(pair.a, pair.likeness);
    }
    let mut covered: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut groups = Vec::new();
    for pair in &pairs {
        if covered.contains(&(pair.a, pair.b)) {
            continue;
        }
        let mut members = vec![pair.a, pair.b];
        let mut weakest = pair.likeness;
        let mut others: Vec<(u32, Likeness)> = neighbours[&pair.a]
            .iter()
            .filter(|(other, _)| **other != pair.b && neighbours[&pair.b].contains_key(other))
            .map(|(other, likeness)| (*other, *likeness))
            .collect();
        others.sort_by(|x, y| {
            (x.1.kind, y.1.similarity, x.0)
                .partial_cmp(&(y.1.kind, x.1.similarity, y.0))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        for (other, _) in others {
            let to_all: Option<Vec<Likeness>> =
                members.iter().map(|member| neighbours[&other].get(member).copied()).collect();
            if let Some(all) = to_all {
                members.push(other);
                weakest = all.into_iter().fold(weakest, weaker);
            }
        }
        members.sort_unstable();
        for (index, a) in members.iter().enumerate() {
            for b in &members[index + 1..] {
                covered.insert((*a, *b));
            }
        }
        groups.push(Group { members, likeness: weakest });
    }
    groups
}

/// The weaker of two.
pub fn weaker(a: Likeness, b: Likeness) -> Likeness {
    Likeness { kind: a.kind.max(b.kind), similarity: a.similarity.min(b.similarity) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::clones::CloneType;

    #[test]
    fn groups_are_alike_throughout() {
        let likeness = Likeness { kind: CloneType::Edited, similarity: 0.8 };
        let pair = |a, b| Pair { a, b, likeness };
        let groups = cover(vec![pair(0, 1), pair(1, 2), pair(0, 2), pair(2, 3)]);
        let members: Vec<&[u32]> = groups.iter().map(|group| group.members.as_slice()).collect();
        assert_eq!(members, [&[0, 1, 2][..], &[2, 3]]);
    }
}
