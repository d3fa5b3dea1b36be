//! Help from outside of the loop: packages that may be installed, a language model that may be asked.
//!
//! The loop knows neither an index nor a wire. Whoever calls it brings both, or none: then rules and search do alone.

use crate::Case;
use crate::Cases;
use formicary_model::{Diagnosis, Failure, ModelUse, PatchedFile, RejectedProposal, SuspiciousLine, TestRun};
use std::time::Instant;

/// Whether packages that a program imports may be installed for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Packages {
    /// They may not: the report says what is missing.
    #[default]
    Refused,
    /// They may: a report that names missing ones is given back at once, so that the caller installs them and asks anew.
    Installable,
}

/// What the caller of the loop brings.
#[derive(Default)]
pub struct Help<'a> {
    /// Packages.
    pub packages: Packages,
    /// Asked where rules and search find nothing.
    pub adviser: Option<&'a dyn Adviser>,
    /// How often it is asked at the most.
    pub rounds: u32,
}

impl Help<'_> {
    /// When the search must end, so that the one who is asked after it has time left.
    pub(super) fn leaving_time(&self, now: Instant, until: Instant) -> Instant {
        match self.adviser {
            Some(_) if self.rounds > 0 => now + until.saturating_duration_since(now) / 2,
            _ => until,
        }
    }
}

/// Somebody who proposes patches, whatever he is. What he proposes goes through the same verification as everything else.
pub trait Adviser: Sync {
    /// What he is called.
    fn name(&self) -> String;

    /// Asks. An error means that nobody can go on; a proposal that makes no sense is none.
    fn advise(&self, question: &Question<'_>) -> Result<Advice, Failure>;

    /// What it took so far.
    fn used(&self) -> ModelUse;
}

/// All that is known of a failure.
pub struct Question<'a> {
    /// The program and its tests.
    pub case: &'a Case,
    /// How the tests are run.
    pub command: &'a str,
    /// Inputs and outputs that are expected, where they are the test.
    pub cases: &'a Cases,
    /// The run that failed.
    pub baseline: &'a TestRun,
    /// Why, as far as it is known.
    pub diagnosis: Option<&'a Diagnosis>,
    /// Lines under suspicion.
    pub suspects: &'a [SuspiciousLine],
    /// What was proposed before and did not pass.
    pub rejected: &'a [RejectedProposal],
}

/// What an adviser says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Advice {
    /// Files as they should be.
    Files {
        /// The changed ones, whole.
        files: Vec<PatchedFile>,
        /// What is changed and why.
        summary: String,
    },
    /// Something that is no patch: what, and why not.
    Unusable(RejectedProposal),
    /// He has nothing more to say, or may not be asked again, with the reason.
    Ended(String),
}
