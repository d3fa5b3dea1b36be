//! The nouns of a review: what was found where, how bad it is, what was measured, and whether it may pass.
//!
//! | module | what it names |
//! |---|---|
//! | [`span`] | places in a file |
//! | [`finding`] | one thing that is wrong, with its reason, its remedy and its fix |
//! | [`metrics`] | what was measured, per function, class, file, module and project |
//! | [`rule`] | what a rule looks for, with examples |
//! | [`suppression`] | findings that somebody allowed, and why |
//! | [`score`] | 0–100, per category and in all |
//! | [`gate`] | conditions that a project must meet |
//! | [`report`] | everything of one review |
//! | [`input`] | what to review, and what is done with it |
//! | [`project`] | projects that were reviewed by name |

pub mod finding;
pub mod gate;
pub mod input;
pub mod metrics;
pub mod project;
pub mod report;
pub mod rule;
pub mod score;
pub mod span;
pub mod suppression;

pub use finding::{Category, Confidence, Edit, Finding, Fix, FixSafety, Severity, Standing, Step};
pub use gate::{Comparator, GateCheck, GateResult};
pub use input::{
    BaselineInput, FixFindingsInput, FixedFile, FixedFindings, GateReport, PyscnInput, ReportFormat,
    ReviewInput, ReviewScope, RuleList, RulesInput, WrittenBaseline,
};
pub use metrics::{
    ClassMetrics, Dependency, FileMetrics, FunctionMetrics, Halstead, LineCounts, ModuleMetrics,
    ProjectMetrics,
};
pub use project::{ProjectHistory, ProjectList, ProjectName, ProjectSummary};
pub use report::{ChangeSummary, Gaming, GamingKind, Note, NoteKind, ReviewReport, Trend};
pub use rule::{RuleExample, RuleInfo};
pub use score::{CategoryScore, Grade, HotSpot, Score};
pub use span::Span;
pub use suppression::{Suppression, SuppressionKind};
