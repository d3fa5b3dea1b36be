//! What a function talks about: the words of what it calls, makes, mentions and is called.
//!
//! Two people who write the same task write other loops, yet the same rare words: `zip` and `entry`, `digest` and `md5`.
//! Words that every program has (`get`, `value`, `stream`) say little, and so do words that this project is full of.

use super::fragment::Fragment;
use super::tokens::{Class, Token, number};
use formicary_syntax::Function;
use rustc_hash::FxHashMap;

/// A word of a function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Word {
    /// The word's number.
    pub number: u32,
    /// How much it says.
    pub weight: f32,
    /// Whether the body calls, makes or mentions it: a function's own name alone proves nothing.
    pub acts: bool,
}

/// Words that say next to nothing: they are how programs read, write, count and complain.
const PLUMBING: &str = "add append array as buffer buffered builder byte bytes close data err error exception file \
    flush for format from get has hex in input int integer io is len length line list log main message name new next \
    object of out output path pointer print println read reader run set size stack stream string system to trace type \
    util value write writer";
/// Words in one of fifty functions.
const USUAL: &str = "all and arg args assert at bit bits block build call check class code context copy count create \
    decode default empty end find free func hash header id index info init internal join key make map max mem min \
    module no node not on op params parse pos property push raw remove reset split start state static table tuple \
    update with";
/// Words in one of a hundred functions.
const FREQUENT: &str = "accept address apply argument attribute base begin body bool boolean buf by cache case char \
    chunk clear closed command compare config contains content convert current debug do double element encode ensure \
    entry event expr false field filter first flag flags force frame function generate generic group handle handler \
    identifier if impl import inline insert instance invalid items keys kind last left level limit literal load local \
    lock long lookup manager match memory method mode names non none null num number objects off offset open option \
    options or os parameter parameters parent pop position prefix process put range ref replace request resolve result \
    return right root runtime safe scope sequence shared skip slice socket source spec status store str symbol tag \
    test text thread time token tree true try types unknown url user using valid values version view warnings zero";

fn prior(word: &str) -> f32 {
    let among = |list: &str| list.split_ascii_whitespace().any(|known| known == word);
    if among(PLUMBING) {
        0.15
    } else if among(USUAL) {
        0.42
    } else if among(FREQUENT) {
        0.52
    } else {
        0.9
    }
}

/// Priors of words, each looked up once a thread.
fn known_prior(word: &str, number: u32) -> f32 {
    thread_local! {
        static PRIORS: std::cell::RefCell<FxHashMap<u32, f32>> = std::cell::RefCell::default();
    }
    PRIORS.with_borrow_mut(|priors| *priors.entry(number).or_insert_with(|| prior(word)))
}

const CALLED: f32 = 1.0;
const TYPE: f32 = 0.8;
const MEMBER: f32 = 0.5;
const LITERAL: f32 = 0.5;
const VARIABLE: f32 = 0.25;
/// A whole name of several words, beyond its words.
const WHOLE: f32 = 0.75;

/// The words of a function, sorted by their number.
pub fn of_function(tokens: &[Token], source: &str, function: &Function<'_>) -> Vec<Word> {
    let mut found: FxHashMap<u32, Word> = FxHashMap::default();
    let mut add = |number: u32, weight: f32, acts: bool| {
        let word = found.entry(number).or_insert(Word { number, weight, acts });
        word.weight = word.weight.max(weight);
        word.acts |= acts;
    };
    let text = |token: &Token| source.get(token.start as usize..token.end as usize).unwrap_or("");
    let mut name = |whole: &str, role: f32, acts: bool, compound: bool| {
        let (mut sum, mut count) = (0.0, 0.0);
        split(whole, &mut |word| {
            let number = number(word.as_bytes());
            let weight = role * known_prior(word, number);
            add(number, weight, acts);
            sum += weight;
            count += 1.0;
        });
        if compound && count > 1.0 {
            add(number(whole.as_bytes()).wrapping_add(1), WHOLE * sum / count, acts);
        }
    };
    name(function.name, CALLED, false, false);
    for (index, token) in tokens.iter().enumerate() {
        let word = text(token);
        match token.class {
            Class::Literal => {
                let inner = word.trim_matches(['"', '\'']);
                let plain = (2..60).contains(&inner.len()) && !inner.contains(char::is_whitespace);
                if plain && word.starts_with(['"', '\'']) {
                    name(inner, LITERAL, true, false);
                }
            }
            Class::Name if token.start != function.name_span.start => {
                let near = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", text);
                let before = near(index.checked_sub(1));
                if before == "new" || near(Some(index + 1)) == "(" {
                    name(word, CALLED, true, true);
                } else if word.starts_with(|c: char| c.is_uppercase()) {
                    name(word, TYPE, true, true);
                } else if matches!(before, "." | "->" | "::" | "?.") {
                    name(word, MEMBER, false, false);
                } else {
                    name(word, VARIABLE, false, false);
                }
            }
            _ => {}
        }
    }
    let mut words: Vec<Word> = found.into_values().collect();
    words.sort_unstable_by_key(|word| word.number);
    words
}

/// The words of a name in small letters: `ZipInputStream` has three, `MD5Sum` two.
fn split(name: &str, each: &mut dyn FnMut(&str)) {
    let bytes = name.as_bytes();
    let mut small = String::new();
    let mut start = 0;
    for at in 0..=bytes.len() {
        let class = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
        let (before, here, after) = (if at > 0 { class(at - 1) } else { b' ' }, class(at), class(at + 1));
        let apart = !here.is_ascii_alphanumeric() && here < 0x80;
        let hump = here.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_digit()
                || (before.is_ascii_uppercase() && after.is_ascii_lowercase()));
        if !(apart || hump) {
            continue;
        }
        if let Some(word) = name.get(start..at)
            && word.len() > 1
            && !word.bytes().all(|byte| byte.is_ascii_digit())
        {
            small.clear();
            small.extend(word.chars().flat_map(char::to_lowercase));
            each(&small);
        }
        start = if apart { at + 1 } else { at };
    }
}

/// The words of every function, weighed by how rare they are in the project.
#[derive(Debug, Default)]
pub struct Vocabulary {
    functions: Vec<(Vec<Word>, f32)>,
}

/// How two functions agree in their words.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Agreement {
    /// From 0 to 1.
    pub share: f32,
    /// How much the bodies have in common.
    pub evidence: f32,
    /// How much the one says that says less.
    pub least: f32,
}

/// Below so many functions nothing can be said about what is common here.
const ENOUGH: usize = 100;
/// What everybody here talks about still says something.
const LEAST_RARITY: f32 = 0.3;

impl Vocabulary {
    /// Weighs.
    pub fn of(fragments: &[Fragment]) -> Self {
        let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
        if fragments.len() >= ENOUGH {
            for word in fragments.iter().flat_map(|fragment| &fragment.words) {
                *counts.entry(word.number).or_default() += 1;
            }
        }
        let all = fragments.len() as f32;
        let rarity = |number: u32| match counts.get(&number) {
            Some(count) => ((all / *count as f32).ln() / (all / 4.0).ln()).clamp(LEAST_RARITY, 1.0),
            None => 1.0,
        };
        let weighed = |fragment: &Fragment| {
            let words: Vec<Word> = fragment
                .words
                .iter()
                .map(|word| Word { weight: word.weight * rarity(word.number), ..*word })
                .collect();
            let length = words.iter().map(|word| word.weight * word.weight).sum::<f32>().sqrt();
            (words, length)
        };
        Self { functions: fragments.iter().map(weighed).collect() }
    }

    /// How two functions, by their numbers, agree.
    pub fn agreement(&self, a: u32, b: u32) -> Agreement {
        let (Some((left, long)), Some((right, other))) =
            (self.functions.get(a as usize), self.functions.get(b as usize))
        else {
            return Agreement::default();
        };
        let (mut shared, mut evidence) = (0.0, 0.0);
        let mut rest = right.iter().peekable();
        for word in left {
            while rest.next_if(|next| next.number < word.number).is_some() {}
            if let Some(same) = rest.next_if(|next| next.number == word.number) {
                let both = word.weight * same.weight;
                shared += both;
                evidence += if word.acts && same.acts { both } else { 0.0 };
            }
        }
        let lengths = long * other;
        Agreement {
            share: if lengths > 0.0 { shared / lengths } else { 0.0 },
            evidence,
            least: long.min(*other),
        }
    }

    /// The words of a function.
    pub fn words(&self, index: u32) -> &[Word] {
        self.functions.get(index as usize).map_or(&[], |(words, _)| words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_humps_and_marks() {
        let words = |name: &str| {
            let mut out = Vec::new();
            split(name, &mut |word| out.push(word.to_owned()));
            out
        };
        assert_eq!(words("ZipInputStream"), ["zip", "input", "stream"]);
        assert_eq!(words("MD5Sum_of"), ["md5", "sum", "of"]);
        assert_eq!(words("toHTMLText"), ["to", "html", "text"]);
        assert_eq!(words("x1 2 größe"), ["x1", "größe"]);
    }

    #[test]
    fn what_every_program_says_weighs_little() {
        assert!(prior("stream") < prior("context"));
        assert!(prior("context") < prior("digest"));
        for list in [PLUMBING, USUAL, FREQUENT] {
            assert!(list.split_ascii_whitespace().is_sorted());
        }
    }
}
