//! How alike two functions are, and whether that makes them copies.
//!
//! Three views, each from 0 to 1 and relative to the larger of the two: statements in order with names and literals
//! exchanged freely, tokens in order likewise, and the names that say what is done, the rarer the heavier. Structure alone
//! takes any two loops for relatives, names alone any two users of one library; together they tell.

use super::fragment::Fragment;
use super::tokens::Token;
use formicary_model::clones::CloneType;
use rustc_hash::FxHashMap;

/// What is known of two functions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Likeness {
    /// Which kind of copy.
    pub kind: CloneType,
    /// From 0 to 1.
    pub similarity: f32,
}

/// How common names and statements are in the project: what everybody says proves nothing.
#[derive(Debug, Default)]
pub struct Commonness {
    names: FxHashMap<u32, u32>,
    fragments: usize,
}

/// Below so many functions nothing can be said about what is common.
const ENOUGH: usize = 100;

impl Commonness {
    /// Counts.
    pub fn of(fragments: &[Fragment]) -> Self {
        let mut names: FxHashMap<u32, u32> = FxHashMap::default();
        if fragments.len() >= ENOUGH {
            for (name, _) in fragments.iter().flat_map(|fragment| &fragment.names) {
                *names.entry(*name).or_default() += 1;
            }
        }
        Self { names, fragments: fragments.len() }
    }

    /// From 0 to 1: how much a name says.
    pub fn rarity(&self, name: u32) -> f32 {
        if self.fragments < ENOUGH {
            return 1.0;
        }
        let count = self.names.get(&name).copied().unwrap_or(1).max(1) as f32;
        let all = self.fragments as f32;
        ((all / count).ln() / (all / 3.0).ln()).clamp(0.1, 1.0)
    }
}

/// The three views of two functions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Views {
    /// Statements in order.
    pub statements: f32,
    /// Tokens in order.
    pub tokens: f32,
    /// Names by weight.
    pub names: f32,
    /// How much the names weigh of the one that has more.
    pub weight: f32,
}

impl Views {
    /// Looks. `left` and `right` are the functions' tokens.
    pub fn of(a: &Fragment, b: &Fragment, left: &[Token], right: &[Token], common: &Commonness) -> Self {
        let (names, weight) = shared_names(a, b, common);
        let shapes = |tokens: &[Token]| tokens.iter().map(|token| token.shape).collect::<Vec<_>>();
        let (left, right) = (shapes(left), shapes(right));
        let longer = left.len().max(right.len()).max(1) as f32;
        let tokens = if longer > LONGEST { 0.0 } else { common_length(&left, &right) as f32 / longer };
        Self { statements: shared_statements(a, b), tokens, names, weight }
    }

    /// Whether these are copies, and how alike. `size` is the number of tokens of the smaller one.
    pub fn verdict(self, size: usize) -> Option<f32> {
        // Few names prove little in either direction.
        let names = (self.names * self.weight + DOUBT * EXPECTED) / (self.weight + DOUBT);
        let structure = 0.5 * self.statements + 0.5 * self.tokens;
        let score = structure + NAMES * names;
        // Small functions are alike by chance more easily.
        let least = if size < SMALL { LEAST_OF_SMALL } else { LEAST };
        (score >= COPY && structure >= least).then_some(structure)
    }
}

const LONGEST: f32 = 20_000.0;
/// The weight of names that are taken to be as shared as [`EXPECTED`].
const DOUBT: f32 = 2.0;
const EXPECTED: f32 = 0.25;
const NAMES: f32 = 0.8;
const COPY: f32 = 0.8;
const LEAST: f32 = 0.35;
const SMALL: usize = 50;
const LEAST_OF_SMALL: f32 = 0.7;

fn shared_names(a: &Fragment, b: &Fragment, common: &Commonness) -> (f32, f32) {
    let total = |fragment: &Fragment| -> f32 {
        fragment.names.iter().map(|(name, weight)| weight * common.rarity(*name)).sum()
    };
    let larger = total(a).max(total(b));
    let (mut left, mut right) = (a.names.iter().peekable(), b.names.iter().peekable());
    let mut shared = 0.0;
    while let (Some((x, own)), Some((y, other))) = (left.peek(), right.peek()) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => {
                left.next();
            }
            std::cmp::Ordering::Greater => {
                right.next();
            }
            std::cmp::Ordering::Equal => {
                shared += own.min(*other) * common.rarity(*x);
                left.next();
                right.next();
            }
        }
    }
    (if larger > 0.0 { shared / larger } else { 0.0 }, larger)
}

// The longest common subsequence of statements, each weighing as many tokens as it has.
fn shared_statements(a: &Fragment, b: &Fragment) -> f32 {
    let (mut short, mut long) = (&a.statements, &b.statements);
    if short.len() > long.len() {
        std::mem::swap(&mut short, &mut long);
    }
    let total = |list: &[(u32, u16)]| list.iter().map(|(_, size)| u32::from(*size)).sum::<u32>();
    let larger = total(short).max(total(long)).max(1);
    if short.len() * long.len() > 4_000_000 {
        return 0.0;
    }
    let mut row = vec![0u32; short.len() + 1];
    for (shape, size) in long {
        let mut diagonal = 0;
        for (index, (other, _)) in short.iter().enumerate() {
            let above = row[index + 1];
            row[index + 1] = if shape == other { diagonal + u32::from(*size) } else { above.max(row[index]) };
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or(0) as f32 / larger as f32
}

/// The length of the longest common subsequence, sixty-four places at a time.
pub fn common_length(a: &[u32], b: &[u32]) -> usize {
    let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let blocks = a.len().div_ceil(64);
    if blocks == 0 {
        return 0;
    }
    let mut places: FxHashMap<u32, Vec<u64>> = FxHashMap::default();
    for (index, symbol) in a.iter().enumerate() {
        places.entry(*symbol).or_insert_with(|| vec![0; blocks])[index / 64] |= 1 << (index % 64);
    }
    let none = vec![0; blocks];
    let mut row = vec![u64::MAX; blocks];
    for symbol in b {
        let matches = places.get(symbol).unwrap_or(&none);
        let mut carry = false;
        for (word, hit) in row.iter_mut().zip(matches) {
            let kept = *word & hit;
            let (sum, first) = word.overflowing_add(kept);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            *word = sum | (*word & !hit);
        }
    }
    let tail = a.len() % 64;
    let mut length = 0;
    for (index, word) in row.iter().enumerate() {
        let mask = if index + 1 == blocks && tail > 0 { (1 << tail) - 1 } else { u64::MAX };
        length += (!word & mask).count_ones() as usize;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_common_subsequence() {
        let numbers = |text: &str| text.bytes().map(u32::from).collect::<Vec<_>>();
        for (a, b, expected) in [
            ("abcbdab", "bdcaba", 4),
            ("", "a", 0),
            ("abc", "abc", 3),
            ("abc", "xyz", 0),
            ("axbxc", "abc", 3),
        ] {
            assert_eq!(common_length(&numbers(a), &numbers(b)), expected, "{a} {b}");
        }
        let long: Vec<u32> = (0..300).collect();
        let gaps: Vec<u32> = (0..300).filter(|n| n % 3 != 0).collect();
        assert_eq!(common_length(&long, &gaps), 200);
    }
}
