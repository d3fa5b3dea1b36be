//! Groups that are known: a project that has copies may still refuse new ones.

use formicary_model::clones::CloneReport;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The fingerprints of known groups.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownClones {
    /// The form of this file.
    pub version: u32,
    /// The fingerprints.
    pub groups: BTreeSet<String>,
}

impl KnownClones {
    /// Everything that a report tells.
    pub fn of(report: &CloneReport) -> Self {
        Self { version: 1, groups: report.groups.iter().map(|group| group.fingerprint.clone()).collect() }
    }

    /// Marks what is known. A known copy that was copied once more is a new group.
    pub fn mark(&self, report: &mut CloneReport) {
        for group in &mut report.groups {
            group.known = self.groups.contains(&group.fingerprint);
        }
    }
}
