//! Functions and classes that nothing in the project names.

use super::facts::{DefinitionFact, number};
use super::{UNUSED_CLASS, UNUSED_FUNCTION};
use crate::rules::Info;
use crate::run::FileAnalysis;
use rustc_hash::FxHashSet;

/// What nobody names. A word anywhere counts, in texts and templates too: frames call by name.
pub(super) fn find(files: &[FileAnalysis]) -> Vec<(&'static Info, &str, &DefinitionFact)> {
    let words: FxHashSet<u64> = files.iter().flat_map(|file| file.facts.words.iter().copied()).collect();
    let mut found = Vec::new();
    for file in files {
        for definition in &file.facts.definitions {
            if !words.contains(&number(&definition.name)) {
                let info = if definition.class { &UNUSED_CLASS } else { &UNUSED_FUNCTION };
                found.push((info, file.metrics.file.as_str(), definition));
            }
        }
    }
    found
}
