//! What the structural engines say: places that match, changes that were made, who calls whom.

mod index;
mod refactor;
mod rewrite;
mod search;

pub use index::{Call, Dependency, Reference, Symbol, SymbolKind};
pub use refactor::{RefactorReport, Verification};
pub use rewrite::{FileChange, LeftAlone, RewriteReport, RuleTestReport, UndoReport};
pub use search::{Captured, Match, NearestMiss, SearchReport, SkippedFile};
