//! What the structural engines say: places that match, changes that were made, who calls whom.

mod index;
mod refactor;
mod rewrite;
mod search;

pub use index::{
    Call, CallList, CallsInput, DependenciesInput, Dependency, DependencyList, FoundSymbol, Reference, Side,
    Symbol, SymbolKind, SymbolList, SymbolsInput,
};
pub use refactor::{RefactorInput, RefactorReport, Refactoring, Verification};
pub use rewrite::{
    FileChange, LeftAlone, RewriteInput, RewriteReport, RuleTestReport, UndoInput, UndoReport,
};
pub use search::{Captured, Match, NearestMiss, SearchInput, SearchReport, SkippedFile};
