//! Who a finding is when lines move: its rule, its file, the function around it, and the text of its line without
//! white space. Equal ones are told apart by counting.

use crate::engine::SourceText;
use formicary_model::review::Finding;
use std::collections::HashMap;

/// Gives every finding its fingerprint. The findings must be sorted by place.
pub fn assign(findings: &mut [Finding], sources: &[SourceText]) {
    let mut lines: HashMap<&str, Vec<&str>> = HashMap::new();
    let texts: HashMap<&str, &str> = sources.iter().map(|s| (s.path.as_str(), &*s.text)).collect();
    let mut seen: HashMap<String, u32> = HashMap::new();
    for finding in findings {
        let file = texts.get_key_value(finding.file.as_str());
        let line = file.map(|(path, text)| {
            let lines = lines.entry(path).or_insert_with(|| text.lines().collect());
            lines.get(finding.span.start_line.saturating_sub(1) as usize).copied().unwrap_or_default()
        });
        let key = identity(finding, &finding.file, line.unwrap_or_default());
        let count = seen.entry(key.clone()).or_insert(0);
        finding.fingerprint = format!("{key}:{count}");
        *count += 1;
    }
}

/// The fingerprint without its count, as if the finding were in `file`.
pub fn identity(finding: &Finding, file: &str, line: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    let squeezed: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    for part in [finding.rule.as_ref(), file, finding.symbol.as_deref().unwrap_or_default(), &squeezed] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..24].to_owned()
}

/// The fingerprint without its count.
pub fn stem(fingerprint: &str) -> &str {
    fingerprint.split_once(':').map_or(fingerprint, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::Language;
    use formicary_model::review::{Category, Severity, Span};

    fn prints(text: &str, lines: &[u32]) -> Vec<String> {
        let source =
            SourceText { path: "a.py".into(), language: Language::Python, text: text.into(), exact: true };
        let finding =
            |line: &u32| Finding::new("r", Category::Lint, Severity::Low, "a.py", Span::of_line(*line), "m");
        let mut findings: Vec<Finding> = lines.iter().map(finding).collect();
        assign(&mut findings, &[source]);
        findings.into_iter().map(|finding| finding.fingerprint).collect()
    }

    #[test]
    fn moved_and_indented_lines_stay_who_they_are() {
        let before = prints("eval(x)\n", &[1]);
        assert_eq!(prints("# new\n\n    eval( x )\n", &[3]), before);
        assert_ne!(prints("eval(y)\n", &[1]), before);
    }

    #[test]
    fn equal_lines_are_counted() {
        let found = prints("eval(x)\neval(x)\n", &[1, 2]);
        assert_ne!(found[0], found[1]);
        assert_eq!(stem(&found[0]), stem(&found[1]));
    }
}
