//! Groups that are known: a project that has copies may still refuse new ones.

use formicary_files::{FileError, Place};
use formicary_model::clones::CloneReport;
use formicary_model::{Failure, FailureKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// A larger file holds no known groups.
const MOST_BYTES: u64 = 256 << 20;
/// Where known groups are kept where nobody names a file.
pub const KNOWN_CLONES: &str = ".formicary/clones.json";

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
    /// The groups that a file below a project holds; nothing if it is not there.
    pub fn read(root: &Path, path: &Path) -> Result<Option<Self>, Failure> {
        let wrong = |why: String| {
            Failure::new(FailureKind::InvalidInput, why)
                .hint("write it anew with `formicary clones --write-baseline`")
        };
        let read = Place::of(root, path).and_then(|place| place.root.read(&place.path, MOST_BYTES));
        let text = match read {
            Ok(text) => text,
            Err(error) if error.is_missing() => return Ok(None),
            Err(error) => return Err(wrong(format!("the known groups cannot be read: {error}"))),
        };
        let known = serde_json::from_slice(&text);
        known.map(Some).map_err(|error| wrong(format!("{}: {error}", path.display())))
    }

    /// Writes all groups as known.
    pub fn write(&self, root: &Path, path: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| Failure::new(FailureKind::Internal, format!("known groups: {error}")))?;
        let write = || -> Result<(), FileError> {
            let place = Place::of(root, path)?;
            if let Some(directory) = place.path.parent() {
                place.root.create_directories(directory)?;
            }
            place.root.write(&place.path, (text + "\n").as_bytes())
        };
        write().map_err(|error| {
            Failure::new(FailureKind::InvalidInput, format!("the known groups were not written: {error}"))
                .hint("name a regular file in a directory that you may write")
        })
    }
}
