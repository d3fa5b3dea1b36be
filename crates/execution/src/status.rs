//! What is known of a language on this host: for `formicary languages` and `formicary doctor`.

use serde::Serialize;

/// Where a language comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LanguageOrigin {
    /// Formicary knows it.
    Builtin,
    /// The user's configuration.
    Custom,
}

/// Whether a language can run here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Availability {
    /// It can.
    Available {
        /// The main program on the host.
        program: String,
    },
    /// It cannot.
    Missing {
        /// Why.
        why: String,
        /// How to get it.
        remedy: String,
    },
}

impl Availability {
    /// Whether it can run.
    pub const fn is_available(&self) -> bool {
        matches!(self, Self::Available { .. })
    }
}

/// One language and its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LanguageStatus {
    /// The identifier.
    pub id: String,
    /// The name as people write it.
    pub name: String,
    /// Other words for it.
    pub aliases: Vec<String>,
    /// File endings, without the dot.
    pub extensions: Vec<String>,
    /// Built in or the user's own.
    pub origin: LanguageOrigin,
    /// Whether it can run here, found without starting anything.
    pub availability: Availability,
}
