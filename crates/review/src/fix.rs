//! Applying fixes: by tier, never two over the same text, each file replaced whole or not at all.

use crate::engine::SourceText;
use formicary_files::{FileError, Reason, Root};
use formicary_model::review::{Edit, Finding, FixSafety, FixedFile};
use formicary_model::{Failure, FailureKind};
use formicary_search::rewrite::unified;
use std::collections::BTreeMap;
use std::path::Path;

/// What was mended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fixed {
    /// Findings whose fix was applied.
    pub applied: usize,
    /// Findings whose fix was left out: it overlaps another, or its file cannot be edited.
    pub left: usize,
    /// The files that changed, with their new texts.
    pub files: BTreeMap<String, String>,
}

/// Works out the new texts; nothing is written. Fixes of suppressed and known findings are left alone.
pub fn plan(findings: &[Finding], sources: &[SourceText], most: FixSafety) -> Fixed {
    let mut fixed = Fixed::default();
    let mut by_file: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    let open = findings.iter().filter(|finding| finding.is_open());
    for finding in open.filter(|finding| finding.fix.as_ref().is_some_and(|fix| fix.safety <= most)) {
        by_file.entry(&finding.file).or_default().push(finding);
    }
    for (file, findings) in by_file {
        let Some(source) = sources.iter().find(|source| source.path == file && source.exact) else {
            fixed.left += findings.len();
            continue;
        };
        let mut taken: Vec<&Edit> = Vec::new();
        for finding in findings {
            let edits = finding.fix.as_ref().map_or(&[][..], |fix| &fix.edits);
            if !edits.is_empty() && edits.iter().all(|edit| fits(edit, &source.text, &taken)) {
                taken.extend(edits.iter().filter(|edit| !taken.contains(edit)).collect::<Vec<_>>());
                fixed.applied += 1;
            } else {
                fixed.left += 1;
            }
        }
        if !taken.is_empty() {
            fixed.files.insert(file.to_owned(), apply(&source.text, taken));
        }
    }
    fixed
}

// Two findings may ask for the very same edit; any other overlap is refused, an insertion at an edge too.
fn fits(edit: &Edit, text: &str, taken: &[&Edit]) -> bool {
    let (start, end) = (edit.span.start_byte, edit.span.end_byte);
    let inside = start <= end && text.get(start as usize..end as usize).is_some();
    let apart = |other: &&Edit| {
        **other == *edit
            || (end <= other.span.start_byte || other.span.end_byte <= start)
                && start != other.span.start_byte
    };
    inside && taken.iter().all(apart)
}

fn apply(text: &str, mut edits: Vec<&Edit>) -> String {
    edits.sort_by_key(|edit| edit.span.start_byte);
    let mut result = String::with_capacity(text.len());
    let mut next = 0;
    for edit in edits {
        result.push_str(text.get(next..edit.span.start_byte as usize).unwrap_or_default());
        result.push_str(&edit.replacement);
        next = edit.span.end_byte as usize;
    }
    result.push_str(text.get(next..).unwrap_or_default());
    result
}

impl Fixed {
    /// The changes as diffs.
    pub fn diffs(&self, sources: &[SourceText]) -> Vec<FixedFile> {
        let before = |file: &String| sources.iter().find(|source| source.path == *file);
        let diff = |(file, text): (&String, &String)| {
            Some(FixedFile { file: file.clone(), diff: unified(file, &before(file)?.text, text) })
        };
        self.files.iter().filter_map(diff).collect()
    }
}

/// Writes the new texts. A file that changed since it was read is left alone, and that is an error.
pub fn write(fixed: &Fixed, sources: &[SourceText], root: &Path) -> Result<(), Failure> {
    let failed = |why: String| Failure::new(FailureKind::Internal, format!("nothing more was fixed: {why}"));
    let files = Root::open(root).map_err(|error| failed(error.to_string()))?;
    for (file, text) in &fixed.files {
        let path = Path::new(file);
        let before = sources.iter().find(|source| source.path == *file).map(|source| source.text.as_bytes());
        // A file that grew is one that changed.
        let now = match files.read(path, before.map_or(0, |before| before.len() as u64)) {
            Ok(now) => Some(now),
            Err(FileError { reason: Reason::TooLarge(_), .. }) => None,
            Err(error) => return Err(failed(error.to_string())),
        };
        if now.is_none() || now.as_deref() != before {
            let message =
                format!("{} was not fixed: it changed while it was reviewed", root.join(file).display());
            return Err(Failure::new(FailureKind::Internal, message).hint("review it again"));
        }
        files.write(path, text.as_bytes()).map_err(|error| failed(error.to_string()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{finding, source};
    use formicary_model::review::{Category, Fix, Severity, Span};

    fn fix(text: &str, safety: FixSafety, edits: &[(usize, usize, &str)]) -> Finding {
        let mut finding = finding("a.py", 1, Severity::Low, Category::Lint);
        let edit = |(start, end, with): &(usize, usize, &str)| Edit {
            span: Span::of_bytes(text, *start, *end),
            replacement: (*with).into(),
        };
        let edits = edits.iter().map(edit).collect();
        finding.fix = Some(Fix { description: "x".into(), safety, edits });
        finding
    }

    #[test]
    fn edits_never_overlap_and_tiers_are_heeded() {
        use FixSafety::{Safe, Unsafe};
        let text = "abcdef";
        type Edits = &'static [(usize, usize, &'static str)];
        type Case = (&'static [(FixSafety, Edits)], FixSafety, &'static str, usize);
        let cases: &[Case] = &[
            (&[(Safe, &[(0, 1, "X")]), (Safe, &[(3, 4, "Y")])], Safe, "XbcYef", 2),
            (&[(Safe, &[(0, 3, "X")]), (Safe, &[(2, 4, "Y")])], Safe, "Xdef", 1),
            (&[(Safe, &[(0, 1, "X")]), (Unsafe, &[(3, 4, "Y")])], Safe, "Xbcdef", 1),
            (&[(Safe, &[(0, 1, "X")]), (Unsafe, &[(3, 4, "Y")])], Unsafe, "XbcYef", 2),
            (&[(Safe, &[(0, 1, "X"), (5, 6, "")]), (Safe, &[(5, 6, "Z")])], Safe, "Xbcde", 1),
            (&[(Safe, &[(1, 2, "X")]), (Safe, &[(1, 2, "X")])], Safe, "aXcdef", 2),
            (&[(Safe, &[(2, 2, "X")]), (Safe, &[(2, 2, "Y")])], Safe, "abXcdef", 1),
            (&[(Safe, &[])], Safe, "", 0),
        ];
        for (fixes, most, expected, applied) in cases {
            let findings: Vec<Finding> =
                fixes.iter().map(|(safety, edits)| fix(text, *safety, edits)).collect();
            let fixed = plan(&findings, &[source("a.py", text)], *most);
            assert_eq!(fixed.files.get("a.py").map_or("", String::as_str), *expected);
            assert_eq!(fixed.applied, *applied, "{expected}");
        }
    }

    #[test]
    fn a_file_that_changed_meanwhile_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.py");
        std::fs::write(&path, "abc").unwrap();
        let sources = [source("a.py", "abc")];
        let fixed = plan(&[fix("abc", FixSafety::Safe, &[(0, 1, "X")])], &sources, FixSafety::Safe);
        write(&fixed, &sources, folder.path()).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "Xbc");
        assert!(write(&fixed, &sources, folder.path()).is_err());
    }

    #[test]
    fn text_that_is_not_the_files_own_is_not_edited() {
        let mut text = source("a.py", "abc");
        text.exact = false;
        let fixed = plan(&[fix("abc", FixSafety::Safe, &[(0, 1, "X")])], &[text], FixSafety::Safe);
        assert_eq!((fixed.applied, fixed.left), (0, 1));
    }
}
