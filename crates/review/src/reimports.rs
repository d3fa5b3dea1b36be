//! Fixes that remove an import, when only a part of a project was read: files outside of it may take the name from there.

use crate::engine::SourceText;
use formicary_model::Language;
use formicary_model::review::{Finding, FixSafety};

/// The rule whose fix removes imports.
const RULE: &str = "unused-import";

/// Whether any fix here rests on what other files do.
pub(crate) fn need_others(findings: &[Finding], sources: &[SourceText]) -> bool {
    findings.iter().any(|finding| removed(finding, sources).is_some())
}

/// Withdraws the promise of safety where a file of the project that was not part of the review mentions both the module
/// and the name. Plain words are enough: a fix that is withheld wrongly costs nothing.
pub(crate) fn withdraw(findings: &mut [Finding], sources: &[SourceText], project: &[SourceText]) {
    let reviewed = |path: &str| sources.iter().any(|source| source.path == path);
    let others: Vec<&SourceText> = project.iter().filter(|other| !reviewed(&other.path)).collect();
    for finding in findings {
        let Some((source, name)) = removed(finding, sources) else { continue };
        let module = module(&source.path, source.language);
        let takes = |other: &&SourceText| {
            other.language == source.language && mentions(&other.text, name) && mentions(&other.text, module)
        };
        if others.iter().any(takes)
            && let Some(fix) = &mut finding.fix
        {
            fix.safety = FixSafety::Unsafe;
        }
    }
}

/// The file and the name that a safe fix would take out of it.
fn removed<'s>(finding: &Finding, sources: &'s [SourceText]) -> Option<(&'s SourceText, &'s str)> {
    let safe = finding.rule == RULE && finding.fix.as_ref().is_some_and(|fix| fix.safety == FixSafety::Safe);
    let source = sources.iter().find(|source| safe && source.path == finding.file)?;
    let shared = matches!(source.language, Language::Python | Language::Rust);
    let text = source.text.get(finding.span.start_byte as usize..finding.span.end_byte as usize)?;
    // `a as b` binds the last word, `a::b` too.
    let name = text.rsplit(|c: char| !is_word(c)).find(|word| !word.is_empty())?;
    shared.then_some((source, name))
}

/// The word by which others name the module: Rust's children say `super`.
fn module(path: &str, language: Language) -> &str {
    if language == Language::Rust {
        return "super";
    }
    let (directory, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.split('.').next().unwrap_or(file);
    if stem == "__init__" { directory.rsplit('/').next().unwrap_or(directory) } else { stem }
}

fn mentions(text: &str, word: &str) -> bool {
    let edge = |c: Option<char>| !c.is_some_and(is_word);
    text.match_indices(word)
        .any(|(at, _)| edge(text[..at].chars().next_back()) && edge(text[at + word.len()..].chars().next()))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::review::{Category, Edit, Fix, Severity, Span};

    fn source(path: &str, text: &str) -> SourceText {
        SourceText { path: path.into(), language: Language::Python, text: text.into(), exact: true }
    }

    fn finding(file: &str, start: u32, end: u32) -> Finding {
        let mut span = Span::of_line(1);
        (span.start_byte, span.end_byte) = (start, end);
        let mut finding =
            Finding::new(RULE, Category::DeadCode, Severity::Low, file, span, "nothing reads it");
        let edits = vec![Edit { span, replacement: String::new() }];
        finding.fix = Some(Fix { safety: FixSafety::Safe, edits, description: "remove the import".into() });
        finding
    }

    #[test]
    fn a_file_outside_of_the_review_keeps_an_import() {
        let compat = source("pkg/compat.py", "from http import cookiejar as cookielib\n");
        let user = source("pkg/cookies.py", "from .compat import cookielib\n");
        let stranger = source("pkg/other.py", "import cookielib\n");
        for (other, left) in [(user, FixSafety::Unsafe), (stranger, FixSafety::Safe)] {
            let mut findings = vec![finding("pkg/compat.py", 17, 39)];
            let reviewed = [compat.clone()];
            assert!(need_others(&findings, &reviewed));
            withdraw(&mut findings, &reviewed, &[compat.clone(), other]);
            assert_eq!(findings[0].fix.as_ref().map(|fix| fix.safety), Some(left));
        }
    }
}
