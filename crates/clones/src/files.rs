//! Whole files that are copies of one another.

use super::blocks::Place;
use super::differences::kept;
use super::fragment::{identities, statements};
use super::groups::{Pair, cover};
use super::similarity::Likeness;
use super::{CloneOptions, Read};
use formicary_model::clones::CloneType;
use rustc_hash::FxHashMap;

/// So much of both files must be shared.
const MOST: f32 = 0.8;

/// Groups of files. `related` are pairs of files that share something.
pub fn groups(
    files: &[Read<'_>],
    related: &[(u32, u32)],
    options: &CloneOptions,
) -> Vec<(Vec<u32>, Likeness)> {
    let mut known: FxHashMap<u32, (u64, u64)> = FxHashMap::default();
    let mut identity = |file: u32| {
        *known.entry(file).or_insert_with(|| {
            let file = &files[file as usize];
            let (exact, _, renamed) = identities(&file.tokens, file.source.text);
            (exact, renamed)
        })
    };
    let mut pairs = Vec::new();
    for (a, b) in related {
        let (left, right) = (&files[*a as usize], &files[*b as usize]);
        if left.tokens.len().min(right.tokens.len()) < options.block_tokens {
            continue;
        }
        let (one, other) = (identity(*a), identity(*b));
        let likeness = if one.0 == other.0 {
            Likeness { kind: CloneType::Exact, similarity: 1.0 }
        } else if one.1 == other.1 {
            Likeness { kind: CloneType::Renamed, similarity: 1.0 }
        } else {
            let similarity = shared(left, right);
            if similarity < MOST {
                continue;
            }
            Likeness { kind: CloneType::Edited, similarity }
        };
        pairs.push(Pair { a: *a, b: *b, likeness });
    }
    cover(pairs).into_iter().map(|group| (group.members, group.likeness)).collect()
}

fn shared(a: &Read<'_>, b: &Read<'_>) -> f32 {
    let (small, large) = (a.tokens.len().min(b.tokens.len()), a.tokens.len().max(b.tokens.len()));
    if (small as f32) < MOST * large as f32 {
        return 0.0;
    }
    let list = |file: &Read<'_>| -> (Vec<u64>, Vec<u16>) {
        statements(&file.tokens).into_iter().map(|(shape, size)| (u64::from(shape), size)).unzip()
    };
    let ((left, sizes), (right, others)) = (list(a), list(b));
    let weight: u32 = kept(&left, &right).iter().map(|(index, _)| u32::from(sizes[*index])).sum();
    let total = |sizes: &[u16]| sizes.iter().map(|size| u32::from(*size)).sum::<u32>();
    weight as f32 / total(&sizes).max(total(&others)).max(1) as f32
}

/// The whole of a file as a place.
pub fn whole(file: u32, read: &Read<'_>) -> Place {
    Place { file, tokens: 0..read.tokens.len() }
}
