//! One search through many files.

use crate::{PatternMatcher, Rule, Source, explain};
use formicary_model::patterns::{SearchReport, SkippedFile};
use rayon::prelude::*;

/// Finds what the rules describe. `with_nearest` gives the nearest miss where nothing matches.
pub fn search(
    rules: Vec<Rule>,
    sources: Vec<Source>,
    with_nearest: bool,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> SearchReport {
    let matcher = PatternMatcher::new(rules);
    let sources: Vec<Source> = sources.into_iter().filter(|source| matcher.reads(source.dialect())).collect();
    let searched: Vec<_> = sources
        .par_iter()
        .filter(|_| !cancelled())
        .map(|source| (source.path(), matcher.search(source)))
        .collect();
    let mut report = SearchReport { files: sources.len(), ..SearchReport::default() };
    for (file, found) in searched {
        match found {
            Ok(found) => report.matches.extend(found),
            Err(kind) => {
                report.skipped.push(SkippedFile { file: file.to_owned(), why: kind.message().to_owned() });
            }
        }
    }
    if with_nearest && report.matches.is_empty() {
        report.nearest = explain::explain(&matcher, &sources);
    }
    // A rule that exists in two grammars of one language finds a place once.
    report.matches.dedup_by(|a, b| a.file == b.file && a.span == b.span && a.rule == b.rule);
    report
}
