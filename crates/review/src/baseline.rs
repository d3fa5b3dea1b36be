//! Findings that are known and live on: a file with their fingerprints. They are marked, not hidden.

use formicary_files::{FileError, Place};
use formicary_model::review::{Finding, Standing};
use formicary_model::{Failure, FailureKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The baseline's place if the project names none.
pub const PLACE: &str = ".formicary/baseline.json";
/// A larger file is no baseline.
const MOST_BYTES: u64 = 256 << 20;

/// The known findings of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The form of the file.
    schema: u32,
    /// The findings.
    findings: Vec<Known>,
}

/// One known finding. Only the fingerprint counts; the rest is for people who read the file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Known {
    fingerprint: String,
    rule: String,
    file: String,
    message: String,
}

impl Baseline {
    const SCHEMA: u32 = 1;

    /// All open findings of a review.
    pub fn of(findings: &[Finding]) -> Self {
        let known = |finding: &Finding| Known {
            fingerprint: finding.fingerprint.clone(),
            rule: finding.rule.clone().into_owned(),
            file: finding.file.clone(),
            message: finding.message.clone(),
        };
        let mut findings: Vec<Known> =
            findings.iter().filter(|finding| finding.is_open()).map(known).collect();
        findings.sort_by(|a, b| (&a.file, &a.rule, &a.fingerprint).cmp(&(&b.file, &b.rule, &b.fingerprint)));
        Self { schema: Self::SCHEMA, findings }
    }

    /// A baseline from a file's text.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Failure> {
        let wrong = |why: String| {
            Failure::new(FailureKind::InvalidConfiguration, format!("baseline {}: {why}", path.display()))
                .hint("write it anew with `formicary review --write-baseline`")
        };
        let found: Self = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        if found.schema != Self::SCHEMA {
            return Err(wrong(format!("its form is {}, this build knows {}", found.schema, Self::SCHEMA)));
        }
        Ok(found)
    }

    /// The text of a project's baseline; none if there is no such file.
    pub fn text_in(root: &Path, path: &Path) -> Result<Option<String>, Failure> {
        let read = Place::of(root, path).and_then(|place| place.root.read_to_string(&place.path, MOST_BYTES));
        match read {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(Failure::new(
                FailureKind::InvalidConfiguration,
                format!("the baseline cannot be read: {error}"),
            )
            .hint("make it a regular file, or remove it")),
        }
    }

    /// Reads a project's baseline; none if there is no such file.
    pub fn read(root: &Path, path: &Path) -> Result<Option<Self>, Failure> {
        Self::text_in(root, path)?.map(|text| Self::parse(&root.join(path), &text)).transpose()
    }

    /// Writes it as a project's baseline. Gives its path.
    pub fn write(&self, root: &Path, path: &Path) -> Result<PathBuf, Failure> {
        let write = || -> Result<(), FileError> {
            let place = Place::of(root, path)?;
            if let Some(directory) = place.path.parent() {
                place.root.create_directories(directory)?;
            }
            place.root.write(&place.path, self.text().as_bytes())
        };
        write().map_err(|error| {
            Failure::new(FailureKind::InvalidInput, format!("the baseline was not written: {error}"))
                .hint("name a regular file in a directory that you may write")
        })?;
        Ok(root.join(path))
    }

    /// The file's text: one finding a line, so that a change of it can be read.
    pub fn text(&self) -> String {
        let lines: Vec<String> = self
            .findings
            .iter()
            .map(|known| format!("    {}", serde_json::to_string(known).unwrap_or_default()))
            .collect();
        let body = if lines.is_empty() { String::new() } else { format!("\n{}\n  ", lines.join(",\n")) };
        format!("{{\n  \"schema\": {},\n  \"findings\": [{body}]\n}}\n", self.schema)
    }

    /// Marks the findings that are known, the others as new. A finding that is there once more than before is new.
    pub fn mark(&self, findings: &mut [Finding]) {
        let known: BTreeSet<&str> = self.findings.iter().map(|known| known.fingerprint.as_str()).collect();
        for finding in findings {
            let is_known = known.contains(finding.fingerprint.as_str());
            finding.standing = if is_known { Standing::Unchanged } else { Standing::New };
        }
    }

    /// How many findings it knows that the other does not.
    pub fn more_than(&self, other: &Self) -> usize {
        let known: BTreeSet<&str> = other.findings.iter().map(|known| known.fingerprint.as_str()).collect();
        self.findings.iter().filter(|finding| !known.contains(finding.fingerprint.as_str())).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::review::{Category, Severity, Span};

    fn finding(print: &str) -> Finding {
        let mut finding = Finding::new("r", Category::Lint, Severity::Low, "a", Span::of_line(1), "m");
        finding.fingerprint = print.into();
        finding
    }

    #[test]
    fn a_baseline_survives_its_file() {
        let baseline = Baseline::of(&[finding("b:0"), finding("a:0")]);
        let text = baseline.text();
        assert_eq!(Baseline::parse(Path::new("x"), &text).unwrap(), baseline);
        assert_eq!(Baseline::parse(Path::new("x"), &Baseline::of(&[]).text()).unwrap().findings, []);
        assert!(Baseline::parse(Path::new("x"), "{").unwrap_err().message.contains("line 1 column 1"));
    }

    #[test]
    fn one_more_of_the_same_is_new() {
        let mut findings = [finding("a:0"), finding("a:1")];
        Baseline::of(&findings[..1]).mark(&mut findings);
        assert_eq!(findings.map(|f| f.standing), [Standing::Unchanged, Standing::New]);
    }
}
