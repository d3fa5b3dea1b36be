//! Which lines of two copies differ, and what they share.

use super::tokens::Token;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash as _, Hasher as _};

/// The lines of a place, each as a number.
#[derive(Debug, Clone)]
pub struct LinesOf {
    numbers: Vec<u32>,
    exact: Vec<u64>,
    shapes: Vec<u64>,
}

impl LinesOf {
    /// The lines of a run of tokens.
    pub fn new(tokens: &[Token], source: &str) -> Self {
        let mut lines = Self { numbers: Vec::new(), exact: Vec::new(), shapes: Vec::new() };
        for line in tokens.chunk_by(|a, b| a.line == b.line) {
            let (mut exact, mut shape) = (FxHasher::default(), FxHasher::default());
            for token in line {
                source.as_bytes().get(token.start as usize..token.end as usize).hash(&mut exact);
                token.shape.hash(&mut shape);
            }
            lines.numbers.push(line[0].line);
            lines.exact.push(exact.finish());
            lines.shapes.push(shape.finish());
        }
        lines
    }

    /// The lines of both that the other does not have. Where most names were exchanged, names do not count.
    pub fn differing(&self, other: &Self) -> (Vec<u32>, Vec<u32>) {
        let by_text = kept(&self.exact, &other.exact);
        let (own, others) = if by_text.len() * 2 >= self.exact.len().max(other.exact.len()) {
            sides(&by_text)
        } else {
            sides(&kept(&self.shapes, &other.shapes))
        };
        (self.without(&own), other.without(&others))
    }

    /// The longest run of lines that both have, in the lines of this one.
    pub fn longest_shared(&self, other: &Self) -> Option<(u32, u32)> {
        let pairs = kept(&self.shapes, &other.shapes);
        let runs = pairs.chunk_by(|a, b| a.0 + 1 == b.0 && a.1 + 1 == b.1);
        let longest = runs.max_by_key(|run| run.len()).filter(|run| run.len() >= 3)?;
        Some((self.numbers[longest.first()?.0], self.numbers[longest.last()?.0]))
    }

    fn without(&self, kept: &[usize]) -> Vec<u32> {
        let mut kept = kept.iter().peekable();
        let mut out = Vec::new();
        for (index, line) in self.numbers.iter().enumerate() {
            if kept.peek() == Some(&&index) {
                kept.next();
            } else {
                out.push(*line);
            }
        }
        out
    }
}

fn sides(pairs: &[(usize, usize)]) -> (Vec<usize>, Vec<usize>) {
    pairs.iter().copied().unzip()
}

const MOST_CELLS: usize = 4_000_000;

/// The pairs of a longest common subsequence; for very long lists, of lines that occur once only.
pub fn kept(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let tail = a[head..].iter().rev().zip(b[head..].iter().rev()).take_while(|(x, y)| x == y).count();
    let mut pairs: Vec<(usize, usize)> = (0..head).map(|index| (index, index)).collect();
    let (left, right) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    let middle = if left.len().saturating_mul(right.len()) <= MOST_CELLS {
        subsequence(left, right)
    } else {
        unique(left, right)
    };
    pairs.extend(middle.into_iter().map(|(x, y)| (x + head, y + head)));
    pairs.extend((0..tail).rev().map(|back| (a.len() - 1 - back, b.len() - 1 - back)));
    pairs
}

fn subsequence(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    let mut table = vec![0u32; (a.len() + 1) * width];
    for (i, x) in a.iter().enumerate().rev() {
        for (j, y) in b.iter().enumerate().rev() {
            table[i * width + j] = if x == y {
                table[(i + 1) * width + j + 1] + 1
            } else {
                table[(i + 1) * width + j].max(table[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((i, j));
            i += 1;
            j += 1;
        } else if table[(i + 1) * width + j] >= table[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

fn unique(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let once = |list: &[u64]| {
        let mut places: FxHashMap<u64, Option<usize>> = FxHashMap::default();
        for (index, value) in list.iter().enumerate() {
            places.entry(*value).and_modify(|place| *place = None).or_insert(Some(index));
        }
        places
    };
    let right = once(b);
    let left = once(a);
    let mut last = None;
    let mut pairs = Vec::new();
    for (index, value) in a.iter().enumerate() {
        if left.get(value) == Some(&Some(index))
            && let Some(Some(other)) = right.get(value)
            && last.is_none_or(|last| *other > last)
        {
            pairs.push((index, *other));
            last = Some(*other);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept() {
        assert_eq!(kept(&[1, 2, 3, 4], &[1, 3, 5, 4]), [(0, 0), (2, 1), (3, 3)]);
        assert_eq!(kept(&[], &[1]), []);
        assert_eq!(unique(&[1, 2, 2, 3], &[1, 2, 3]), [(0, 0), (3, 2)]);
    }
}
