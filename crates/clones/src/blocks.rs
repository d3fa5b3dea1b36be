//! Runs of statements that stand in more than one place: maximal repeats of tokens, and chains of them with gaps.

use super::fragment::identities;
use super::tokens::Token;
use formicary_model::clones::CloneType;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// A file as this module sees it.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// Its tokens.
    pub tokens: &'a [Token],
    /// Which of them are boilerplate.
    pub mask: &'a [bool],
    /// The text.
    pub source: &'a str,
}

/// One place of a repeat.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The number of the file.
    pub file: u32,
    /// Its tokens.
    pub tokens: Range<usize>,
}

impl Place {
    fn order(&self) -> (u32, usize, usize) {
        (self.file, self.tokens.start, self.tokens.end)
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}

/// A repeat.
#[derive(Debug, Clone)]
pub struct Repeat {
    /// Where.
    pub places: Vec<Place>,
    /// How alike.
    pub kind: CloneType,
    /// From 0 to 1.
    pub similarity: f32,
}

const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
/// A run that stands in more places than this is an idiom: only neighbours are paired.
const IDIOM: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct At {
    file: u32,
    token: u32,
}

#[derive(Debug, Clone, Copy)]
struct Match {
    a: At,
    b: At,
    length: u32,
}

/// Finds the repeats of at least `least` tokens.
pub fn find(texts: &[Text<'_>], least: usize, edited: bool) -> Vec<Repeat> {
    let window = (least / 2).max(12);
    let matches = maximal(texts, window);
    let mut repeats = exact(texts, &matches, least);
    if edited {
        repeats.extend(chains(texts, &matches, least));
    }
    without_inner(repeats)
}

fn maximal(texts: &[Text<'_>], window: usize) -> Vec<Match> {
    let mut seen: FxHashMap<u64, Vec<At>> = FxHashMap::default();
    for (file, text) in texts.iter().enumerate() {
        for (token, hash) in windows(text, window) {
            seen.entry(hash).or_default().push(At { file: file as u32, token: token as u32 });
        }
    }
    let mut matches = Vec::new();
    let mut buckets: Vec<&Vec<At>> = seen.values().filter(|places| places.len() > 1).collect();
    buckets.sort_unstable();
    for places in buckets {
        let near = if places.len() > IDIOM { 1 } else { places.len() };
        for (index, a) in places.iter().enumerate() {
            for b in places[index + 1..].iter().take(near) {
                matches.extend(extend(texts, *a, *b, window));
            }
        }
    }
    matches
}

/// Hashes of the runs of `window` tokens that begin a statement and hold no boilerplate.
fn windows(text: &Text<'_>, window: usize) -> Vec<(usize, u64)> {
    let tokens = text.tokens;
    if tokens.len() < window {
        return Vec::new();
    }
    let mut power = 1u64;
    for _ in 0..window {
        power = power.wrapping_mul(BASE);
    }
    let mut prefix = Vec::with_capacity(tokens.len() + 1);
    let mut masked = Vec::with_capacity(tokens.len() + 1);
    let (mut hash, mut count) = (0u64, 0u32);
    prefix.push(hash);
    masked.push(count);
    for (token, mask) in tokens.iter().zip(text.mask) {
        hash = hash.wrapping_mul(BASE).wrapping_add(u64::from(token.shape));
        count += u32::from(*mask);
        prefix.push(hash);
        masked.push(count);
    }
    (0..=tokens.len() - window)
        .filter(|at| tokens[*at].begins && masked[*at] == masked[*at + window])
        .map(|at| (at, prefix[at + window].wrapping_sub(prefix[at].wrapping_mul(power))))
        .collect()
}

/// A match as long as it goes to the right; none when it goes on to the left, where it is found too.
fn extend(texts: &[Text<'_>], a: At, b: At, window: usize) -> Option<Match> {
    let (left, right) = (&texts[a.file as usize], &texts[b.file as usize]);
    let (x, y) = (a.token as usize, b.token as usize);
    let same =
        |i: usize, j: usize| left.tokens[i].shape == right.tokens[j].shape && !left.mask[i] && !right.mask[j];
    if begins_earlier(left, right, x, y, &same) {
        return None;
    }
    let most = if a.file == b.file { y - x } else { usize::MAX };
    let mut length = 0;
    while length < most
        && x + length < left.tokens.len()
        && y + length < right.tokens.len()
        && same(x + length, y + length)
    {
        length += 1;
    }
    // Whole statements on both sides.
    while length >= window
        && !(left.tokens.get(x + length).is_none_or(|token| token.begins)
            && right.tokens.get(y + length).is_none_or(|token| token.begins))
    {
        length -= 1;
    }
    (length >= window).then_some(Match { a, b, length: length as u32 })
}

fn begins_earlier(
    left: &Text<'_>,
    right: &Text<'_>,
    x: usize,
    y: usize,
    same: &dyn Fn(usize, usize) -> bool,
) -> bool {
    let mut back = 1;
    while back <= x && back <= y && same(x - back, y - back) {
        if left.tokens[x - back].begins && right.tokens[y - back].begins {
            return true;
        }
        back += 1;
    }
    false
}

// Places with the same content form one repeat; names must be exchanged consistently.
fn exact(texts: &[Text<'_>], matches: &[Match], least: usize) -> Vec<Repeat> {
    let mut groups: FxHashMap<(u64, u32), FxHashMap<Place, u64>> = FxHashMap::default();
    for found in matches.iter().filter(|found| found.length as usize >= least) {
        for at in [found.a, found.b] {
            let place = place(at, found.length);
            let text = &texts[at.file as usize];
            let run = &text.tokens[place.tokens.clone()];
            if !is_varied(run) {
                continue;
            }
            let (exact, _, renamed) = identities(run, text.source);
            groups.entry((renamed, found.length)).or_default().insert(place, exact);
        }
    }
    let mut repeats: Vec<Repeat> = groups
        .into_values()
        .filter_map(|places| {
            let same = places.values().collect::<FxHashSet<_>>().len() == 1;
            let mut places: Vec<Place> = places.into_keys().collect();
            places.sort();
            places.dedup_by(|b, a| a.file == b.file && b.tokens.start < a.tokens.end);
            let kind = if same { CloneType::Exact } else { CloneType::Renamed };
            (places.len() > 1).then_some(Repeat { places, kind, similarity: 1.0 })
        })
        .collect();
    repeats.sort_by(|a, b| a.places.cmp(&b.places));
    repeats
}

fn place(at: At, length: u32) -> Place {
    let start = at.token as usize;
    Place { file: at.file, tokens: start..start + length as usize }
}

/// Lists of the same statement again and again are no copies of one another.
fn is_varied(run: &[Token]) -> bool {
    let statements = super::fragment::statements(run);
    let kinds: FxHashSet<u32> = statements.iter().map(|(shape, _)| *shape).collect();
    kinds.len() >= 3 && kinds.len() * 3 >= statements.len()
}

/// So many tokens may differ between two matches of a chain.
const GAP: usize = 24;

// Matches that follow one another on both sides with small gaps.
fn chains(texts: &[Text<'_>], matches: &[Match], least: usize) -> Vec<Repeat> {
    let mut by_files: FxHashMap<(u32, u32), Vec<Match>> = FxHashMap::default();
    for found in matches {
        by_files.entry((found.a.file, found.b.file)).or_default().push(*found);
    }
    let mut repeats = Vec::new();
    for list in by_files.values_mut() {
        list.sort_by_key(|found| (found.a.token, found.b.token));
        let mut used = vec![false; list.len()];
        for start in 0..list.len() {
            if !used[start] {
                repeats.extend(chain(texts, list, &mut used, start, least));
            }
        }
    }
    repeats.sort_by(|a, b| a.places.cmp(&b.places));
    repeats
}

fn chain(
    texts: &[Text<'_>],
    list: &[Match],
    used: &mut [bool],
    start: usize,
    least: usize,
) -> Option<Repeat> {
    used[start] = true;
    let first = list[start];
    let (mut last, mut shared, mut links) = (first, first.length as usize, 1);
    for (index, next) in list.iter().enumerate().skip(start + 1) {
        let (end_a, end_b) = ((last.a.token + last.length) as usize, (last.b.token + last.length) as usize);
        if next.a.token as usize > end_a + GAP {
            break;
        }
        let fits = |from: u32, end: usize| (from as usize) >= end && (from as usize) <= end + GAP;
        if !used[index] && fits(next.a.token, end_a) && fits(next.b.token, end_b) {
            used[index] = true;
            shared += next.length as usize;
            links += 1;
            last = *next;
        }
    }
    let place = |from: At, to: At| Place {
        file: from.file,
        tokens: from.token as usize..(to.token + last.length) as usize,
    };
    let (a, b) = (place(first.a, last.a), place(first.b, last.b));
    let apart = a.file != b.file || a.tokens.end <= b.tokens.start;
    let larger = a.tokens.len().max(b.tokens.len());
    let run = |place: &Place| is_varied(&texts[place.file as usize].tokens[place.tokens.clone()]);
    let names = shared_names(texts, &a, &b);
    (links > 1 && apart && shared >= least && shared * 10 >= larger * 7 && run(&a) && run(&b) && names >= 0.4)
        .then(|| Repeat {
            similarity: shared as f32 / larger as f32,
            kind: CloneType::Edited,
            places: vec![a, b],
        })
}

fn shared_names(texts: &[Text<'_>], a: &Place, b: &Place) -> f32 {
    let names = |place: &Place| -> FxHashSet<u32> {
        let run = &texts[place.file as usize].tokens[place.tokens.clone()];
        run.iter()
            .filter(|token| token.class == super::tokens::Class::Name)
            .map(|token| token.exact)
            .collect()
    };
    let (left, right) = (names(a), names(b));
    let shared = left.intersection(&right).count() as f32;
    shared / left.len().max(right.len()).max(1) as f32
}

// What lies in a longer repeat, place for place, says nothing new.
fn without_inner(mut repeats: Vec<Repeat>) -> Vec<Repeat> {
    repeats.sort_by_key(|repeat| {
        let longest = repeat.places.iter().map(|place| place.tokens.len()).max().unwrap_or(0);
        (std::cmp::Reverse(longest), std::cmp::Reverse(repeat.places.len()), repeat.places.clone())
    });
    let mut kept: Vec<Repeat> = Vec::new();
    let mut by_file: FxHashMap<u32, Vec<(Range<usize>, usize)>> = FxHashMap::default();
    for repeat in repeats {
        let owners = |place: &Place| -> FxHashSet<usize> {
            let around = by_file.get(&place.file).into_iter().flatten();
            around.filter(|(tokens, _)| covers(tokens, &place.tokens)).map(|(_, owner)| *owner).collect()
        };
        let mut shared: Option<FxHashSet<usize>> = None;
        for place in &repeat.places {
            let here = owners(place);
            shared = Some(match shared {
                None => here,
                Some(all) => all.intersection(&here).copied().collect(),
            });
        }
        if shared.is_some_and(|shared| !shared.is_empty()) {
            continue;
        }
        for place in &repeat.places {
            by_file.entry(place.file).or_default().push((place.tokens.clone(), kept.len()));
        }
        kept.push(repeat);
    }
    kept
}

// Most of it is enough: the edge of a repeat is a matter of taste.
fn covers(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    let shared = outer.end.min(inner.end).saturating_sub(outer.start.max(inner.start));
    shared * 10 >= inner.len() * 8
}
