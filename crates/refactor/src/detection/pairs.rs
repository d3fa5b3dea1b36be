//! Two methods that are one, with what their bodies share: computed once, asked by everything that looks inside.

use super::declarations::{File, Method, Statement, Version};
use super::matching::{Aligned, align};
use formicary_clones::differences::kept;
use formicary_clones::tokens::{Class, number};
use rustc_hash::{FxHashMap, FxHashSet};

/// A method before and after.
#[derive(Debug)]
pub struct Pair<'v, 'a> {
    /// Its number before.
    pub b: usize,
    /// Its number after.
    pub a: usize,
    /// The method before.
    pub was: &'v Method<'a>,
    /// The method after.
    pub is: &'v Method<'a>,
    /// Its file before.
    pub left: &'v File<'a>,
    /// Its file after.
    pub right: &'v File<'a>,
    /// Statements that are equal or of one shape.
    pub aligned: Aligned,
    /// Statements that say something else than they did.
    pub edited: Vec<(usize, usize)>,
    /// Names that stand where another name stood, and how often.
    pub renamed: FxHashMap<&'a str, FxHashMap<&'a str, u32>>,
}

/// A pair of statements above this product is not looked at by edits: a whole body was written anew.
const MOST: usize = 20_000;
/// Statements that share less are two.
const LIKENESS: f64 = 0.5;

impl<'v, 'a> Pair<'v, 'a> {
    /// Compares two methods.
    pub fn new(before: &'v Version<'a>, b: usize, after: &'v Version<'a>, a: usize) -> Self {
        let (was, is) = (&before.methods[b], &after.methods[a]);
        let (left, right) = (before.file_of(was), after.file_of(is));
        let mut pair = Self {
            b,
            a,
            was,
            is,
            left,
            right,
            aligned: Aligned::default(),
            edited: Vec::new(),
            renamed: FxHashMap::default(),
        };
        if pair.changed() {
            pair.aligned = align(left, &was.body, right, &is.body);
            pair.edited = pair.edits();
            pair.count_names();
        }
        pair
    }

    /// Whether the bodies differ.
    pub fn changed(&self) -> bool {
        self.was.body_hash != self.is.body_hash
    }

    /// All pairs of statements.
    pub fn statements(&self) -> impl Iterator<Item = (usize, usize)> {
        self.aligned.equal.iter().chain(&self.aligned.alike).chain(&self.edited).copied()
    }

    /// The statements that have no equal on the other side.
    pub fn differing(&self) -> (Vec<&'v Statement>, Vec<&'v Statement>) {
        self.without(self.aligned.equal.iter())
    }

    /// The statements that have neither an equal nor one of their shape.
    pub fn free(&self) -> (Vec<&'v Statement>, Vec<&'v Statement>) {
        self.without(self.aligned.equal.iter().chain(&self.aligned.alike))
    }

    fn without<'p>(
        &self,
        pairs: impl Iterator<Item = &'p (usize, usize)>,
    ) -> (Vec<&'v Statement>, Vec<&'v Statement>) {
        let (own, others): (FxHashSet<usize>, FxHashSet<usize>) = pairs.copied().unzip();
        let rest = |list: &'v [Statement], used: &FxHashSet<usize>| {
            let left = list.iter().enumerate().filter(|(index, _)| !used.contains(index));
            left.map(|(_, statement)| statement).collect::<Vec<_>>()
        };
        (rest(&self.was.body, &own), rest(&self.is.body, &others))
    }

    /// What a name is called now, when most of its places say so.
    pub fn called_now(&self, name: &str) -> Option<(&'a str, u32)> {
        let names = self.renamed.get(name)?;
        let all: u32 = names.values().sum();
        let (to, count) = names.iter().max_by_key(|(to, count)| (**count, **to))?;
        (count * 2 > all).then_some((*to, *count))
    }

    // The best way, in order, to take what is left for edits of one another.
    fn edits(&self) -> Vec<(usize, usize)> {
        let (own, others): (FxHashSet<usize>, FxHashSet<usize>) =
            self.aligned.equal.iter().chain(&self.aligned.alike).copied().unzip();
        let rest = |list: &[Statement], used: &FxHashSet<usize>| -> Vec<usize> {
            (0..list.len()).filter(|index| !used.contains(index)).collect()
        };
        let (rows, columns) = (rest(&self.was.body, &own), rest(&self.is.body, &others));
        if rows.is_empty() || columns.is_empty() || rows.len() * columns.len() > MOST {
            return Vec::new();
        }
        let bag = |file: &File<'_>, statement: &Statement| -> Vec<u32> {
            let mut words: Vec<u32> =
                file.words_of(statement).iter().map(|word| number(word.as_bytes())).collect();
            words.sort_unstable();
            words
        };
        let left: Vec<Vec<u32>> = rows.iter().map(|row| bag(self.left, &self.was.body[*row])).collect();
        let right: Vec<Vec<u32>> =
            columns.iter().map(|column| bag(self.right, &self.is.body[*column])).collect();
        let width = columns.len() + 1;
        let mut best = vec![0.0f64; (rows.len() + 1) * width];
        let mut alike = vec![0.0f64; rows.len() * columns.len()];
        for (i, x) in left.iter().enumerate().rev() {
            for (j, y) in right.iter().enumerate().rev() {
                let score = dice(x, y);
                alike[i * columns.len() + j] = score;
                let taken = if score >= LIKENESS { score + best[(i + 1) * width + j + 1] } else { 0.0 };
                best[i * width + j] = taken.max(best[(i + 1) * width + j]).max(best[i * width + j + 1]);
            }
        }
        let (mut i, mut j, mut out) = (0, 0, Vec::new());
        while i < rows.len() && j < columns.len() {
            let score = alike[i * columns.len() + j];
            let here = best[i * width + j];
            if score >= LIKENESS && here <= score + best[(i + 1) * width + j + 1] {
                out.push((rows[i], columns[j]));
                (i, j) = (i + 1, j + 1);
            } else if here <= best[(i + 1) * width + j] {
                i += 1;
            } else {
                j += 1;
            }
        }
        out
    }

    fn count_names(&mut self) {
        let mut found: Vec<(&'a str, &'a str)> = Vec::new();
        for (i, j) in &self.aligned.alike {
            let (x, y) = (&self.was.body[*i], &self.is.body[*j]);
            let (own, others) = (&self.left.tokens[x.tokens.clone()], &self.right.tokens[y.tokens.clone()]);
            let names =
                own.iter().zip(others).filter(|(a, b)| a.class == Class::Name && b.class == Class::Name);
            found.extend(names.map(|(a, b)| (self.left.word(a), self.right.word(b))));
        }
        for (i, j) in &self.edited {
            self.exchanged(&self.was.body[*i], &self.is.body[*j], &mut found);
        }
        for (from, to) in found.into_iter().filter(|(from, to)| from != to) {
            *self.renamed.entry(from).or_default().entry(to).or_default() += 1;
        }
    }

    // Single names between words that both statements have.
    fn exchanged(&self, x: &Statement, y: &Statement, found: &mut Vec<(&'a str, &'a str)>) {
        let (own, others) = (&self.left.tokens[x.tokens.clone()], &self.right.tokens[y.tokens.clone()]);
        let hashes = |file: &File<'_>, list: &[formicary_clones::tokens::Token]| -> Vec<u64> {
            list.iter().map(|token| u64::from(number(file.word(token).as_bytes()))).collect()
        };
        let mut pairs = kept(&hashes(self.left, own), &hashes(self.right, others));
        pairs.push((own.len(), others.len()));
        let mut last: Option<(usize, usize)> = None;
        for (i, j) in pairs {
            let (from, other) = last.map_or((0, 0), |(i, j)| (i + 1, j + 1));
            if let (Some(a), Some(b)) = (own.get(from), others.get(other))
                && (i, j) == (from + 1, other + 1)
                && a.class == Class::Name
                && b.class == Class::Name
            {
                found.push((self.left.word(a), self.right.word(b)));
            }
            last = Some((i, j));
        }
    }
}

/// From 0 to 1: what two sorted lists share.
pub fn dice(x: &[u32], y: &[u32]) -> f64 {
    let (mut i, mut j, mut shared) = (0, 0, 0usize);
    while let (Some(a), Some(b)) = (x.get(i), y.get(j)) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                i += 1;
                j += 1;
            }
        }
    }
    if x.is_empty() && y.is_empty() { 0.0 } else { 2.0 * shared as f64 / (x.len() + y.len()) as f64 }
}
