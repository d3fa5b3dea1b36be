//! Which functions are copies of which, without comparing all with all.
//!
//! Equal ones meet in a table. For the others every function is filed under its rare names, statements and facts, and is
//! compared with those that share enough of them; in a small project it is compared with all.

use super::fragment::Fragment;
use super::groups::Pair;
use super::similarity::{Commonness, Likeness, Views};
use super::tokens::Token;
use super::vocabulary::{Agreement, Vocabulary};
use formicary_model::clones::CloneType;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// Edited copies.
    pub edited: bool,
    /// Functional copies.
    pub functional: bool,
}

/// Up to so many functions all pairs are compared.
const FEW: usize = 400;
/// What is in more functions than this does not bring any two together.
const POPULAR: usize = 60;
/// So many relatives of a function are compared.
const MOST: usize = 60;
/// Equal in shape with so many tokens: no coincidence, whatever the names.
const SURELY: usize = 50;

/// All pairs of functions that are copies. Equal ones are not paired with one another beyond a chain's neighbours: the
/// second part maps each to the first that is equal to it.
pub fn pairs(
    fragments: &[Fragment],
    tokens: &[Vec<Token>],
    wanted: Wanted,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> (Vec<Pair>, Vec<u32>) {
    let mut first: FxHashMap<u64, u32> = FxHashMap::default();
    let mut equal: Vec<u32> = Vec::with_capacity(fragments.len());
    for (index, fragment) in fragments.iter().enumerate() {
        equal.push(*first.entry(fragment.exact).or_insert(index as u32));
    }
    let originals: Vec<u32> =
        (0..fragments.len() as u32).filter(|index| equal[*index as usize] == *index).collect();
    let common = Commonness::of(fragments);
    let vocabulary = Vocabulary::of(fragments);
    let look = |a: u32, b: u32| {
        let (left, right) = (&fragments[a as usize], &fragments[b as usize]);
        if overlap(left, right) {
            return None;
        }
        let likeness = compare(left, right, tokens, &common, &|| vocabulary.agreement(a, b), wanted)?;
        Some(Pair { a: a.min(b), b: a.max(b), likeness })
    };
    let mut found: Vec<Pair> = renamed(fragments, &originals, &look);
    if wanted.edited || wanted.functional {
        let related: Vec<(u32, u32)> = if originals.len() <= FEW {
            every(&originals)
        } else {
            relatives(fragments, &originals, &common, &vocabulary, wanted)
        };
        let seen: FxHashSet<(u32, u32)> = found.iter().map(|pair| (pair.a, pair.b)).collect();
        let more: Vec<Pair> = related
            .par_iter()
            .filter(|pair| !seen.contains(pair) && !cancelled())
            .filter_map(|(a, b)| look(*a, *b))
            .collect();
        found.extend(more);
    }
    (found, equal)
}

fn overlap(a: &Fragment, b: &Fragment) -> bool {
    a.file == b.file && a.tokens.start < b.tokens.end && b.tokens.start < a.tokens.end
}

fn every(originals: &[u32]) -> Vec<(u32, u32)> {
    let rest = |(index, a): (usize, &u32)| {
        let a = *a;
        originals[index + 1..].iter().map(move |b| (a, *b)).collect::<Vec<_>>()
    };
    originals.iter().enumerate().flat_map(rest).collect()
}

// Equal but for names: tables again. Where a shape is very common each is compared with the next ones only.
fn renamed(
    fragments: &[Fragment],
    originals: &[u32],
    look: &(dyn Fn(u32, u32) -> Option<Pair> + Sync),
) -> Vec<Pair> {
    let mut shapes: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    for index in originals {
        shapes.entry(fragments[*index as usize].shape).or_default().push(*index);
    }
    let mut buckets: Vec<Vec<u32>> = shapes.into_values().filter(|bucket| bucket.len() > 1).collect();
    buckets.sort_unstable();
    buckets
        .par_iter()
        .flat_map_iter(|bucket| {
            let near = move |(index, a): (usize, &u32)| {
                let a = *a;
                bucket[index + 1..].iter().take(MOST).filter_map(move |b| look(a, *b)).collect::<Vec<_>>()
            };
            bucket.iter().enumerate().flat_map(near).collect::<Vec<_>>()
        })
        .collect()
}

/// How alike two functions are, if they are copies.
pub fn compare(
    a: &Fragment,
    b: &Fragment,
    tokens: &[Vec<Token>],
    common: &Commonness,
    agreement: &dyn Fn() -> Agreement,
    wanted: Wanted,
) -> Option<Likeness> {
    let own = |fragment: &Fragment| &tokens[fragment.file as usize][fragment.tokens.clone()];
    if a.exact == b.exact {
        return Some(Likeness { kind: CloneType::Exact, similarity: 1.0 });
    }
    if a.shape == b.shape && (a.renamed == b.renamed || a.tokens.len() >= SURELY) {
        return Some(Likeness { kind: CloneType::Renamed, similarity: 1.0 });
    }
    let (small, large) = (a.tokens.len().min(b.tokens.len()), a.tokens.len().max(b.tokens.len()));
    if wanted.edited && small * 3 >= large {
        let views = Views::of(a, b, own(a), own(b), common);
        if let Some(similarity) = views.verdict(small)
            && (similarity >= SURELY_ALIKE || !contradicts(agreement()))
        {
            let kind = if a.shape == b.shape { CloneType::Renamed } else { CloneType::Edited };
            return Some(Likeness { kind, similarity });
        }
    }
    if wanted.functional {
        return functional(a, b).or_else(|| same_task(a, b, agreement(), small, large));
    }
    None
}

/// So alike in structure that words need not agree.
const SURELY_ALIKE: f32 = 0.8;
const TALKS: f32 = 0.3;
const LITTLE_SHARED: f32 = 0.25;

// The loop that copies bytes is the same whether they come from a file or from the network: what else is said tells.
fn contradicts(agreement: Agreement) -> bool {
    agreement.least > TALKS && agreement.share < LITTLE_SHARED
}

const SAME_WORDS: f32 = 0.52;
const EVIDENCE: f32 = 3.0;
const MUCH_LARGER: usize = 4;
/// Words that weigh less bring no two functions together.
const TELLING: f32 = 0.5;

/// Words alone: functions of one module talk about the same without doing the same.
const SURELY_SAME_WORDS: f32 = 0.66;
const SOME_OF_THE_WORK: f32 = 0.1;

// The same rare things are called, made and mentioned: the same task, whatever the form.
fn same_task(
    a: &Fragment,
    b: &Fragment,
    agreement: Agreement,
    small: usize,
    large: usize,
) -> Option<Likeness> {
    let same = agreement.share >= SAME_WORDS
        && agreement.evidence >= EVIDENCE
        && small * MUCH_LARGER >= large
        && (agreement.share >= SURELY_SAME_WORDS || a.normal.likeness(&b.normal) >= SOME_OF_THE_WORK);
    same.then_some(Likeness { kind: CloneType::Functional, similarity: agreement.share.min(1.0) })
}

/// What small functions do, many do.
const LEAST_FACTS: u32 = 24;
const SAME_WORK: f32 = 0.8;

fn functional(a: &Fragment, b: &Fragment) -> Option<Likeness> {
    let (small, large) = (a.normal.size.min(b.normal.size), a.normal.size.max(b.normal.size));
    if small < LEAST_FACTS || (small as f32) < SAME_WORK * large as f32 {
        return None;
    }
    let similarity = a.normal.likeness(&b.normal);
    (similarity >= SAME_WORK).then_some(Likeness { kind: CloneType::Functional, similarity })
}

// Rare things bring functions together; each is compared with those with whom it shares most.
fn relatives(
    fragments: &[Fragment],
    originals: &[u32],
    common: &Commonness,
    vocabulary: &Vocabulary,
    wanted: Wanted,
) -> Vec<(u32, u32)> {
    let marks = |index: u32| -> Vec<(u64, f32)> {
        let fragment = &fragments[index as usize];
        let mut marks: Vec<(u64, f32)> = Vec::new();
        if wanted.edited {
            marks.extend(
                fragment.names.iter().map(|(name, weight)| (u64::from(*name), weight * common.rarity(*name))),
            );
            marks.extend(
                fragment
                    .statements
                    .iter()
                    .map(|(shape, size)| (1 << 32 | u64::from(*shape), f32::from((*size).min(12)) / 12.0)),
            );
        }
        if wanted.functional {
            marks.extend(
                fragment
                    .normal
                    .facts
                    .iter()
                    .map(|(fact, size)| (2 << 32 | u64::from(*fact), f32::from((*size).min(12)) / 12.0)),
            );
            let telling = vocabulary.words(index).iter().filter(|word| word.acts && word.weight >= TELLING);
            marks.extend(telling.map(|word| (3 << 32 | u64::from(word.number), word.weight)));
        }
        marks.sort_unstable_by_key(|(mark, _)| *mark);
        marks.dedup_by_key(|(mark, _)| *mark);
        marks
    };
    let all: Vec<Vec<(u64, f32)>> = originals.par_iter().map(|index| marks(*index)).collect();
    let mut filed: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    for (place, marks) in all.iter().enumerate() {
        for (mark, _) in marks {
            let list = filed.entry(*mark).or_default();
            // One more than is popular tells that it is.
            if list.len() <= POPULAR {
                list.push(place as u32);
            }
        }
    }
    let mut found: Vec<(u32, u32)> = all
        .par_iter()
        .enumerate()
        .flat_map_iter(|(place, marks)| {
            let mut shared: FxHashMap<u32, f32> = FxHashMap::default();
            for (mark, weight) in marks {
                let list = &filed[mark];
                if list.len() > POPULAR {
                    continue;
                }
                for other in list.iter().filter(|other| **other as usize != place) {
                    *shared.entry(*other).or_default() += weight;
                }
            }
            let mut nearest: Vec<(u32, f32)> =
                shared.into_iter().filter(|(_, weight)| *weight >= 1.0).collect();
            nearest.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
            nearest.truncate(MOST);
            let own = originals[place];
            nearest.into_iter().map(move |(other, _)| {
                let other = originals[other as usize];
                (own.min(other), own.max(other))
            })
        })
        .collect();
    found.par_sort_unstable();
    found.dedup();
    found
}
