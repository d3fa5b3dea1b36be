//! What a linter would mend by itself: ruff's fixes, where ruff is in the sandbox. They are candidates like all others.

use super::{Debugger, FixRequest};
use crate::{Candidate, Case, TextEdit};
use formicary_model::{Language, Source, SourceFile};
use serde::Deserialize;

/// Rules whose fixes change what a program does. Style mends nothing.
const SELECTED: &str = "F,E7,E9,B,PLE,PLW,RUF";
const MOST: usize = 40;

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    code: Option<String>,
    message: String,
    filename: String,
    #[serde(default)]
    fix: Option<Fix>,
}

#[derive(Deserialize)]
struct Fix {
    applicability: String,
    #[serde(default)]
    message: Option<String>,
    edits: Vec<Change>,
}

#[derive(Deserialize)]
struct Change {
    content: String,
    location: Position,
    end_location: Position,
}

#[derive(Deserialize)]
struct Position {
    row: usize,
    column: usize,
}

impl Debugger<'_> {
    /// Nothing where there is no linter, or where it proposes nothing.
    pub(super) fn linted(&self, request: &FixRequest) -> Vec<Candidate> {
        let case = &request.case;
        if case.language != Language::Python {
            return Vec::new();
        }
        let files: Vec<SourceFile> = case
            .files
            .iter()
            .filter(|file| file.editable && file.path.ends_with(".py"))
            .map(|file| SourceFile {
                path: file.path.clone(),
                content: file.text.clone().into_bytes(),
                executable: false,
            })
            .collect();
        let mut order = self.base.clone();
        order.language = Some(case.language.id().into());
        order.source = Source::Files { files, entry: None };
        let script = format!(
            "command -v ruff >/dev/null || exit 127; \
             exec ruff check --isolated --no-cache --output-format json --select {SELECTED} ."
        );
        order.command = Some(vec!["sh".into(), "-c".into(), script]);
        order.limits.wall_seconds = Some(5.0);
        match (self.run)(order) {
            Ok(result) => read(case, &result.stdout),
            Err(_) => Vec::new(),
        }
    }
}

/// The fixes in a report of ruff.
fn read(case: &Case, report: &str) -> Vec<Candidate> {
    let entries: Vec<Entry> = serde_json::from_str(report).unwrap_or_default();
    let mut found = Vec::new();
    for entry in entries {
        let Some(fix) = entry.fix else { continue };
        let name = entry.filename.replace('\\', "/");
        let file = case
            .files
            .iter()
            .position(|file| name == file.path || name.ends_with(&format!("/{}", file.path)));
        let Some(file) = file else { continue };
        let text = &case.files[file].text;
        let edits: Option<Vec<TextEdit>> = fix
            .edits
            .into_iter()
            .map(|edit| {
                let (start, end) = (byte(text, &edit.location)?, byte(text, &edit.end_location)?);
                (start <= end).then_some(TextEdit { file, start, end, replacement: edit.content })
            })
            .collect();
        let Some(edits) = edits.filter(|edits| !edits.is_empty()) else { continue };
        let (cost, confidence) = if fix.applicability == "safe" { (1.2, 0.6) } else { (2.0, 0.4) };
        let code = entry.code.unwrap_or_default();
        found.push(Candidate {
            edits,
            origin: format!("tools/ruff-{code}"),
            cost,
            confidence,
            explanation: fix.message.unwrap_or(entry.message),
        });
    }
    found.retain(|candidate| case.applied(&candidate.edits).is_some());
    found.truncate(MOST);
    found
}

/// The byte of a row and a column, both from one, columns in characters.
fn byte(text: &str, at: &Position) -> Option<usize> {
    let row = at.row.checked_sub(1)?;
    let start: usize = text.split_inclusive('\n').take(row).map(str::len).sum();
    let line = text.get(start..)?.split_inclusive('\n').next().unwrap_or("");
    let column = at.column.checked_sub(1)?;
    Some(start + line.char_indices().nth(column).map_or(line.len(), |(offset, _)| offset))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CaseFile;

    #[test]
    fn fixes_of_ruff_are_candidates() {
        let text = "def f(x):\n    return 'ä' if x is 3 else 0\n";
        let case = Case {
            language: Language::Python,
            files: vec![CaseFile { path: "a.py".into(), text: text.into(), editable: true }],
            evidence: None,
            suspects: Vec::new(),
        };
        let report = r#"[{"code":"F632","message":"Use `==` to compare constant literals","filename":"/work/a.py",
            "location":{"row":2,"column":19},"end_location":{"row":2,"column":25},
            "fix":{"applicability":"safe","message":"Replace `is` with `==`","edits":[
            {"content":"x == 3","location":{"row":2,"column":19},"end_location":{"row":2,"column":25}}]}},
            {"code":"F841","message":"unused","filename":"/work/b.py","fix":null}]"#;
        let found = read(&case, report);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].origin, "tools/ruff-F632");
        let (_, mended) = case.applied(&found[0].edits).unwrap().remove(0);
        assert_eq!(mended, text.replace("x is 3", "x == 3"));
        assert!(read(&case, "no JSON").is_empty());
    }
}
