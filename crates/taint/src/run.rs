//! Files that are read once, for the rules of single files and for where their data goes.

use super::{Followed, Settings, TaintFacts, facts_of, follow};
use formicary_lint::{
    FileAnalysis, Options, SourceFile, analyze_file_with, settle_imports, settle_inheritance,
};
use rayon::prelude::*;

/// What the files say, and where data goes in all of them.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The files in the order in which they were given; those of no known language are left out.
    pub files: Vec<FileAnalysis>,
    /// What came of following foreign data.
    pub followed: Followed,
}

/// Analyses one file; none when it is no source of a known language.
pub fn analyze_file(source: &SourceFile, options: &Options) -> Option<(FileAnalysis, TaintFacts)> {
    analyze_file_with(source, options, facts_of)
}

/// Analyses files on all cores, then follows data through all of them.
pub fn analyze(files: &[SourceFile], options: &Options, settings: &Settings) -> Analysis {
    let (mut files, taint): (Vec<FileAnalysis>, Vec<TaintFacts>) =
        files.par_iter().filter_map(|source| analyze_file(source, options)).unzip();
    settle_inheritance(&mut files);
    settle_imports(&mut files);
    let followed = follow(&files, &taint, options, settings);
    Analysis { files, followed }
}
