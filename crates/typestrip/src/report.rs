//! Diagnostics as compilers give them: `main.ts:3:7: error: …`, with the line and a mark below.

use oxc_diagnostics::OxcDiagnostic;
use std::fmt::Write;
use std::path::Path;

/// At most this many are told; the rest are counted.
const MOST: usize = 50;

/// All diagnostics as text.
pub fn report(path: &Path, source: &str, diagnostics: &[OxcDiagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(MOST) {
        let at = diagnostic.labels.first().map_or(0, |label| label.offset() as usize);
        one(&mut text, path, source, at, &diagnostic.message);
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(text, "  help: {help}");
        }
    }
    if diagnostics.len() > MOST {
        let _ = writeln!(text, "and {} more errors", diagnostics.len() - MOST);
    }
    text
}

fn one(text: &mut String, path: &Path, source: &str, at: usize, message: &str) {
    let at = source.floor_char_boundary(at);
    let before = &source[..at];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line_number = before.matches('\n').count() + 1;
    let column = before[start..].chars().count();
    let line = source[start..].lines().next().unwrap_or_default();
    let _ = writeln!(text, "{}:{line_number}:{}: error: {message}", path.display(), column + 1);
    if line.chars().count() <= 200 {
        let indent: String = line.chars().take(column).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let _ = writeln!(text, "  {line}\n  {indent}^");
    }
}
