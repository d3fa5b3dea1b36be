//! What every source of patches speaks: candidates, and the trait of their sources.

use crate::{Case, TextEdit};

/// A patch that somebody proposes; nobody has run it yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The changes; they do not overlap.
    pub edits: Vec<TextEdit>,
    /// Which strategy and which rule: `search/comparison`, `rules/missing-import`.
    pub origin: String,
    /// How far-fetched: about 1 for the likeliest, 6 for the last resort. Lower is judged first.
    pub cost: f64,
    /// How sure the strategy is, from nothing to one.
    pub confidence: f64,
    /// One sentence: what is changed and why.
    pub explanation: String,
}

/// A source of candidates. It reads the case and starts nothing.
pub trait Strategy: Send + Sync {
    /// The first word of its candidates' origin.
    fn name(&self) -> &'static str;

    /// Its candidates, likeliest first.
    fn candidates(&self, case: &Case) -> Vec<Candidate>;
}
