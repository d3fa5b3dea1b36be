//! Puts analyses together: what is wrong, how bad, did this change make it worse, may it pass.
//!
//! | module | what it holds |
//! |---|---|
//! | [`engine`] | what the review asks of an analysis |
//! | [`settings`] | what a project says about its own review |
//! | [`native`], [`cache`], [`kept`], [`architecture`], [`duplication`] | our own analysis, what it keeps between reviews, layers, copies |
//! | [`discover`], [`project`] | which files are reviewed, and of which project |
//! | [`sources`] | the same files as the structural engines take them |
//! | [`examine`] | one state of a project through the analysis |
//! | [`suppress`], [`fingerprint`], [`baseline`] | findings that are allowed, who they are, which are known |
//! | [`figures`], [`score`], [`gate`], [`history`] | what it adds up to, and whether it may pass |
//! | [`change`] | what a change made worse |
//! | [`reviewer`] | one review from its request to its report |
//! | [`requested`] | a review as it is requested, and what is kept of it |
//! | [`projects`] | how the score of each project went |
//! | [`clones`] | clones in a project, or those that a change left behind |
//! | [`fix`] | applying fixes |
//! | [`tools`], [`pyscn`] | other people's tools |
//! | [`library`], [`dashboard`] | the shortest ways in and out |
//! | [`report`] | one file per form in which a review is written |

pub mod architecture;
pub mod baseline;
pub mod cache;
pub mod change;
pub mod clones;
pub mod dashboard;
pub mod discover;
pub mod duplication;
pub mod engine;
pub mod examine;
pub mod figures;
pub mod fingerprint;
pub mod fix;
pub mod gate;
pub mod history;
mod ignored;
pub mod kept;
pub mod library;
pub mod native;
pub mod project;
pub mod projects;
pub mod pyscn;
mod reimports;
pub mod report;
pub mod requested;
pub mod reviewer;
pub mod score;
pub mod settings;
pub mod sources;
pub mod suppress;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod tools;
mod tracked;
mod walk;

pub use baseline::Baseline;
pub use change::ChangeRequest;
pub use dashboard::QualityDashboard;
pub use gate::check_quality_gates;
pub use library::{analyze_file, analyze_project};
pub use pyscn::PyscnAnalyzer;
pub use report::{Format, generate_report};
pub use reviewer::{CodeReviewer, Review, ReviewRequest};
pub use settings::ReviewSettings;
