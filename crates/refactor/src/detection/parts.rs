//! One thing that became several, and several that became one: variables, attributes, types.

use super::declarations::Version;
use super::matching::Matches;
use super::{Draft, type_place};
use formicary_model::refactorings::RefactoringKind as Kind;
use rustc_hash::FxHashMap;

/// A name and those that stand in its place on the other side.
pub type Parts<'a> = Vec<(&'a str, Vec<&'a str>)>;

/// Which of these names have several of the others in their place, none of them much more often than the rest. One that
/// stands in the place of two names is part of neither.
pub fn of<'a>(ones: &[&'a str], others: &[&'a str], votes: impl Fn(&str, &str) -> u32) -> Parts<'a> {
    let mut found: Parts<'a> = Vec::new();
    for one in ones {
        let voted: Vec<(&'a str, u32)> = others
            .iter()
            .map(|other| (*other, votes(one, other)))
            .filter(|(other, count)| {
                *count > 0 && ones.iter().filter(|rival| votes(rival, other) > 0).count() == 1
            })
            .collect();
        let most = voted.iter().map(|(_, count)| *count).max().unwrap_or(0);
        if voted.len() >= 2 && voted.iter().all(|(_, count)| count * 3 >= most) {
            found.push((*one, voted.into_iter().map(|(other, _)| other).collect()));
        }
    }
    found
}

/// Types that are gone and whose methods went into several new ones, none of which got nearly all.
pub fn split_types(before: &Version<'_>, after: &Version<'_>, found: &Matches, out: &mut Vec<Draft>) {
    let mut went: FxHashMap<usize, FxHashMap<usize, usize>> = FxHashMap::default();
    for (b, a) in &found.methods {
        if let (Some(x), Some(y)) = (before.methods[*b].owner, after.methods[*a].owner)
            && found.type_before(y).is_none_or(|own| own == x)
        {
            *went.entry(x).or_default().entry(y).or_default() += 1;
        }
    }
    let mut went: Vec<(usize, FxHashMap<usize, usize>)> = went.into_iter().collect();
    went.sort_unstable_by_key(|(x, _)| *x);
    for (x, parts) in went {
        let was = &before.types[x];
        if found.type_after(x).is_some_and(|now| after.types[now].name == was.name) {
            continue;
        }
        let most = parts.values().copied().max().unwrap_or(0);
        let mut parts: Vec<(usize, usize)> =
            parts.into_iter().filter(|(_, count)| *count >= 2 && count * 2 >= most).collect();
        parts.sort_unstable();
        let kept: usize = parts.iter().map(|(_, count)| count).sum();
        if parts.len() < 2 || kept * 10 < was.methods.len() * 6 {
            continue;
        }
        let names: Vec<&str> = parts.iter().map(|(y, _)| after.types[*y].path.as_str()).collect();
        let text = format!("{} is now {}", was.path, names.join(", "));
        let (p, q) = (type_place(before, was), type_place(after, &after.types[parts[0].0]));
        // It is neither the one under another name nor the origin of the others.
        out.retain(|draft| {
            !matches!(draft.kind, Kind::RenameClass | Kind::MoveAndRenameClass | Kind::ExtractClass)
                || draft.before != p
        });
        out.push(Draft::new(Kind::SplitClass, text, p, q, 0.8));
    }
}
