//! From sources to a report: files are read, functions and blocks compared, and what is alike grouped.

use crate::fragment::{self, Fragment, Least};
use crate::tokens::{self, Token};
use crate::{blocks, boilerplate, functions, outline, report};
use formicary_model::Language;
use formicary_model::clones::{CloneReport, CloneType, ClonesInput};
use formicary_syntax::{Bounds, Dialect, parse_bounded};
use rayon::prelude::*;

/// One file to look at.
#[derive(Debug, Clone, Copy)]
pub struct CloneSource<'a> {
    /// Relative to the project, with forward slashes.
    pub path: &'a str,
    /// Its language.
    pub language: Language,
    /// Its text.
    pub text: &'a str,
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct CloneOptions {
    /// Which kinds of copies.
    pub types: Vec<CloneType>,
    /// The fewest lines of a copy.
    pub lines: u32,
    /// The fewest tokens of a function.
    pub function_tokens: usize,
    /// The fewest tokens of a block.
    pub block_tokens: usize,
    /// Whether files with tests are looked at.
    pub tests: Tests,
    /// The least likeness of what is reported, from 0 to 1.
    pub similarity: f32,
}

/// Whether tests are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tests {
    /// Like any other file.
    Included,
    /// Not at all.
    LeftOut,
}

impl Default for CloneOptions {
    fn default() -> Self {
        Self {
            types: CloneType::ALL.to_vec(),
            lines: 4,
            function_tokens: 30,
            block_tokens: 50,
            tests: Tests::Included,
            similarity: 0.0,
        }
    }
}

impl CloneOptions {
    /// Those of a request, with our own where it is silent.
    pub fn of(request: &ClonesInput) -> Self {
        let own = Self::default();
        Self {
            types: if request.types.is_empty() { own.types } else { request.types.clone() },
            lines: request.lines.unwrap_or(own.lines),
            function_tokens: request.tokens.unwrap_or(own.function_tokens),
            block_tokens: request.tokens.unwrap_or(own.block_tokens),
            tests: if request.without_tests { Tests::LeftOut } else { Tests::Included },
            similarity: request.similarity.unwrap_or(own.similarity),
        }
    }

    fn wants(&self, kind: CloneType) -> bool {
        self.types.contains(&kind)
    }
}

/// A file that was read.
#[derive(Debug)]
pub struct Read<'a> {
    /// The file.
    pub source: CloneSource<'a>,
    /// Its tokens.
    pub tokens: Vec<Token>,
    /// Which tokens are boilerplate.
    pub mask: Vec<bool>,
}

/// Finds the copies among these sources. Ends early, with what it has, when it is called off.
pub fn detect(
    sources: &[CloneSource<'_>],
    options: &CloneOptions,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> CloneReport {
    let wanted: Vec<&CloneSource<'_>> = sources
        .iter()
        .filter(|source| options.tests == Tests::Included || !boilerplate::is_test(source.path))
        .filter(|source| !boilerplate::is_generated(source.text))
        .collect();
    let read: Vec<(Read<'_>, Vec<Fragment>)> = wanted
        .par_iter()
        .enumerate()
        .filter(|_| !cancelled())
        .map(|(index, source)| read(index as u32, source, options))
        .collect();
    let mut fragments = Vec::new();
    let mut files = Vec::with_capacity(read.len());
    for (file, own) in read {
        files.push(file);
        fragments.extend(own);
    }
    if cancelled() || files.len() < wanted.len() {
        return CloneReport::default();
    }
    let tokens: Vec<Vec<Token>> = files.iter_mut().map(|file| std::mem::take(&mut file.tokens)).collect();
    let kinds = functions::Wanted {
        edited: options.wants(CloneType::Edited),
        functional: options.wants(CloneType::Functional),
    };
    let (pairs, equal) = functions::pairs(&fragments, &tokens, kinds, cancelled);
    for (file, tokens) in files.iter_mut().zip(tokens) {
        file.tokens = tokens;
    }
    let texts: Vec<blocks::Text<'_>> = files
        .iter()
        .map(|file| blocks::Text { tokens: &file.tokens, mask: &file.mask, source: file.source.text })
        .collect();
    let repeats =
        if cancelled() { Vec::new() } else { blocks::find(&texts, options.block_tokens, kinds.edited) };
    report::assemble(&report::Found { files: &files, fragments: &fragments, pairs, equal, repeats }, options)
}

fn read<'a>(index: u32, source: &CloneSource<'a>, options: &CloneOptions) -> (Read<'a>, Vec<Fragment>) {
    let dialect = Dialect::of_file(source.path, source.text)
        .filter(|dialect| dialect.language() == source.language)
        .unwrap_or_else(|| Dialect::of(source.language));
    // Machine-made files have no lines to speak of; nobody copied them by hand.
    let bounds = Bounds::default();
    let lines = source.text.lines().count().max(1);
    let made = source.text.len() > 20_000 && source.text.len() / lines > bounds.line_length;
    if made || source.text.len() > bounds.bytes {
        return (Read { source: *source, tokens: Vec::new(), mask: Vec::new() }, Vec::new());
    }
    let tokens = tokens::tokens(dialect, source.text);
    let mask = boilerplate::mask(&tokens, source.text);
    let least = Least { lines: options.lines, tokens: options.function_tokens };
    let deep = options.wants(CloneType::Functional);
    if !deep && !options.wants(CloneType::Edited) {
        let fragments = outline::of_file(index, dialect, &tokens, source.text, least);
        return (Read { source: *source, tokens, mask }, fragments);
    }
    let unit = parse_bounded(dialect, source.text, bounds);
    let fragments = fragment::of_file(index, &unit, &tokens, least, deep);
    (Read { source: *source, tokens, mask }, fragments)
}
