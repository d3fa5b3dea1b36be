//! Functions as things that can be compared: their tokens, statements, names, and what they do in normal form.

use super::normal;
use super::tokens::{Class, NAME, Token, number};
use super::vocabulary::{self, Word};
use super::words;
use formicary_syntax::{Dialect, Function, FunctionId, Owner, Unit};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash as _, Hasher as _};
use std::ops::Range;

/// One function.
#[derive(Debug)]
pub struct Fragment {
    /// The number of its file.
    pub file: u32,
    /// Its tokens within the file's.
    pub tokens: Range<usize>,
    /// Its first line.
    pub first_line: u32,
    /// Its last line.
    pub last_line: u32,
    /// Its name, empty where nothing names it.
    pub name: String,
    /// The same for functions that are equal but for layout and comments.
    pub exact: u64,
    /// The same for functions that are equal but for names and literals.
    pub shape: u64,
    /// The same where names were exchanged consistently and literals freely.
    pub renamed: u64,
    /// Its statements in order: shape, and how many tokens.
    pub statements: Vec<(u32, u16)>,
    /// Names that say what it does, with their weight; sorted by the name's number.
    pub names: Vec<(u32, f32)>,
    /// What it talks about; sorted by the word's number.
    pub words: Vec<Word>,
    /// What it does in normal form; sorted.
    pub normal: normal::Form,
}

/// Smaller functions are not compared.
#[derive(Debug, Clone, Copy)]
pub struct Least {
    /// Lines.
    pub lines: u32,
    /// Tokens.
    pub tokens: usize,
}

/// The functions of a file that are large enough.
pub fn of_file(file: u32, unit: &Unit<'_>, tokens: &[Token], least: Least, deep: bool) -> Vec<Fragment> {
    let mut found = Vec::new();
    let parts = deep.then(|| normal::Parts::of(unit));
    for (id, function) in unit.functions() {
        if !function.has_body || is_part_of_expression(function) {
            continue;
        }
        let from = tokens.partition_point(|token| token.start < function.span.start);
        let to = tokens.partition_point(|token| token.start < function.span.end);
        let first_line = unit.lines.line(function.span.start);
        let last_line = unit.lines.line(function.span.end.saturating_sub(1));
        if to - from < least.tokens || last_line + 1 - first_line < least.lines {
            continue;
        }
        let place = Range { start: from, end: to };
        let form = parts.as_ref().map(|parts| normal::form(unit, parts, id)).unwrap_or_default();
        found.push(fragment(file, unit, function, id, tokens, place, (first_line, last_line), form));
    }
    found
}

// Small lambdas belong to the function around them.
fn is_part_of_expression(function: &Function<'_>) -> bool {
    function.lambda && function.name.is_empty()
}

#[expect(clippy::too_many_arguments, reason = "one call, right above")]
fn fragment(
    file: u32,
    unit: &Unit<'_>,
    function: &Function<'_>,
    id: FunctionId,
    tokens: &[Token],
    place: Range<usize>,
    lines: (u32, u32),
    normal: normal::Form,
) -> Fragment {
    let own = &tokens[place.clone()];
    let (exact, shape, renamed) = identities(own, unit.source);
    let owner = match unit.function(id).owner {
        Owner::Class(class) => format!("{}.", unit.class(class).name),
        _ => String::new(),
    };
    Fragment {
        file,
        tokens: place,
        first_line: lines.0,
        last_line: lines.1,
        name: format!("{owner}{}", function.name),
        exact,
        shape,
        renamed,
        statements: statements(own),
        names: names(unit.dialect, own, unit.source, function),
        words: vocabulary::of_function(own, unit.source, function),
        normal,
    }
}

/// Numbers for a run of tokens: as it is, with names and literals alike, with names exchanged consistently.
pub fn identities(tokens: &[Token], source: &str) -> (u64, u64, u64) {
    let (mut exact, mut shape, mut renamed) = (FxHasher::default(), FxHasher::default(), FxHasher::default());
    let mut seen: FxHashMap<u32, u32> = FxHashMap::default();
    for (index, token) in tokens.iter().enumerate() {
        // How the first line is indented against what stands before says nothing.
        let own = if index == 0 { text_number(token, source) } else { token.exact };
        own.hash(&mut exact);
        token.shape.hash(&mut shape);
        if token.class == Class::Name {
            let next = seen.len() as u32;
            let text = if token.begins { text_number(token, source) } else { token.exact };
            (NAME, *seen.entry(text).or_insert(next)).hash(&mut renamed);
        } else {
            token.shape.hash(&mut renamed);
        }
    }
    (exact.finish(), shape.finish(), renamed.finish())
}

fn text_number(token: &Token, source: &str) -> u32 {
    number(source.as_bytes().get(token.start as usize..token.end as usize).unwrap_or_default())
}

/// Shapes of statements in order; lone brackets are left out.
pub fn statements(tokens: &[Token]) -> Vec<(u32, u16)> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let end =
            tokens[at + 1..].iter().position(|token| token.begins).map_or(tokens.len(), |to| at + 1 + to);
        let run = &tokens[at..end];
        let alone = run.len() == 1 && run[0].class == Class::Mark;
        if !alone {
            let mut hasher = FxHasher::default();
            // The mark that ends a statement says nothing: languages and habits differ there.
            for token in run {
                token.shape.hash(&mut hasher);
            }
            let hash = hasher.finish();
            out.push(((hash ^ (hash >> 32)) as u32, u16::try_from(run.len()).unwrap_or(u16::MAX)));
        }
        at = end;
    }
    out
}

const OWN_NAME: f32 = 0.7;

// What is called and which types are used says most; members less, own variables little.
fn names(dialect: Dialect, tokens: &[Token], source: &str, function: &Function<'_>) -> Vec<(u32, f32)> {
    let mut weights: FxHashMap<u32, f32> = FxHashMap::default();
    let mut add = |name: &str, weight: f32, most: f32| {
        let entry = weights.entry(number(name.as_bytes())).or_default();
        *entry = (*entry + weight).min(most);
    };
    let text = |token: &Token| source.get(token.start as usize..token.end as usize).unwrap_or("");
    for (index, token) in tokens.iter().enumerate() {
        let word = text(token);
        if token.class == Class::Literal {
            // `"MD5"` and `"SELECT …"` say what is meant; numbers do not.
            let inner = word.trim_matches(['"', '\'', '`']);
            if inner.len() > 2 && inner.len() < 60 && word.starts_with(['"', '\'', '`']) {
                add(inner, 0.4, 0.4);
            }
            continue;
        }
        if token.class != Class::Name || token.start == function.name_span.start {
            continue;
        }
        let mark = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", text);
        let (before, after) = (mark(index.checked_sub(1)), mark(Some(index + 1)));
        let typed = word.starts_with(|c: char| c.is_uppercase())
            && matches!(
                dialect,
                Dialect::Java | Dialect::TypeScript | Dialect::Tsx | Dialect::Rust | Dialect::Go
            );
        let role = if after == "(" || before == "new" || typed {
            1.0
        } else if matches!(before, "." | "->" | "::" | "?.") {
            0.6
        } else {
            0.2
        };
        let weight = role * words::prior(word);
        add(word, weight, weight * 2.0);
    }
    for word in words::words(function.name) {
        add(&format!("{word}()"), OWN_NAME, OWN_NAME);
    }
    let mut names: Vec<(u32, f32)> = weights.into_iter().collect();
    names.sort_unstable_by_key(|(name, _)| *name);
    names
}
