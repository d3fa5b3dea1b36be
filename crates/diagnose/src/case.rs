//! The case that is to be solved: a broken program, what is known of its failure, and edits of its files.

use formicary_model::{ExecutionResult, Language};

/// A broken program with what is known of its failure.
#[derive(Debug, Clone)]
pub struct Case {
    /// The language of the files that may be changed.
    pub language: Language,
    /// All files of the project, with paths relative to its root.
    pub files: Vec<CaseFile>,
    /// The run that failed.
    pub evidence: Option<ExecutionResult>,
    /// Lines under suspicion, the most suspicious first.
    pub suspects: Vec<Suspect>,
}

/// One file of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseFile {
    /// Its path, relative to the project's root, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Whether patches may change it; tests and data they may not.
    pub editable: bool,
}

/// A line with the reason to look at it.
#[derive(Debug, Clone, PartialEq)]
pub struct Suspect {
    /// Which file, as an index into [`Case::files`].
    pub file: usize,
    /// The line, from one.
    pub line: u32,
    /// How suspicious, from nothing to one.
    pub score: f64,
    /// Why, in a few words.
    pub reason: String,
}

/// A change of one stretch of one file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextEdit {
    /// Which file, as an index into [`Case::files`].
    pub file: usize,
    /// The first byte that goes.
    pub start: usize,
    /// The byte after the last that goes.
    pub end: usize,
    /// What stands there afterwards.
    pub replacement: String,
}

/// Inputs with the outputs that a program must give; without any, its exit code tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cases {
    /// Standard input and expected standard output.
    pub pairs: Vec<(String, String)>,
}

impl Case {
    /// The texts of the changed files after these edits, by file. Nothing where edits overlap or do not fit.
    pub fn applied(&self, edits: &[TextEdit]) -> Option<Vec<(usize, String)>> {
        let mut edits: Vec<&TextEdit> = edits.iter().collect();
        edits.sort_by_key(|edit| (edit.file, edit.start, edit.end));
        let mut changed: Vec<(usize, String)> = Vec::new();
        let mut at = 0;
        for (index, edit) in edits.iter().enumerate() {
            let text = &self.files.get(edit.file)?.text;
            if index == 0 || edits[index - 1].file != edit.file {
                changed.push((edit.file, String::new()));
                at = 0;
            }
            let (_, out) = changed.last_mut()?;
            out.push_str(text.get(at..edit.start)?);
            text.get(edit.start..edit.end)?;
            out.push_str(&edit.replacement);
            at = edit.end;
            if edits.get(index + 1).is_none_or(|next| next.file != edit.file) {
                out.push_str(text.get(at..)?);
            }
        }
        Some(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_applied_file_by_file() {
        let file = |path: &str, text: &str| CaseFile { path: path.into(), text: text.into(), editable: true };
        let case = Case {
            language: Language::Python,
            files: vec![file("a.py", "one two three"), file("b.py", "four")],
            evidence: None,
            suspects: Vec::new(),
        };
        let edit = |file, start, end, text: &str| TextEdit { file, start, end, replacement: text.into() };
        let applied = case.applied(&[edit(1, 4, 4, "!"), edit(0, 8, 13, "3"), edit(0, 0, 3, "1")]);
        assert_eq!(applied, Some(vec![(0, "1 two 3".into()), (1, "four!".into())]));
        assert_eq!(case.applied(&[edit(0, 0, 5, ""), edit(0, 3, 6, "")]), None);
        assert_eq!(case.applied(&[edit(0, 0, 99, "")]), None);
    }
}
